/** An S3 that breaks off, sends for ever or never ends its lists: a sentence, in bounded time and memory. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createS3Storage } from '../../src/storage/create-s3-storage.js';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function open(listener: RequestListener) {
  server = createServer(listener);
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const keys = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' };
  return createS3Storage('s3://models', { AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`, ...keys });
}

const page = (keys: readonly string[], isMore = true) =>
  `<ListBucketResult><IsTruncated>${isMore}</IsTruncated>${keys.map((key) => `<Key>${key}</Key>`).join('')}</ListBucketResult>`;

describe('a hostile store', () => {
  it('breaks in the middle of an object: asked again, then a sentence', async () => {
    let asked = 0;
    let isMended = false;
    const storage = await open((_, response) => {
      asked++;
      response.writeHead(200, { 'content-length': 100 });
      response.write('x'.repeat(isMended ? 100 : 50));
      if (isMended) response.end();
      else setTimeout(() => response.destroy(), 20);
    });
    await expect(storage.get('a')).rejects.toMatchObject({
      code: 'STORAGE_FAILED',
      message: expect.stringMatching(/"s3:\/\/models\/a" cannot be read.*connection broke/),
    });
    expect(asked).toBe(3);
    isMended = true;
    expect(await storage.get('a')).toHaveLength(100);
  });

  it('breaks once: nobody hears of it', async () => {
    let asked = 0;
    const storage = await open((_, response) => {
      response.writeHead(200, { 'content-length': 3 });
      response.write('ab');
      if (asked++ > 0) response.end('c');
      else setTimeout(() => response.destroy(), 20);
    });
    expect(new TextDecoder().decode(await storage.get('a'))).toBe('abc');
  });

  it('claims an object of any size: refused before it is read', async () => {
    const storage = await open((_, response) => {
      response.writeHead(200, { 'content-length': 2 ** 40 });
      response.write('x');
    });
    await expect(storage.get('a')).rejects.toThrow(/more than 4294967295 bytes/);
  });

  it('lists the same page for ever', async () => {
    const storage = await open((_, response) => response.end(page(['a', 'b'])));
    await expect(storage.list('')).rejects.toMatchObject({ code: 'STORAGE_LIST' });
  });

  it('lists new names for ever', async () => {
    let n = 0;
    const storage = await open((_, response) => {
      response.end(page(Array.from({ length: 50_000 }, () => `k${n++}`)));
    });
    await expect(storage.list('')).rejects.toThrow(/does not end after \d+ names/);
    expect(n).toBeLessThan(1_200_000);
  });

  it('sends a page without end', async () => {
    const storage = await open((_, response) => {
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(65536)));
      };
      response.on('drain', more);
      more();
    });
    await expect(storage.list('')).rejects.toThrow(/more than 16777216 bytes/);
  });
});
