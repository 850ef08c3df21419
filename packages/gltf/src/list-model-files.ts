import { readContainer } from './read-container.js';
import { plainBytes, relativePath } from './resolve-resources.js';

/** Files beside the model that it refers to, each once; what is wrong with the rest of the JSON is told by reading it. */
export function listModelFiles(bytes: Uint8Array): string[] {
  const { json } = readContainer(plainBytes(bytes), []);
  const { buffers, images } = Object(json) as { buffers?: unknown; images?: unknown };
  const entries: unknown[] = [buffers, images].flatMap((list) => (Array.isArray(list) ? list : []));
  const uris = entries.map((entry) => (Object(entry) as { uri?: unknown }).uri);
  const files = uris.filter((uri): uri is string => typeof uri === 'string' && !/^data:/i.test(uri));
  return [...new Set(files.map((uri) => relativePath(uri, '')))];
}
