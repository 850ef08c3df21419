/** Plays a bake with the independent player of ../shared/accept and reads its verdict. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';

const shared = new URL('../../../../../shared/', import.meta.url);
const judge = fileURLToPath(new URL('accept/bake-check.mjs', shared));
export const modelPath = (name: string) => fileURLToPath(new URL(`models/${name}`, shared));
export const hasJudge = existsSync(judge) && existsSync(modelPath('Fox.glb'));
export const judgeNote = hasJudge ? '' : ' (skipped: ../shared/models and ../shared/accept are not here)';

/** What f32 and a pose between two keys may add to the change of a volume. */
const SLACK = 5e-4;
/** Regions that a limit holds back may change the whole by this much where the losses of plain skinning cancel out. */
const LEAST = 3e-3;
const CLIP =
  /^(?<name>.*): skinned (?<skinned>[\d.]+) % \(part (?<skinnedPart>[\d.]+) %\), baked (?<baked>[\d.]+) % \(part (?<bakedPart>[\d.]+) %\)(?!.*not judged)/gm;

/**
 * Expects a file without faults in which neither the whole nor a part changes visibly more in any clip than under plain skinning. Returns the
 * largest change of the whole.
 */
export function judgeFile(input: string, output: string, fps: number): number {
  const words = [judge, input, output, '--fps', String(fps), '--limit', '1']; // volumes are compared below
  const { status, stdout } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  expect(stdout).toMatch(/^holds: /m);
  expect(status).toBe(0);
  let largest = 0;
  for (const { groups } of stdout.matchAll(CLIP)) {
    const share = (key: string) => Number(groups![key]) / 100;
    if (groups!.name === 'holds') continue;
    expect(share('baked'), stdout).toBeLessThanOrEqual(Math.max(share('skinned') + SLACK, LEAST));
    expect(share('bakedPart'), stdout).toBeLessThanOrEqual(Math.max(share('skinnedPart') + SLACK, LEAST));
    largest = Math.max(largest, share('baked'));
  }
  return largest;
}
