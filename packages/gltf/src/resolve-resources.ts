import { GLB_BUFFER, type GLTF } from '@gltf-transform/core';
import { IsoskinError, type Warning } from '@isoskin/core';

/** Fetches a file beside the model. `path` is relative, decoded and never leads out of the model's folder. */
export type ResolveUri = (path: string) => Promise<Uint8Array>;

export interface Resources {
  /** By uri, as glTF-Transform wants them. */
  readonly byUri: Record<string, Uint8Array<ArrayBuffer>>;
  /** Data of each buffer; undefined for one without data. */
  readonly buffers: readonly (Uint8Array<ArrayBuffer> | undefined)[];
}

/** A white pixel stands in for a texture that is not there. */
const WHITE_PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4////fwAJ+wP9KobjigAAAABJRU5ErkJggg==';

/** Gets the data of all buffers and images. Data URIs get short names, so that they are not taken for file names. */
export async function resolveResources(
  json: GLTF.IGLTF,
  binary: Uint8Array<ArrayBuffer> | undefined,
  resolve: ResolveUri | undefined,
  warnings: Warning[],
): Promise<Resources> {
  const byUri: Record<string, Uint8Array<ArrayBuffer>> = Object.create(null);
  if (binary) byUri[GLB_BUFFER] = binary;

  const fetchOnce = async (uri: string, place: string): Promise<Uint8Array<ArrayBuffer>> => {
    if (uri in byUri && uri !== GLB_BUFFER) return byUri[uri]!;
    const path = relativePath(uri, place);
    if (!resolve) {
      const message = `The model needs the file "${path}", but only its own bytes were given: pack it as .glb or give a resolver`;
      throw new IsoskinError('FILE_MISSING', message, place);
    }
    try {
      return (byUri[uri] = plainBytes(await resolve(path)));
    } catch (cause) {
      if (cause instanceof IsoskinError) throw cause;
      throw new IsoskinError('FILE_MISSING', `The file "${path}" cannot be read: put it beside the model`, place, {
        cause,
      });
    }
  };

  const buffers: (Uint8Array<ArrayBuffer> | undefined)[] = [];
  for (const [i, buffer] of (json.buffers ?? []).entries()) {
    const place = `buffers[${i}]`;
    const uri = textUri(buffer, place);
    if (uri === undefined) buffers.push(i === 0 ? binary : undefined);
    else if (isDataUri(uri)) {
      buffer.uri = `__buffer_${i}.bin`;
      buffers.push((byUri[buffer.uri] = decodeDataUri(uri, place)));
    } else buffers.push(await fetchOnce(uri, place));
  }

  for (const [i, image] of (json.images ?? []).entries()) {
    const place = `images[${i}]`;
    const uri = textUri(image, place);
    if (image.bufferView !== undefined) {
      delete image.uri;
    } else if (uri !== undefined && isDataUri(uri)) {
      image.mimeType ??= /^data:([^;,]*)/.exec(uri)?.[1] || 'image/png';
      image.uri = `__image_${i}`;
      byUri[image.uri] = decodeDataUri(uri, place);
    } else {
      try {
        if (uri === undefined) throw new IsoskinError('FILE_MISSING', 'The image has neither a file nor data', place);
        await fetchOnce(uri, place);
      } catch (error) {
        if (!(error instanceof IsoskinError) || error.code !== 'FILE_MISSING') throw error;
        warnings.push({
          code: 'IMAGE_MISSING',
          message: `A texture is missing and shown white. ${error.message}`,
          place,
        });
        image.uri = `__image_${i}.png`;
        image.mimeType = 'image/png';
        byUri[image.uri] = decodeBase64(WHITE_PIXEL);
      }
    }
  }
  return { byUri, buffers };
}

/** Relative path of a URI, decoded; throws when it is absolute, has a scheme, or leads out of the model's folder. */
export function relativePath(uri: string, place: string): string {
  let path = uri;
  try {
    path = decodeURIComponent(uri);
  } catch {
    // A stray % in a file name: taken literally.
  }
  const refuse = (why: string) => {
    const message = `The file name "${uri.slice(0, 200)}" ${why} and is not opened: put the file into the model's folder`;
    return new IsoskinError('URI_REFUSED', message, place);
  };
  if (/^[a-z][a-z0-9+.-]*:/i.test(path)) throw refuse('is an address or an absolute path');
  if (/^[/\\]/.test(path)) throw refuse('is an absolute path');
  if (path.includes('\0') || /%(2e|2f|5c|00)/i.test(path)) throw refuse('is encoded twice or holds a zero byte');
  let depth = 0;
  for (const segment of path.split(/[/\\]/)) {
    if (segment === '..') depth--;
    else if (segment !== '' && segment !== '.') depth++;
    if (depth < 0) throw refuse("leads out of the model's folder");
  }
  if (depth === 0) throw refuse('names no file');
  return path;
}

function textUri(entry: { uri?: unknown }, place: string): string | undefined {
  if (entry.uri === undefined || typeof entry.uri === 'string') return entry.uri;
  throw new IsoskinError('JSON_STRUCTURE', 'A uri is not a text: export the model again', place);
}

function isDataUri(uri: string): boolean {
  return /^data:/i.test(uri);
}

function decodeDataUri(uri: string, place: string): Uint8Array<ArrayBuffer> {
  const comma = uri.indexOf(',');
  const isBase64 = /;base64$/i.test(uri.slice(0, Math.max(comma, 0)));
  try {
    if (comma < 0) throw new SyntaxError('no comma');
    const body = decodeURIComponent(uri.slice(comma + 1));
    return isBase64 ? decodeBase64(body) : new TextEncoder().encode(body);
  } catch (cause) {
    throw new IsoskinError('DATA_URI', 'A data URI cannot be decoded: export the model again', place, { cause });
  }
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = characters.charCodeAt(i);
  return bytes;
}

/** A plain view: Node's Buffer has another `slice`, and shared memory cannot be decoded in place. */
export function plainBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  if (!(bytes.buffer instanceof ArrayBuffer)) return new Uint8Array(bytes);
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
