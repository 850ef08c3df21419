/**
 * The tests of @isoskin/three against other releases of three.js, each installed into a folder of its own that is removed again.
 *
 * node scripts/test-three-versions.mjs [release …]      default: the oldest that is supported, one in the middle, the newest
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const TESTS = ['volume-skinned-mesh', 'scene-director', 'native', 'toggle', 'real-models'];
const ROOT = fileURLToPath(new URL('..', import.meta.url));

const versions = process.argv.length > 2 ? process.argv.slice(2) : ['0.160.0', '0.174.0', 'latest'];
const results = versions.map((version) => {
  const folder = mkdtempSync(join(tmpdir(), 'other-three-'));
  try {
    const install = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--silent', `three@${version}`];
    execFileSync('npm', install, { stdio: 'inherit' });
    const files = TESTS.map((name) => `packages/three/test/${name}.test.ts`);
    const env = { ...process.env, ISOSKIN_THREE: join(folder, 'node_modules/three') };
    const { status } = spawnSync('npx', ['vitest', 'run', ...files], { cwd: ROOT, env, stdio: 'inherit' });
    return { version, isGood: status === 0 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
for (const { version, isGood } of results) console.log(`three ${version}: ${isGood ? 'good' : 'FAILED'}`);
process.exitCode = results.every(({ isGood }) => isGood) ? 0 : 1;
