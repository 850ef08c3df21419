/**
 * A registry of one's own on this machine (verdaccio): our packages live in it, all others come through it from the registry
 * that npm is set to. Everything is in one temporary folder and gone with `close()`.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './list-packages.mjs';

const PATIENCE_MS = 60_000;

/** @param upstream address of the registry that has everybody else's packages */
export async function startRegistry(upstream) {
  const folder = mkdtempSync(join(tmpdir(), 'isoskin-registry-'));
  const port = await findPort();
  const url = `http://127.0.0.1:${port}/`;
  const own = { access: '$all', publish: '$all', unpublish: '$all' };
  const config = {
    storage: join(folder, 'storage'),
    web: { enable: false },
    auth: { htpasswd: { file: join(folder, 'users') } },
    uplinks: { upstream: { url: upstream, timeout: '60s', maxage: '60m' } },
    packages: { '@isoskin/*': own, isoskin: own, '**': { access: '$all', proxy: 'upstream' } },
    max_body_size: '50mb',
    log: { type: 'stderr', level: 'error' },
  };
  writeFileSync(join(folder, 'config.yaml'), JSON.stringify(config)); // JSON is YAML
  const bin = join(ROOT, 'node_modules/verdaccio/bin/verdaccio');
  const args = [bin, '--config', join(folder, 'config.yaml'), '--listen', `127.0.0.1:${port}`];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const close = async () => {
    child.kill();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  const start = Date.now();
  while (!(await answers(url))) {
    if (child.exitCode !== null || Date.now() - start > PATIENCE_MS) {
      await close();
      throw new Error('The local registry did not start.');
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  // npm publishes only with some token; this registry asks nobody who they are.
  const npmrc = join(folder, 'npmrc');
  writeFileSync(npmrc, `registry=${url}\n//127.0.0.1:${port}/:_authToken=nobody\naudit=false\nfund=false\nyes=true\n`);
  const env = { ...process.env, npm_config_userconfig: npmrc, npm_config_registry: url };
  return { url, env, close };
}

async function answers(url) {
  try {
    return (await fetch(`${url}-/ping`)).ok;
  } catch {
    return false;
  }
}

function findPort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
