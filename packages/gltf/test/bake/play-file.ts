/** Plays a file with the reader and plain skinning only: what a viewer shows, without any code of the bake. */
import { type Character, createFrameSource, createPose, frameTimes, planBody, samplePose } from '@isoskin/core';
import { measureVolumes, planClosedSurface } from '@isoskin/core/mesh';
import { type ReadResult, readCharacterFromBytes } from '@isoskin/gltf';

export interface Played {
  readonly read: ReadResult;
  readonly character: Character;
  /** Welded positions of a clip at a time; overwritten by the next call. */
  pose(clip: number, time: number): Float64Array;
  /** Volume of every component there. */
  volumes(clip: number, time: number): Float64Array;
  /** Largest relative change of the whole volume against `rest` in a clip. */
  worst(clip: number, rest: number, fps?: number): number;
}

export async function playFile(bytes: Uint8Array): Promise<Played> {
  const read = await readCharacterFromBytes(bytes);
  const { character } = read;
  const stack = createFrameSource(planBody(character), { skin: {} });
  const now = createPose(character);
  const closed = planClosedSurface(character.surface);
  const extended = new Float64Array(3 * (closed.vertexCount + closed.apexCount));
  const pose = (clip: number, time: number) => {
    samplePose(now, character, character.clips[clip], time);
    return stack.evaluate(now, time, 0).positions;
  };
  const volumes = (clip: number, time: number) => {
    extended.set(pose(clip, time));
    const out = new Float64Array(character.surface.components.length);
    measureVolumes(out, closed, extended);
    return out;
  };
  return {
    read,
    character,
    pose,
    volumes,
    worst: (clip, rest, fps = 30) =>
      Math.max(
        ...[...frameTimes(character.clips[clip]!, fps)].map((time) =>
          Math.abs(volumes(clip, time).reduce((sum, v) => sum + v, 0) / rest - 1),
        ),
      ),
  };
}
