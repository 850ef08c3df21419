/** What the written bytes show at samples, on any thread: volumes, and the distance to the exact surface. */
import { createPose, samplePose, type VolumeMeter } from '@isoskin/core';
import { listUsedLayers } from '@isoskin/core/stack';
import type { BakeStack } from '../bake/create-frame-baker.js';
import type { Sample } from '../bake/list-samples.js';
import { planShapeRow } from '../bake/plan-rows.js';
import { gatherVertices, type SourceSkin } from '../bake/plan-source-skin.js';
import { createPlayer, type Playback } from './plan-playback.js';

export interface PlayedTask {
  readonly samples: readonly Sample[];
  /** The exact corrections: amounts of the shapes or, where those do not say it all, #U×3 each. */
  readonly amounts?: Float64Array;
  readonly rows?: Float32Array;
  /** Samples whose surface is asked for. */
  readonly kept: readonly number[];
}

/** Numbers of the samples, one after the other. */
export interface PlayedBlock {
  /** Largest distance to the exact correction, world units. */
  readonly errors: Float64Array;
  /** What the rounding of f32 may do to the volume: it grows with the distance from the origin. */
  readonly rounding: Float64Array;
  /** Volumes of the components and of the regions. */
  readonly volumes: Float64Array;
  readonly regions: Float64Array;
  /** Those of the regions under plain skinning, where the stack has another skin. */
  readonly plain: Float64Array | undefined;
  /** Welded positions of the samples that were asked for, #V×3. */
  readonly kept: readonly Float64Array[];
}

export interface PlayedContext {
  readonly stack: BakeStack;
  readonly source: SourceSkin;
  readonly meter: VolumeMeter;
  /** Corrections are in world units (a cache), else in units of POSITION. */
  readonly world: boolean;
}

const F32_EPSILON = 2 ** -23;

export function createPlayedMeter(
  { stack, source, meter, world }: PlayedContext,
  playback: Playback,
): (task: PlayedTask) => PlayedBlock {
  const { character } = stack;
  const [components, regions] = [character.surface.components.length, meter.regions.count];
  const play = createPlayer(playback);
  const shapeRow = planShapeRow(stack, source);
  const pose = createPose(character);
  const exact = new Float64Array(3 * source.pointCount);
  const positions = new Float64Array(3 * character.surface.vertexCount);
  const found = new Float64Array(3);
  const measure = (points: Float64Array): void => {
    gatherVertices(positions, points, source);
    meter.measure(positions);
  };
  // Frames start from the skin of the stack, players know one.
  const isPlain = (listUsedLayers(stack.spec).skin.skinning ?? 'linear') === 'linear';
  return ({ samples, amounts, rows, kept }) => {
    const count = samples.length;
    const out = {
      errors: new Float64Array(count),
      rounding: new Float64Array(count),
      volumes: new Float64Array(count * components),
      regions: new Float64Array(count * regions),
      plain: isPlain ? undefined : new Float64Array(count * regions),
      kept: [] as Float64Array[],
    };
    for (const [n, sample] of samples.entries()) {
      if (sample.clip < 0) continue;
      samplePose(pose, character, character.clips[sample.clip], sample.time);
      if (out.plain) {
        source.apply(exact, undefined, pose);
        measure(exact);
        out.plain.set(meter.regionVolumes, n * regions);
      }
      const width = exact.length;
      const row = amounts
        ? shapeRow(amounts, (n * amounts.length) / count)
        : rows!.subarray(n * width, (n + 1) * width);
      source.apply(exact, undefined, pose, world ? undefined : row);
      const points = play(sample);
      comparePoints(found, points, exact, world ? row : undefined);
      const [distance, low, high] = found as unknown as [number, number, number];
      out.errors[n] = distance;
      out.rounding[n] = 4 * F32_EPSILON * Math.max(Math.abs(low), Math.abs(high)) * (high - low) ** 2;
      measure(points);
      out.volumes.set(meter.componentVolumes, n * components);
      out.regions.set(meter.regionVolumes, n * regions);
      if (kept.includes(n)) out.kept.push(positions.slice());
    }
    return out;
  };
}

/** Largest distance between played points and exact ones, which `moved` is added to, and the least and the largest coordinate: numbers of a long loop are boxed. */
function comparePoints(
  out: Float64Array,
  points: Float64Array,
  exact: Float64Array,
  moved: Float32Array | undefined,
): void {
  out.set([0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]);
  for (let i = 0; i < points.length; i += 3) {
    let square = 0;
    for (let r = i; r < i + 3; r++) {
      const x = points[r]!;
      square += (x - exact[r]! - (moved ? moved[r]! : 0)) ** 2;
      if (!(x >= out[1]!)) out[1] = x;
      if (!(x <= out[2]!)) out[2] = x;
    }
    if (!(square <= out[0]!)) out[0] = square;
  }
  out[0] = Math.sqrt(out[0]!);
}
