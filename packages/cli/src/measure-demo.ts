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
import { type Flesh, planFlesh } from '@isoskin/core/quality';
import type { VolumeLayerOptions } from '@isoskin/core/stack';
import { createDemo } from '@isoskin/demos';
import type { CharacterName } from './published-figures.js';

/** A row of the article's tables, on a character of ours: errors in per cent. */
export interface DemoMeasure {
  readonly name: string;
  readonly vertices: number;
  /** Flesh that is not where it was under linear skinning (Q9), mean of the frames. */
  readonly misplaced: number;
  /** The article's own method (C10), and the preset natural (C15, C16). */
  readonly article: MethodMeasure;
  readonly isoskin: MethodMeasure;
  /** Of the whole stack with normals, without and with the volume layer. */
  readonly framesPerSecond: BeforeAfter;
  /** Time of a frame with correction over one without. */
  readonly costRatio: number;
}

export interface MethodMeasure {
  readonly regions: number;
  readonly total: BeforeAfter;
  /** Worst region of those that the method itself keeps. */
  readonly region: BeforeAfter;
  /** Judged by cuts that neither method knows. */
  readonly misplaced: number;
}

export interface BeforeAfter {
  readonly before: number;
  readonly after: number;
}

const FPS = 30;
/** Frames per second at which misplaced flesh is looked for. */
const COARSE_FPS = 6;
/** Passes over the clip for the timing; the fastest counts, as the others were disturbed. */
const PASSES = 3;

/** Linearised, region by region of the strongest bone, changes of volume estimated by prisms, a map that ends at the borders (§ 5.2, 5.3, eq. 7, 8). */
const ARTICLE: VolumeLayerOptions = {
  method: 'regions-linear',
  regions: { by: 'bone' },
  map: { kind: 'organic', a: 2, b: 2, local: true },
  options: { estimator: 'prism' },
};

/** The project's own character of that name under the article's method and under the default preset. */
export function measureDemo(name: CharacterName): DemoMeasure {
  const character = createDemo(name);
  const body = planBody(character);
  const skin = createFrameSource(body, { skin: {} });
  const stack = createFrameSource(body);
  const flesh = planFlesh(character);
  const before = timeFrames(character, skin);
  const after = timeFrames(character, stack);
  return {
    name,
    vertices: character.surface.vertexCount,
    misplaced: measureMisplaced(character, skin, flesh),
    article: measureMethod(character, createFrameSource(body, { volume: ARTICLE }), flesh),
    isoskin: measureMethod(character, stack, flesh),
    framesPerSecond: { before: 1000 / before, after: 1000 / after },
    costRatio: after / before,
  };
}

function measureMethod(character: Character, stack: FrameSource, flesh: Flesh): MethodMeasure {
  const meter = planClipMeter(stack);
  const clips = character.clips.map((clip) => meter.measure(clip, { fps: FPS }));
  const worst = (
    changes: readonly { readonly worst: { readonly skinned: number; readonly corrected?: number } }[],
  ) => ({
    before: 100 * Math.max(...changes.map((own) => Math.abs(own.worst.skinned))),
    after: 100 * Math.max(...changes.map((own) => Math.abs(own.worst.corrected ?? 0))),
  });
  return {
    regions: meter.meter.regions.count,
    total: worst(clips),
    region: worst(clips.flatMap((clip) => clip.regions)),
    misplaced: measureMisplaced(character, stack, flesh),
  };
}

function measureMisplaced(character: Character, stack: FrameSource, flesh: Flesh): number {
  const poses = character.clips.flatMap((clip) => samplePoses(character, clip, COARSE_FPS));
  const sum = poses.reduce((all, pose) => all + flesh.measure(stack.evaluate(pose).positions, 1).misplaced, 0);
  return (100 * sum) / poses.length;
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

function samplePoses(character: Character, clip: Clip, fps = FPS) {
  return [...frameTimes(clip, fps)].map((time) => {
    const pose = createPose(character);
    samplePose(pose, character, clip, time);
    return pose;
  });
}
