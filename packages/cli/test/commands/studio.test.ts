import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type StudioServer, serveStudio } from '../../src/serve-studio.js';
import { runRefused, writeDemo } from '../run-isoskin.js';

let folder: string;
let server: StudioServer | undefined;
let child: ChildProcess | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'isoskin-studio-'));
  await mkdir(join(folder, 'page/assets'), { recursive: true });
  await writeFile(join(folder, 'page/index.html'), '<!doctype html><title>studio</title>');
  await writeFile(join(folder, 'page/assets/a.js'), 'export {}');
  await writeFile(join(folder, 'page/assets/ktx2.worker-a.js'), 'export {}');
  await writeFile(join(folder, 'secret.txt'), 'secret');
  await symlink(join(folder, 'secret.txt'), join(folder, 'page/link.txt'));
});

afterEach(async () => {
  await server?.close();
  server = undefined;
  child?.kill();
  child = undefined;
  await rm(folder, { recursive: true, force: true });
});

it('serves the page with strict headers', async () => {
  server = await serveStudio(join(folder, 'page'), undefined, 0);
  const page = await fetch(server.url);
  expect(await page.text()).toContain('<title>studio</title>');
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/unsafe-inline|'unsafe-eval'|https?:|\*/);
  expect(page.headers.get('cross-origin-opener-policy')).toBe('same-origin');
  expect(page.headers.get('cross-origin-embedder-policy')).toBe('require-corp');
  expect(page.headers.get('x-content-type-options')).toBe('nosniff');
  const script = await fetch(new URL('assets/a.js', server.url));
  expect(script.headers.get('content-type')).toContain('text/javascript');
  expect(script.headers.get('content-security-policy')).toBe(policy);
  // One worker may make functions from texts, and nothing else.
  const worker = await fetch(new URL('assets/ktx2.worker-a.js', server.url));
  expect(worker.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self'[^;]*$/);
});

it('serves the given file under its own name, and nothing else', async () => {
  const bytes = new Uint8Array([1, 2, 3]);
  server = await serveStudio(join(folder, 'page'), { name: 'my “cat” & co.glb', read: async () => bytes }, 0);
  const link = new URL(server.url).searchParams.get('open') ?? '';
  const file = await fetch(new URL(link, server.url));
  expect(new Uint8Array(await file.arrayBuffer())).toEqual(bytes);
  const { port } = new URL(server.url);
  // fetch would tidy these paths up before sending them.
  const paths = [
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/assets/../../secret.txt',
    '//etc/passwd',
    '/link.txt',
    '/x\0',
  ];
  for (const path of paths) {
    const answer = await sendRaw(
      Number(port),
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`,
    );
    expect(answer, path).toMatch(/^HTTP\/1\.1 40[04]/);
    expect(answer).not.toMatch(/secret$|root:/);
  }
});

it('answers only to this machine, and only to readers', async () => {
  server = await serveStudio(join(folder, 'page'), undefined, 0);
  const { port } = new URL(server.url);
  expect(await statusOf(Number(port), { host: 'evil.example' })).toBe(403);
  expect(await statusOf(Number(port), { host: `localhost:${port}` })).toBe(200);
  expect((await fetch(server.url, { method: 'POST' })).status).toBe(405);
});

it('says what to do when the page is not built or the port is taken', async () => {
  await expect(serveStudio(join(folder, 'nothing'), undefined, 0)).rejects.toThrow(/npm run build/);
  server = await serveStudio(join(folder, 'page'), undefined, 0);
  const port = Number(new URL(server.url).port);
  await expect(serveStudio(join(folder, 'page'), undefined, port)).rejects.toThrow(/taken.*--port/);
});

it('runs as a command, prints where it is and ends on Ctrl-C', async () => {
  const file = join(folder, 'tube.glb');
  await writeDemo(file, 'tube');
  const bin = fileURLToPath(new URL('../../bin/isoskin.js', import.meta.url));
  child = spawn(process.execPath, [bin, 'studio', file, '--port', '0']);
  const said = await new Promise<string>((resolve) => child!.stdout!.once('data', (data) => resolve(String(data))));
  const url = /http:\S+/.exec(said)?.[0] ?? '';
  expect(new URL(url).hostname).toBe('127.0.0.1');
  const model = await fetch(new URL(new URL(url).searchParams.get('open')!, url));
  expect(new TextDecoder().decode((await model.arrayBuffer()).slice(0, 4))).toBe('glTF');
  const ended = new Promise<number | null>((resolve) => child!.once('exit', resolve));
  child.kill('SIGINT');
  expect(await ended).toBe(0);
});

it('refuses a bad file and a bad port', () => {
  expect(runRefused('studio', join(folder, 'secret.txt'))).toMatch(/glTF|glb/i);
  expect(runRefused('studio', '--port', '70000')).toContain('65535');
});

function statusOf(port: number, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request({ port, headers }, (answer) => resolve(answer.resume().statusCode))
      .on('error', reject)
      .end();
  });
}

function sendRaw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.on('data', (data) => {
      answer += data;
    });
    socket.on('end', () => resolve(answer)).on('error', reject);
  });
}
