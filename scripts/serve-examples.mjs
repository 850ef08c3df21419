/**
 * Builds the example pages and serves them, cross-origin isolated so that WASM may use threads.
 *
 * npm run examples [-- port]
 */
import { createServer } from 'node:http';
import { buildExamples } from './build-examples.mjs';

const TYPES = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};
const port = Number(process.argv[2] ?? 8080);
const files = await buildExamples();

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  const path = pathname.endsWith('/') ? `${pathname}index.html` : pathname;
  // Without the slash the page's own links would lead elsewhere.
  if (files[`${path}/index.html`]) return response.writeHead(302, { location: `${path}/` }).end();
  response.writeHead(files[path] === undefined ? 404 : 200, {
    'content-type': TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-embedder-policy': 'require-corp',
  });
  response.end(files[path] ?? 'There is no such page.');
});
server.on('error', (error) => {
  const busy = error.code === 'EADDRINUSE';
  console.error(busy ? `Port ${port} is taken: npm run examples -- ${port + 1}` : error.message);
  process.exit(1);
});
server.listen(port, '127.0.0.1', () => console.log(`http://localhost:${port}/`));
