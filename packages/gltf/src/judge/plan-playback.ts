/** Plays a written file as a viewer would, and answers on the points of the character that it was made from. */

import type { Character } from '@isoskin/core';
import { createPose, IsoskinError, samplePose } from '@isoskin/core/frames';
import type { HarmPlan } from '@isoskin/core/quality';
import type { Sample } from '../bake/list-samples.js';
import { createSourceSkin, planSkinData, type SkinData, type SourceSkin } from '../bake/plan-source-skin.js';
import type { PlayedModel, ReadResult } from '../read-character-from-bytes.js';

/** Data alone, for threads. */
export interface Playback {
  readonly character: Pick<Character, 'skeleton' | 'morphWeights' | 'clips'>;
  /** In the order of the points of the character. */
  readonly skin: SkinData;
  /** Absent where folds or other volumes are asked for: then the skin looks different on purpose. */
  readonly harm?: HarmPlan | undefined;
}

/** @param nodes group → its node in the written file */
export function planPlayback(
  read: ReadResult,
  source: SourceSkin,
  played: PlayedModel,
  nodes: readonly number[],
): Playback {
  const { character } = played;
  const own = planSkinData(played);
  const clips = read.character.clips.map(({ name, duration }, c) => {
    const clip = character.clips[c];
    if (!clip || clip.name !== name || Math.abs(clip.duration - duration) > 1e-6 * Math.max(1, duration)) {
      throw unplayable(`the clip "${name}" is not what it was`);
    }
    return clip;
  });
  const pointOf = new Uint32Array(source.pointCount); // of the character → of the file
  read.character.parts.forEach((part, p) => {
    const place = read.character.parts.slice(0, p).filter(({ group }) => group === part.group).length;
    const candidates = played.sources.flatMap(({ nodeIndex }, q) => (nodeIndex === nodes[part.group] ? [q] : []));
    const points = own.points.partPoints[candidates[place] ?? -1];
    if (points?.length !== part.vertexCount) throw unplayable(`"${part.name}" is not what it was`);
    source.partPoints[p]!.forEach((u, v) => {
      pointOf[u] = points[v]!;
    });
  });
  const { skeleton, morphWeights } = character;
  return { character: { skeleton, morphWeights, clips }, skin: { ...own, order: pointOf } };
}

/** World positions of the points at a sample into `out`, #U×3. */
export function createPlayer({ character, skin }: Playback): (out: Float64Array, sample: Sample) => void {
  const own = createSourceSkin(skin);
  const pose = createPose(character);
  return (out, { clip, time }) => {
    samplePose(pose, character, character.clips[clip], time);
    own.apply(out, undefined, pose);
  };
}

function unplayable(what: string): IsoskinError {
  const message = `The result was read back and ${what}; nothing is written: report this with the model`;
  return new IsoskinError('RESULT_WRONG', message);
}
