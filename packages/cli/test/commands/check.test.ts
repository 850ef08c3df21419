/** `isoskin check`: which models lose more than they may, as exit code, table, JSON, SARIF and JUnit, and the GitHub Action. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runIsoskin, runJson, runRefused, writeDemo } from '../run-isoskin.js';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
let folder: string;

/** A prop without a skin: nothing in it deforms. */
const PROP = JSON.stringify({ asset: { version: '2.0' }, meshes: [{ primitives: [{ attributes: {} }] }] });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'isoskin-check-'));
  await writeDemo(join(folder, 'assets/tube.glb'), 'tube');
  await mkdir(join(folder, 'assets/props'));
  await writeFile(join(folder, 'assets/props/stone.gltf'), PROP);
  await writeFile(join(folder, 'assets/notes.txt'), 'no model');
  const kept = join(folder, 'kept/tube & "co" <1>.vrm');
  await mkdir(join(folder, 'kept'));
  expect(runIsoskin('bake', join(folder, 'assets/tube.glb'), '-o', kept).status).toBe(0);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const at = (path: string) => join(folder, path);

describe('isoskin check', () => {
  it('a model that loses more: exit code 3, told by clip and frame; props are skipped', () => {
    const { status, stdout, stderr } = runIsoskin('check', at('**/*'), '--max-loss', '5%');
    expect({ status, stderr }).toEqual({ status: 3, stderr: '' });
    expect(stdout).toMatch(/LOST +\S+assets\/tube\.glb +−10\.97 % +bend, \d\.\d\d s/);
    expect(stdout).toMatch(/skipped +\S+stone\.gltf/);
    expect(stdout).toMatch(/kept +\S+kept\/tube/);
    expect(stdout).toContain('1 of 3 models');
    expect(stdout).not.toContain('notes.txt');
  });

  it('the same model baked, or with a higher limit: exit code 0', () => {
    expect(runIsoskin('check', at('kept/*.vrm'), '--max-loss', '0.1%').status).toBe(0);
    const { passed, maxLoss, models } = runJson('check', at('assets/tube.glb'), '--max-loss', '0.12');
    expect({ passed, maxLoss }).toEqual({ passed: true, maxLoss: 0.12 });
    expect(models[0].clips[0].worst.change).toBeCloseTo(-0.1097, 3);
    expect(models[0].status).toBe('kept');
  });

  it('baked targets that look worse than plain skinning: exit code 3, with clip, time and place', async () => {
    // Three times the volume is asked for, so that the bake itself lets it pass.
    await writeFile(at('swell.json'), JSON.stringify({ volume: { target: { all: 3 }, options: { limit: 0 } } }));
    runIsoskin('bake', at('assets/tube.glb'), '-o', at('swollen.glb'), '--stack', at('swell.json'), '--force');
    const { status, stdout } = runIsoskin('check', at('swollen.glb'), '--max-loss', '99%', '--json');
    expect(status).toBe(3);
    const { faults } = JSON.parse(stdout).models[0].clips[0];
    const torn =
      /^The skin around “\w+” was torn at \d\.\d\d s of “bend” \([\d.]+ % of the edges\), more than 0\.50 %$/;
    expect(faults).toContainEqual({ rule: 'harm', message: expect.stringMatching(torn) });
    await rm(at('swollen.glb'));
  });

  it('regions are judged when asked for', () => {
    const { status, stdout } = runIsoskin(
      'check',
      at('assets/tube.glb'),
      '--max-loss',
      '12%',
      '--max-region-loss',
      '20%',
    );
    expect(status).toBe(3);
    expect(stdout).toMatch(/The region "\w+" changes by −2\d\.\d\d %/);
  });

  it('a model that cannot be read is told beside the others: exit code 1', async () => {
    await writeFile(at('broken.glb'), 'glTF?');
    const { status, stdout } = runIsoskin('check', at('broken.glb'), at('assets/tube.glb'), '--json');
    expect(status).toBe(1);
    const { passed, models } = JSON.parse(stdout);
    expect(passed).toBe(false);
    expect(models.map((model: { status: string }) => model.status).sort()).toEqual(['lost', 'refused']);
    await rm(at('broken.glb'));
  });

  it('SARIF and JUnit name the file, the rule and the clip, and quote what must be', () => {
    const [sarif, junit] = [at('out.sarif'), at('out.xml')];
    const args = ['--max-loss', '0.0001%', '--sarif', sarif, '--junit', junit];
    expect(runIsoskin('check', at('kept/*.vrm'), at('assets/**/*.gltf'), ...args).status).toBe(3);
    const { version, runs } = JSON.parse(readFileSync(sarif, 'utf8'));
    expect(version).toBe('2.1.0');
    const [result] = runs[0].results;
    expect(runs[0].results).toHaveLength(1);
    expect(runs[0].tool.driver.rules.map(({ id }: { id: string }) => id)).toContain(result.ruleId);
    expect(result.locations[0].physicalLocation.artifactLocation.uri).toMatch(
      /kept\/tube%20&%20%22co%22%20%3C1%3E\.vrm$/,
    );
    expect(result.message.text).toContain('"bend"');
    const xml = readFileSync(junit, 'utf8');
    expect(xml).toMatch(/tests="1" failures="1" errors="0" skipped="0"/);
    expect(xml).toMatch(/tests="1" failures="0" errors="0" skipped="1"/);
    expect(xml).toContain('tube &#38; &#34;co&#34; &#60;1&#62;.vrm');
    const piped = runIsoskin('check', at('kept/*.vrm'), '--sarif', '-');
    expect(JSON.parse(piped.stdout).runs[0].results).toEqual([]);
    expect(piped.stderr).toContain('0 of 1 models');
  });

  it('refuses what makes no sense', () => {
    expect(runRefused('check', at('none/*.glb'))).toContain('matches no .glb');
    expect(runRefused('check', at('assets/tube.glb'), '--max-loss', '5')).toContain('5%');
    expect(runRefused('check', at('assets/tube.glb'), '--max-loss', '-1%')).toContain('5%');
    expect(runRefused('check', at('assets/tube.glb'), '--fps', '0')).toContain('--fps');
    expect(runRefused('check', 's3://bucket/*.glb')).toContain('not on this machine');
    expect(runRefused('check', at('assets/tube.glb'), '--sarif', at('assets/tube.glb'))).toContain('inputs');
  });
});

