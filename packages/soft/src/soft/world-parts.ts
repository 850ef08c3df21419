import type { BlendGraph } from './blend-graph.js';
import type { NeighbourGrid } from './neighbour-grid.js';
import type { Obstacles } from './obstacles.js';
import type { Primitives } from './pack-primitives.js';
import type { RayState } from './place-rays.js';
import type { Probe } from './probe.js';

/** What those who work on a soft world share. */
export interface WorldParts {
  readonly primitives: Primitives;
  readonly graph: BlendGraph;
  readonly rays: RayState;
  readonly near: NeighbourGrid;
  readonly obstacles: Obstacles;
  readonly probe: Probe;
}
