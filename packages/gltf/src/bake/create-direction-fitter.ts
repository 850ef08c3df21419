/** The directions of a group, fitted on all threads, and put together. */
import { type BakeThreads, runTasks } from '../threads/bake-threads.js';
import type { BakeStack } from './create-frame-baker.js';
import {
  type DirectionFrames,
  type FitBlock,
  type FitEffort,
  fitDirections,
  openFitRoom,
  type RestFrame,
} from './fit-directions.js';
import { type NearWork, type PartDirections, planNearShapes } from './plan-direction-fit.js';
import type { SourceSkin } from './plan-source-skin.js';

/** What fits of a group share: data alone. */
export interface DirectionWork extends NearWork {
  readonly directions: readonly PartDirections[];
  readonly rest: RestFrame;
  readonly frames: DirectionFrames;
}

export interface DirectionTask {
  /** Which of the directions, and the vertices of it. */
  readonly direction: number;
  readonly vertices: Uint32Array;
  /** Turns of joints that may be used: amount and node. */
  readonly turns: readonly (readonly [amount: number, node: number])[];
  readonly effort: FitEffort;
}

export interface DirectionFit {
  /** Vertex → shapes that turn it, and their deltas, #×3. */
  readonly shapes: Uint32Array[];
  readonly deltas: Float64Array[];
  readonly off: Uint32Array;
  readonly wants: Uint8Array;
}

/** Fits vertices of a direction: all, or those that are asked for of a fit that is there. */
export type FitDirection = (
  direction: number,
  turns: DirectionTask['turns'],
  effort: FitEffort,
  again?: { readonly fit: DirectionFit; isAgain(vertex: number): boolean },
) => Promise<DirectionFit>;

/** Vertices of a task. */
const CHUNK = 256;

export function createDirectionFitter(
  context: { readonly stack: BakeStack; readonly source: SourceSkin },
  work: DirectionWork,
): (task: DirectionTask) => FitBlock {
  const { directions, rest, frames } = work;
  const room = openFitRoom(frames, rest, context.source);
  return ({ direction, vertices, turns, effort }) => {
    const near = planNearShapes(context, work, turns);
    return fitDirections(directions[direction]!, room, near, effort, vertices);
  };
}

export function planFits(
  job: { readonly stack: BakeStack; readonly source: SourceSkin; readonly threads: BakeThreads | undefined },
  work: DirectionWork,
): FitDirection {
  const here = createDirectionFitter(job, work);
  job.threads?.share('directions', work);
  return async (direction, turns, effort, again) => {
    const count = work.directions[direction]!.points.length;
    const all = Uint32Array.from({ length: count }, (_, v) => v).filter((v) => !again || again.isAgain(v));
    const parts = Array.from({ length: Math.ceil(all.length / CHUNK) }, (_, i) =>
      all.slice(CHUNK * i, CHUNK * (i + 1)),
    );
    const tasks = parts.map((vertices): DirectionTask => ({ direction, vertices, turns, effort }));
    const blocks = await runTasks(job.threads, 'directions', tasks, here);
    const fit: DirectionFit = {
      shapes: again?.fit.shapes.slice() ?? new Array(count),
      deltas: again?.fit.deltas.slice() ?? new Array(count),
      off: again?.fit.off.slice() ?? new Uint32Array(count),
      wants: again?.fit.wants.slice() ?? new Uint8Array(count),
    };
    for (const [t, { counts, shapes, deltas, off, wants }] of blocks.entries()) {
      let from = 0;
      for (const [i, v] of parts[t]!.entries()) {
        const to = from + counts[i]!;
        fit.shapes[v] = shapes.subarray(from, to);
        fit.deltas[v] = deltas.subarray(3 * from, 3 * to);
        [fit.off[v], fit.wants[v]] = [off[i]!, wants[i]!];
        from = to;
      }
    }
    return fit;
  };
}

/** Calls back for every vertex that a shape turns, with the place of its delta in `deltas[vertex]`. */
export function eachTurned(
  { shapes }: DirectionFit,
  shape: number,
  found: (vertex: number, place: number) => void,
): void {
  for (let v = 0; v < shapes.length; v++) {
    const own = shapes[v]!;
    for (let i = 0; i < own.length; i++) if (own[i] === shape) found(v, 3 * i);
  }
}
