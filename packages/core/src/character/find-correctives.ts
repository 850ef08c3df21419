/**
 * Morph targets that repair the skin instead of meaning another shape, recognised by what they do: a baked file that lost its names, or corrective
 * shapes of an artist. Their volume is not an aim, so that nothing is corrected twice.
 *
 *   Σ_n |V(x_n + morphs) − V̄|  <  CORRECTS · Σ_n |V(x_n) − V̄|          n  moments of the clips that animate weights;  x  skinned;  V̄  rest volume
 *
 * O(moments · #V), only for characters whose clips animate targets that no name explains.
 */
import type { Warning } from '../error.js';
import { createPose, samplePose } from '../skeleton/pose.js';
import { planSkinning } from '../skinning/plan-skinning.js';
import { measureVolume } from '../volume/measure-volume.js';
import { planClosedSurface } from '../volume/plan-closed-surface.js';
import type { Character } from './character.js';

/** Share of the loss that correctives leave, at most; and the loss, as a share of the volume, below which nothing is concluded. */
const CORRECTS = 0.5;
const LEAST_LOSS = 0.003;
const MOMENTS = 16;

/** The character with correctives marked that no name tells, and a warning. */
export function markCorrectives(character: Character): Character {
  const clips = character.clips.filter(({ channels }) => channels.some(({ path }) => path === 'weights'));
  if (clips.length === 0 || character.morphs.every(({ corrects }) => corrects)) return character;
  const found = findByVolume(character, clips);
  const count = found.reduce((sum, is) => sum + is, 0);
  if (count === 0) return character;
  const message = `${count} morph targets keep the volume in the clips, as those of a baked file do that lost its names: they count as corrections, not as another shape`;
  const warning: Warning = { code: 'MORPHS_CORRECT', message, place: '' };
  return {
    ...character,
    morphs: character.morphs.map((morph, m) => (found[m] === 1 ? { ...morph, corrects: 'bake' } : morph)),
    warnings: [...character.warnings, warning],
  };
}

function findByVolume(character: Character, clips: Character['clips']): Uint8Array {
  const { surface, morphs } = character;
  const closed = planClosedSurface(surface);
  const skinning = planSkinning(character);
  const pose = createPose(character);
  const out = {
    positions: new Float64Array(3 * (closed.vertexCount + closed.apexCount)),
    directions: new Float64Array(3 * surface.vertexCount),
  };
  out.positions.set(surface.positions);
  const rest = measureVolume(closed, out.positions);
  const isUsed = new Uint8Array(morphs.length);
  let [plain, morphed] = [0, 0];
  for (const clip of clips) {
    for (let n = 0; n < MOMENTS; n++) {
      samplePose(pose, character, clip, (clip.duration * (n + 0.5)) / MOMENTS);
      pose.morphWeights.forEach((weight, m) => void (isUsed[m] ||= Number(weight !== 0)));
      const measure = () => {
        skinning.apply(out, pose);
        return Math.abs(measureVolume(closed, out.positions) / rest - 1);
      };
      morphed += measure();
      pose.morphWeights.fill(0);
      plain += measure();
    }
  }
  const isLoss = plain > LEAST_LOSS * MOMENTS * clips.length;
  const corrects = isLoss && morphed < CORRECTS * plain;
  return isUsed.map((is, m) => Number(is === 1 && corrects && !morphs[m]!.corrects));
}
