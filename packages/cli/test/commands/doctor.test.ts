import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterAll, describe, expect, it } from 'vitest';
import { formatFindings } from '../../src/commands/doctor.js';
import { examineMachine, type Finding } from '../../src/examine-machine.js';
import { runIsoskin } from '../run-isoskin.js';

/** A port that nobody listens on. */
const NOWHERE = 'redis://127.0.0.1:1';
const empty = mkdtempSync(`${tmpdir()}/isoskin-doctor-`);
afterAll(() => rmSync(empty, { recursive: true }));

describe('isoskin doctor', () => {
  it('names what is there and what is missing, and fails only for what is broken', () => {
    const { status, stdout, stderr } = runIsoskin('doctor', '--redis', NOWHERE, '--json');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const findings = JSON.parse(stdout) as Finding[];
    expect(findings.map(({ name }) => name)).toEqual([
      'Node',
      'isoskin',
      'processors',
      'WASM',
      'WebGPU',
      'Redis',
      'studio',
    ]);
    const byName = Object.fromEntries(findings.map((finding) => [finding.name, finding]));
    expect(byName.Node).toMatchObject({ state: 'found', found: process.versions.node, cost: '' });
    expect(byName.WASM).toMatchObject({ state: 'found', found: expect.stringMatching(/SIMD, \d+ thread/) });
    expect(byName.Redis).toMatchObject({
      state: 'missing',
      cost: expect.stringMatching(/^only “isoskin cluster” needs/),
    });
    for (const { state, cost } of findings) expect(cost === '').toBe(state === 'found');
  });

  it('finds no WebGPU in a folder without the package, and says where it is needed', async () => {
    const findings = await examineMachine({ redis: NOWHERE, folder: empty });
    const gpu = findings.find(({ name }) => name === 'WebGPU')!;
    expect(gpu).toMatchObject({ state: 'missing', cost: expect.stringContaining('npm install webgpu') });
  });

  it('writes one line per finding, its cost below, and a last line that sums up', () => {
    const found: Finding = { name: 'Node', state: 'found', found: '20.19.0', cost: '' };
    const missing: Finding = { name: 'Redis', state: 'missing', found: 'does not answer', cost: 'no cluster' };
    const broken: Finding = { name: 'studio', state: 'broken', found: 'not built', cost: 'npm run build' };
    expect(formatFindings([found])).toBe('✓ Node  20.19.0\n\nEverything is there.');
    const text = formatFindings([found, missing, broken]);
    expect(text).toContain('– Redis   does not answer\n          no cluster\n');
    expect(text).toMatch(/\n1 broken: see ✗ above\.$/);
  });
});
