import { IsoskinError } from '@isoskin/core';
import { AwsClient } from 'aws4fetch';
import { checkKey, type Storage, storageError } from './storage.js';

/** A request that has not answered after this long is given up, and tried again by the queue. */
const TIMEOUT = 300_000;
/** Attempts at an answer that breaks off in the middle. */
const ATTEMPTS = 3;
/** More than this is no answer that anybody can use: bytes of an object, bytes of a page of a list, keys of a list. */
const MOST = { object: 4 * 2 ** 30 - 1, page: 16 * 2 ** 20, keys: 1_000_000 };

/**
 * A bucket of S3 or of anything that speaks its language (MinIO, R2, Ceph …). Keys and region come from the usual variables:
 * AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION, AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL.
 */
export function createS3Storage(url: string, variables: NodeJS.ProcessEnv = process.env): Storage {
  const [, bucket, rest = ''] = /^s3:\/\/([^/]+)\/?(.*)$/i.exec(url) ?? [];
  if (!bucket || !/^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/.test(bucket)) {
    throw new IsoskinError('STORAGE_URL', `"${url}" names no bucket: write s3://bucket/folder.`);
  }
  const folder = rest.replace(/\/+$/, '');
  const prefix = folder === '' ? '' : `${checkKey(folder)}/`;
  const client = createClient(variables);
  const endpoint = variables.AWS_ENDPOINT_URL_S3 ?? variables.AWS_ENDPOINT_URL;
  const region = variables.AWS_REGION ?? variables.AWS_DEFAULT_REGION ?? 'us-east-1';
  const base = endpoint ? `${endpoint.replace(/\/+$/, '')}/${bucket}` : `https://${bucket}.s3.${region}.amazonaws.com`;

  const send = async (method: string, address: string, init: RequestInit, fine: readonly number[]) => {
    const name = `s3://${bucket}/${address}`;
    let response: Response;
    try {
      response = await client.fetch(`${base}/${address}`, { method, signal: AbortSignal.timeout(TIMEOUT), ...init });
    } catch (cause) {
      throw storageError(`"${name}" cannot be reached: check the network and AWS_ENDPOINT_URL.`, cause);
    }
    if (response.ok || fine.includes(response.status)) return response;
    const code = /<Code>([\w.]{1,60})<\/Code>/.exec(await response.text().catch(() => ''))?.[1] ?? '';
    const what = response.status === 403 ? 'check the keys and their rights' : 'look into the log of the storage';
    throw storageError(`"${name}" answers ${method} with ${response.status} ${code}: ${what}.`, undefined);
  };
  /** The whole body of an answer, or undefined where there is nothing. Asks again when the connection breaks. */
  const fetchBody = async (address: string, most: number, fine: readonly number[]) => {
    for (let attempt = 1; ; attempt++) {
      const response = await send('GET', address, {}, fine);
      if (!response.ok) return undefined;
      try {
        return await readBody(response, most);
      } catch (cause) {
        if (attempt < ATTEMPTS && !(cause instanceof IsoskinError)) continue;
        const what = cause instanceof IsoskinError ? cause.message : 'the connection broke before its end';
        throw storageError(
          `"s3://${bucket}/${address}" cannot be read, ${what}: look at the storage, then retry.`,
          cause,
        );
      }
    }
  };
  const addressOf = (key: string): string => (prefix + checkKey(key)).split('/').map(encodeSegment).join('/');

  const exists = async (key: string): Promise<boolean> => (await send('HEAD', addressOf(key), {}, [404])).ok;
  return {
    url: `s3://${bucket}${folder === '' ? '' : `/${folder}`}`,
    place: async (key) => `s3://${bucket}/${prefix}${checkKey(key)}`,
    exists,
    get: async (key) => fetchBody(addressOf(key), MOST.object, [404]),
    async put(key, bytes) {
      await send('PUT', addressOf(key), { body: bytes as Uint8Array<ArrayBuffer> }, []);
    },
    async putIfAbsent(key, bytes) {
      // Storages that do not know the condition replace the object by the same bytes: keys are hashes of what they hold.
      if (await exists(key)) return false;
      const init = { body: bytes as Uint8Array<ArrayBuffer>, headers: { 'if-none-match': '*' } };
      return (await send('PUT', addressOf(key), init, [409, 412])).ok;
    },
    async remove(key) {
      await send('DELETE', addressOf(key), {}, [404]);
    },
    async tidy() {}, // an upload that breaks off leaves nothing
    async list(start) {
      const keys: string[] = [];
      for (let isMore = true; isMore; ) {
        const query = new URLSearchParams({ 'encoding-type': 'url', prefix: prefix + start });
        const last = keys.at(-1);
        if (last !== undefined) query.set('marker', prefix + last);
        const text = new TextDecoder().decode(await fetchBody(`?${query}`, MOST.page, []));
        const isEncoded = text.includes('<EncodingType>url<');
        const page = [...text.matchAll(/<Key>([^<]*)<\/Key>/g)].map((match) => plain(match[1]!));
        for (const key of page) {
          keys.push((isEncoded ? decodeURIComponent(key.replaceAll('+', ' ')) : key).slice(prefix.length));
        }
        isMore = page.length > 0 && text.includes('<IsTruncated>true<');
        if (isMore && (keys.at(-1) === last || keys.length > MOST.keys)) {
          const message = `The list of "s3://${bucket}/${prefix}${start}" does not end after ${keys.length} names: name a smaller folder, or look at the storage.`;
          throw new IsoskinError('STORAGE_LIST', message);
        }
      }
      return keys.filter((key) => !key.endsWith('/')).sort();
    },
  };
}

/** Counts while it reads: what the header says about the length is the sender's opinion. */
async function readBody(response: Response, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const tooMuch = () => new IsoskinError('STORAGE_FAILED', `it has more than ${most} bytes`);
  const said = Number(response.headers.get('content-length') ?? 0);
  if (said > most) throw tooMuch();
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    length += part.length;
    if (length > most) throw tooMuch();
    parts.push(part);
  }
  if (said > length) throw new Error('The body is shorter than its header says.');
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function createClient({ AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, ...rest }: NodeJS.ProcessEnv) {
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) {
    const message = 'S3 storage needs keys: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.';
    throw new IsoskinError('STORAGE_KEYS', message);
  }
  return new AwsClient({
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }),
    service: 's3',
    region: rest.AWS_REGION ?? rest.AWS_DEFAULT_REGION ?? 'us-east-1',
    retries: 4,
  });
}

/** RFC 3986, as the signature counts it. */
function encodeSegment(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function plain(xml: string): string {
  return xml.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (all, hex, decimal, name) =>
    hex || decimal ? String.fromCodePoint(Number.parseInt(hex ?? decimal, hex ? 16 : 10)) : (ENTITIES[name] ?? all),
  );
}