describe('the GitHub Action', () => {
  const text = readFileSync(join(root, 'action.yml'), 'utf8');
  /** The last script of the action, as the runner gives it to bash. */
  const script = text.slice(text.lastIndexOf('run: |\n') + 7).replace(/^ {8}/gm, '');

  function runAction(inputs: Record<string, string>) {
    const summary = at('summary.md');
    const env = { ...process.env, GITHUB_ACTION_PATH: root, GITHUB_STEP_SUMMARY: summary, ...inputs };
    const given = { FILES: '**/*.glb', MAX_LOSS: '5%', MAX_REGION_LOSS: '', SARIF: '', JUNIT: '' };
    const options = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script];
    const { status, stdout } = spawnSync('bash', options, { cwd: folder, env: { ...given, ...env }, encoding: 'utf8' });
    return { status, stdout, summary: readFileSync(summary, 'utf8') };
  }

  it('fails with the code of the check, shows the table and writes the files', () => {
    const lost = runAction({ FILES: 'assets/**/*.glb\n\nkept/*.vrm\n', SARIF: 'action.sarif', JUNIT: 'action.xml' });
    expect(lost.status).toBe(3);
    expect(lost.summary).toContain('LOST');
    expect(lost.summary.match(/```/g)).toHaveLength(2);
    expect(JSON.parse(readFileSync(at('action.sarif'), 'utf8')).runs[0].results).toHaveLength(1);
    expect(existsSync(at('action.xml'))).toBe(true);
    expect(runAction({ FILES: 'kept/*.vrm' }).status).toBe(0);
  });

  it('every input is used, and none that is not declared', () => {
    const declared = [...text.slice(0, text.indexOf('runs:')).matchAll(/^ {2}([\w-]+):$/gm)].map((match) => match[1]);
    const used = [...text.matchAll(/\$\{\{ inputs\.([\w-]+) \}\}/g)].map((match) => match[1]);
    expect(used.sort()).toEqual(declared.sort());
  });
});
