/**
 * The wrinkles layer over whatever gives the frames: moving one of its sliders plans nothing but the wrinkles.
 */
import type { Character, Frame, StackSpec } from '@isoskin/core';
import {
  type PartPlan,
  planWrinkles,
  type RefinedSurface,
  type WrinkleState,
  type WrinklesOptions,
} from '@isoskin/core/wrinkles';
import type { FrameArrays, RefinedArrays } from './protocol.js';

export interface Folds {
  /** Milliseconds of the last `apply`. */
  readonly milliseconds: number;
  /** How long the skin under every tool that is on is, and wants to be, in the last frame. */
  listStates(): WrinkleState[];
  /** Folds a frame; undefined where nothing is compressed. */
  apply(frame: Frame): RefinedSurface | undefined;
  /** The last answer as arrays for the page, which has the triangles of `topology` already, moved on from the surface that was `folded` to the one `drawn`. */
  pack(
    refined: RefinedSurface,
    topology: number,
    drawn: Pick<FrameArrays, 'positions' | 'values'>,
    regions: ArrayLike<number>,
    folded: Float64Array,
  ): RefinedArrays;
}

/** A stack without its wrinkles, in words: what else is planned depends on this alone. */
export function describeBase({ wrinkles: _, ...base }: StackSpec): string {
  return JSON.stringify(base);
}

/** Numbers of triangle lists: one per plan and version, other ones in every engine, so that the page knows which it has. */
const VERSIONS = 1 << 20;
let plans = Date.now() % 2 ** 32;

export function createFolds(character: Character, options: WrinklesOptions): Folds {
  const wrinkles = planWrinkles(character, options);
  const { vertexCount } = character.surface;
  const own = ++plans * VERSIONS;
  let milliseconds = 0;
  return {
    get milliseconds() {
      return milliseconds;
    },
    listStates: () => wrinkles.tools.map(({ name, length, distance, lost }) => ({ name, length, distance, lost })),
    apply(frame) {
      const start = performance.now();
      const refined = wrinkles.apply(frame);
      milliseconds = performance.now() - start;
      return refined;
    },
    pack(refined, topology, drawn, regions, folded) {
      const { parents } = refined.plan;
      /** New vertices stand between two others that come before them. */
      const extend = (from: ArrayLike<number>, mix: (a: number, b: number) => number) => {
        const out = new Float32Array(refined.vertexCount);
        out.set(from);
        for (let k = vertexCount, i = 0; k < out.length; k++, i += 2)
          out[k] = mix(out[parents[i]!]!, out[parents[i + 1]!]!);
        return out;
      };
      const present = own + (refined.version % VERSIONS);
      return {
        topology: present,
        positions: shift(refined, drawn.positions, folded),
        normals: Float32Array.from(refined.normals),
        values: extend(drawn.values, (a, b) => (a + b) / 2),
        ...(present !== topology && {
          triangles: refined.triangles.slice(0, 3 * refined.triangleCount),
          regions: extend(regions, (a) => a),
          levels: refined.levels.slice(),
          used: refined.used.slice(),
        }),
        ...(Math.floor(topology / VERSIONS) !== own / VERSIONS && { plan: copyPlan(refined.plan) }),
      };
    },
  };
}

/** Refined positions, moved as the vertices under them were. */
function shift({ positions, plan, vertexCount }: RefinedSurface, drawn: Float32Array, folded: Float64Array) {
  const moved = new Float32Array(3 * vertexCount);
  for (let i = 0; i < moved.length; i++) {
    const k = 2 * (Math.trunc(i / 3) - folded.length / 3);
    const of = (n: number) => moved[3 * plan.parents[k + n]! + (i % 3)]!;
    moved[i] = i < folded.length ? drawn[i]! - folded[i]! : (of(0) + of(1)) / 2;
  }
  return moved.map((d, i) => positions[i]! + d);
}

/** What is sent is given away. */
function copyPlan({ baseCount, vertexCount, parents, levels, patches }: PartPlan): PartPlan {
  return structuredClone({ baseCount, vertexCount, parents, levels, patches });
}
