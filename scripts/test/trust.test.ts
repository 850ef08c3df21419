/** What the repository promises to those who install isoskin. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { isPermissive, listLicences } from '../check-licences.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

describe('trust', () => {
  it('every action of the workflows is pinned to a commit, with its version beside it', () => {
    const folder = '.github/workflows';
    const uses = readdirSync(join(root, folder)).flatMap((name) => read(`${folder}/${name}`).match(/uses: .*/g) ?? []);
    expect(uses.length).toBeGreaterThan(5);
    for (const line of uses) expect(line).toMatch(/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it('the release publishes without a token, with provenance and an SBOM', () => {
    const release = read('.github/workflows/release.yml');
    expect(release).toContain('id-token: write');
    expect(release).not.toMatch(/NPM_TOKEN|NODE_AUTH_TOKEN/);
    expect(release).toMatch(/npm sbom --omit=dev/);
  });

  it('knows a permissive licence from another', () => {
    for (const license of ['MIT', 'Apache-2.0', '(MIT OR GPL-3.0)', 'MIT AND Zlib'])
      expect(isPermissive(license)).toBe(true);
    for (const license of ['GPL-3.0', 'LGPL-2.1-only', 'MIT AND GPL-2.0', 'AGPL-3.0', 'unknown', 'SSPL-1.0'])
      expect(isPermissive(license)).toBe(false);
  });

  it('follows dependencies of dependencies', () => {
    const rows = listLicences();
    const [redis] = rows.filter(({ name }) => name === 'ioredis');
    expect([...redis!.by].sort()).toEqual(['@isoskin/cluster', 'isoskin']);
    expect(
      rows.some(({ name }) => name === 'property-graph'),
      'comes with @gltf-transform/core',
    ).toBe(true);
  });

  it('has one version for all packages and the citation', () => {
    const folders = ['packages', 'apps'].flatMap((parent) =>
      readdirSync(join(root, parent)).map((name) => `${parent}/${name}`),
    );
    const versions = folders.map((folder) => JSON.parse(read(`${folder}/package.json`)).version as string);
    const [, cited] = /^version: (.+)$/m.exec(read('CITATION.cff'))!;
    expect(new Set([...versions, cited]).size).toBe(1);
  });

  it('the film of the README is small', () => {
    expect(statSync(join(root, 'docs/images/film.gif')).size).toBeLessThan(1_500_000);
  });

  it('the table of supported versions is what the workflows run', () => {
    const ci = read('.github/workflows/ci.yml');
    const table = read('docs/compatibility.md');
    const nodes = /node: \[(.+)\]/.exec(ci)![1]!.split(', ');
    expect(table).toContain(`${nodes.slice(0, -1).join(', ')} and ${nodes.at(-1)} in the workflow's matrix`);
    for (const version of nodes) expect(Number(version)).toBeGreaterThanOrEqual(20);
    const [oldest] = /'(0\.\d+)\.0', '0/.exec(read('scripts/test-three-versions.mjs'))!.slice(1);
    expect(ci).toContain('node scripts/test-three-versions.mjs');
    expect(JSON.parse(read('packages/three/package.json')).peerDependencies.three).toBe(`>=${oldest}`);
    expect(table).toContain(`| three.js | ${oldest} and later`);
  });
});
