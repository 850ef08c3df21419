/** Plays a written file as a viewer would, and answers on the points of the character that it was made from. */
import { createPose, IsoskinError, samplePose } from '@isoskin/core';
import type { Sample } from '../bake/list-samples.js';
import { planSourceSkin, type SourceSkin } from '../bake/plan-source-skin.js';
import type { ReadResult } from '../read-character-from-bytes.js';

export interface Playback {
  /** World positions of the points, #U×3; overwritten by the next. */
  pose(sample: Sample): Float64Array;
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
  const pose = createPose(character);
  const positions = new Float64Array(3 * own.pointCount);
  const blends = new Float64Array(9 * own.pointCount);
  const out = new Float64Array(3 * source.pointCount);
  return {
    pose({ clip, time }) {
      samplePose(pose, character, clips[clip], time);
      own.apply(positions, blends, pose);
      for (let u = 0; u < pointOf.length; u++) {
        for (let r = 0; r < 3; r++) out[3 * u + r] = positions[3 * pointOf[u]! + r]!;
      }
      return out;
    },
  };
}

function unplayable(what: string): IsoskinError {
  const message = `The result was read back and ${what}; nothing is written: report this with the model`;
  return new IsoskinError('RESULT_WRONG', message);
}
