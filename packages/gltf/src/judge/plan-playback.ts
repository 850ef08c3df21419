/** Plays a written file as a viewer would, and answers on the points of the character that it was made from. */
import { type Character, createPose, IsoskinError, samplePose } from '@isoskin/core';
import type { Sample } from '../bake/list-samples.js';
import { createSourceSkin, planSourceSkin, type SkinData, type SourceSkin } from '../bake/plan-source-skin.js';
import type { ReadResult } from '../read-character-from-bytes.js';

/** Data alone, for threads. */
export interface Playback {
  readonly character: Pick<Character, 'skeleton' | 'morphWeights' | 'clips'>;
  readonly skin: SkinData;
  /** Point of the character → point of the file. */
  readonly pointOf: Uint32Array;
}

/** @param nodes group → its node in the written file */
export function planPlayback(
  read: ReadResult,
  source: SourceSkin,
  played: ReadResult,
  nodes: readonly number[],
): Playback {
  const { character } = played;
  const own = planSourceSkin(played);
  const clips = read.character.clips.map(({ name, duration }, c) => {
    const clip = character.clips[c];
    if (!clip || clip.name !== name || Math.abs(clip.duration - duration) > 1e-6 * Math.max(1, duration)) {
      throw unplayable(`the clip "${name}" is not what it was`);
    }
    return clip;
  });
  const pointOf = new Uint32Array(source.pointCount);
  read.character.parts.forEach((part, p) => {
    const place = read.character.parts.slice(0, p).filter(({ group }) => group === part.group).length;
    const candidates = played.sources.flatMap(({ nodeIndex }, q) => (nodeIndex === nodes[part.group] ? [q] : []));
    const points = own.partPoints[candidates[place] ?? -1];
    if (points?.length !== part.vertexCount) throw unplayable(`"${part.name}" is not what it was`);
    source.partPoints[p]!.forEach((u, v) => {
      pointOf[u] = points[v]!;
    });
  });
  const { skeleton, morphWeights } = character;
  return { character: { skeleton, morphWeights, clips }, skin: own.data, pointOf };
}

/** World positions of the points at a sample, #U×3; overwritten by the next. */
export function createPlayer({ character, skin, pointOf }: Playback): (sample: Sample) => Float64Array {
  const own = createSourceSkin(skin);
  const pose = createPose(character);
  const positions = new Float64Array(3 * own.pointCount);
  const out = new Float64Array(3 * pointOf.length);
  return ({ clip, time }) => {
    samplePose(pose, character, character.clips[clip], time);
    own.apply(positions, undefined, pose);
    for (let u = 0; u < pointOf.length; u++) {
      const from = 3 * pointOf[u]!;
      out[3 * u] = positions[from]!;
      out[3 * u + 1] = positions[from + 1]!;
      out[3 * u + 2] = positions[from + 2]!;
    }
    return out;
  };
}

function unplayable(what: string): IsoskinError {
  const message = `The result was read back and ${what}; nothing is written: report this with the model`;
  return new IsoskinError('RESULT_WRONG', message);
}
