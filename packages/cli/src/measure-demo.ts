import {
  type Character,
  type Clip,
  createFrameSource,
  createPose,
  type FrameSource,
  frameTimes,
  planBody,
  planClipMeter,
  samplePose,
} from '@isoskin/core';
import { createDemo } from '@isoskin/demos';
import type { CharacterName } from './published-figures.js';

/** A row of the article's tables: errors in per cent, before and after correction. */
export interface DemoMeasure {
  readonly name: string;
  readonly vertices: number;
  readonly regions: number;
  readonly total: BeforeAfter;
  /** Worst single region. */
  readonly region: BeforeAfter;
  /** Of the whole stack with normals, without and with the volume layer. */
  readonly framesPerSecond: BeforeAfter;
  /** Time of a frame with correction over one without. */
  readonly costRatio: number;
}

export interface BeforeAfter {
  readonly before: number;
  readonly after: number;
}

const FPS = 30;
/** Passes over the clip for the timing; the fastest counts, as the others were disturbed. */
const PASSES = 3;

/** The project's own character of that name under the default preset. */
export function measureDemo(name: CharacterName): DemoMeasure {
  const character = createDemo(name);
  const body = planBody(character);
  const stack = createFrameSource(body);
  const meter = planClipMeter(stack);
  const clips = character.clips.map((clip) => meter.measure(clip, { fps: FPS }));
  const worst = (changes: readonly (number | undefined)[]) => 100 * Math.max(...changes.map((c) => Math.abs(c ?? 0)));
  const regions = clips.flatMap((clip) => clip.regions);
  const before = timeFrames(character, createFrameSource(body, { skin: {} }));
  const after = timeFrames(character, stack);
  return {
    name,
    vertices: character.surface.vertexCount,
    regions: meter.meter.regions.count,
    total: {
      before: worst(clips.map((clip) => clip.worst.skinned)),
      after: worst(clips.map((clip) => clip.worst.corrected)),
    },
    region: {
      before: worst(regions.map((region) => region.worst.skinned)),
      after: worst(regions.map((region) => region.worst.corrected)),
    },
    framesPerSecond: { before: 1000 / before, after: 1000 / after },
    costRatio: after / before,
  };
}

/** Milliseconds per frame. */
function timeFrames(character: Character, stack: FrameSource): number {
  const poses = character.clips.flatMap((clip) => samplePoses(character, clip));
  let best = Number.POSITIVE_INFINITY;
  for (let pass = 0; pass < PASSES; pass++) {
    stack.reset();
    const start = performance.now();
    for (const pose of poses) stack.evaluate(pose);
    best = Math.min(best, (performance.now() - start) / poses.length);
  }
  return best;
}

function samplePoses(character: Character, clip: Clip) {
  return [...frameTimes(clip, FPS)].map((time) => {
    const pose = createPose(character);
    samplePose(pose, character, clip, time);
    return pose;
  });
}
