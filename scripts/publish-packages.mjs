/**
 * Publishes every package that the registry does not have in this version yet, those that others need first, so that a release that
 * broke off can be started again. The release workflow runs it with the rights of a trusted publisher (no token anywhere);
 * `release-dry-run.mjs` runs the same against a registry on this machine.
 *
 * node scripts/publish-packages.mjs [options of npm publish]
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { listPackages } from './list-packages.mjs';

export function publishPackages(options = [], env = process.env) {
  for (const { folder, manifest } of listPackages()) {
    const id = `${manifest.name}@${manifest.version}`;
    const args = ['publish', '--ignore-scripts', ...options];
    const { status, stderr } = spawnSync('npm', args, { cwd: folder, env, encoding: 'utf8' });
    const isThere = /EPUBLISHCONFLICT|previously published/.test(stderr);
    if (status !== 0 && !isThere) throw new Error(`${id} could not be published:\n${stderr}`);
    console.log(isThere ? `${id} is there already` : `${id} published`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) publishPackages(process.argv.slice(2));
