/**
 * Serves the studio page, and the one file it was given, to this machine only.
 *
 * The files of the page are listed once at the start and nothing else is ever opened, so a path cannot lead out of the folder.
 * A request must name this machine as its host: a page elsewhere whose name was made to point here is refused.
 */
import { readdir, readFile } from 'node:fs/promises';
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, posix, relative, sep } from 'node:path';
import { IsoskinError } from '@isoskin/core';

export interface OpenedFile {
  readonly name: string;
  read(): Promise<Uint8Array>;
}

export interface StudioServer {
  /** Where the page is, with the file that it should open. */
  readonly url: string;
  close(): Promise<void>;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json; charset=utf-8',
  '.wasm': 'application/wasm',
  '.glb': 'model/gltf-binary',
  '.vrm': 'model/gltf-binary',
};

/** WASM must be compiled; textures and recordings are blobs; threads start from blobs. Nothing comes from elsewhere. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval' blob:",
  "worker-src 'self' blob:",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "media-src 'self' blob:",
  "connect-src 'self' blob: data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The transcoder of KTX2 textures makes functions from texts; it runs in a worker of its own, which can do nothing else. */
const WORKER = /^\/assets\/ktx2\.worker-[\w-]+\.js$/;
const WORKER_POLICY = "default-src 'none'; script-src 'self' 'unsafe-eval' 'wasm-unsafe-eval'";

const HEADERS: OutgoingHttpHeaders = {
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-cache',
};

export async function serveStudio(folder: string, opened: OpenedFile | undefined, port: number): Promise<StudioServer> {
  const pages = new Map<string, () => Promise<Uint8Array>>();
  for (const file of await listFiles(folder)) {
    pages.set(posix.join('/', relative(folder, file).split(sep).join('/')), () => readFile(file));
  }
  const index = pages.get('/index.html');
  if (!index) {
    throw new IsoskinError(
      'STUDIO_MISSING',
      `The page is not built: run "npm run build" first. Looked for it in "${folder}".`,
    );
  }
  pages.set('/', index);
  const link = opened && `/opened/${encodeURIComponent(opened.name)}`;
  if (opened && link) pages.set(link, opened.read);

  const server = createServer((request, response) => {
    answer(request, response, pages, server).catch((error: Error) => {
      response.writeHead(500, { ...HEADERS, 'content-type': 'text/plain; charset=utf-8' }).end(error.message);
    });
  });
  await listen(server, port);
  const { port: actual } = server.address() as AddressInfo;
  const query = link ? `?open=${encodeURIComponent(link.slice(1))}` : '';
  return {
    url: `http://127.0.0.1:${actual}/${query}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Every plain file below a folder, links left out; none when there is no such folder. */
async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  pages: ReadonlyMap<string, () => Promise<Uint8Array>>,
  server: Server,
): Promise<void> {
  const { port } = server.address() as AddressInfo;
  const refuse = (status: number, text: string) =>
    void response.writeHead(status, { ...HEADERS, 'content-type': 'text/plain; charset=utf-8' }).end(text);
  if (!['127.0.0.1', 'localhost'].some((name) => request.headers.host === `${name}:${port}`)) {
    return refuse(403, 'This page answers only to this machine.');
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(405, 'This page can only be read.');
  const path = (request.url ?? '/').split('?', 1)[0]!;
  const read = pages.get(path);
  if (!read) return refuse(404, 'There is no such page.');
  const type = path === '/' ? TYPES['.html'] : TYPES[extname(path).toLowerCase()];
  const body = await read();
  response.writeHead(200, {
    ...HEADERS,
    ...(WORKER.test(path) && { 'content-security-policy': WORKER_POLICY }),
    'content-type': type ?? 'application/octet-stream',
    'content-length': body.length,
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const why =
        cause.code === 'EADDRINUSE' ? `Port ${port} is taken` : `Port ${port} cannot be used (${cause.message})`;
      reject(new IsoskinError('PORT', `${why}: choose another with --port, or 0 for any free one.`, '', { cause }));
    });
    server.listen(port, '127.0.0.1', resolve);
  });
}
