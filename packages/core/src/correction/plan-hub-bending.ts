/**
 * Bending (plan-bending.ts) on graphs that may have hubs, vertices with very many neighbours: the apex of a cone, the pole of a fan.
 *
 *   x = bending of the graph without hubs,   x_h = mean of x over the neighbours of hub h, 0 where γ_h = 0
 *
 * The row of a hub in L couples all its n neighbours with each other: a dense block of n² numbers, whose factor costs n³. A mean of so many is smooth anyway, so a hub
 * bends nothing and follows. Vertices of up to HUB neighbours, of which ordinary meshes have no others, bend as before, to the bit. O(edges) besides.
 */
import { type Bending, type BendingGraph, planBending } from './plan-bending.js';

/** Most neighbours of a vertex that bends by itself: a block of 256² costs no more than the rest of a coarse mesh. */
const HUB = 256;

export function planHubBending(graph: BendingGraph, kappa: number): Bending {
  const { offsets, values } = graph.neighbours;
  const hubs = [...graph.masses.keys()].filter((k) => offsets[k + 1]! - offsets[k]! > HUB);
  if (hubs.length === 0) return planBending(graph, kappa);
  const others = planBending({ ...graph, neighbours: leaveOut(hubs, graph.neighbours) }, kappa);
  /** From what they were before a hub is given its own: hubs may be neighbours. */
  const follow = (x: Float64Array, gamma?: Float64Array): void => {
    const means = hubs.map((h) => {
      let sum = 0;
      for (let e = offsets[h]!; e < offsets[h + 1]!; e++) sum += x[values[e]!]!;
      return !gamma || gamma[h]! > 0 ? sum / (offsets[h + 1]! - offsets[h]!) : 0;
    });
    for (const [n, h] of hubs.entries()) x[h] = means[n]!;
  };
  return {
    solveAll(gamma, list) {
      others.solveAll(gamma, list);
      for (const x of list) follow(x, gamma);
    },
    smooth(v) {
      const x = others.smooth(v);
      follow(x);
      return x;
    },
  };
}

/** The same vertices; the hubs have no neighbours. */
function leaveOut(
  hubs: readonly number[],
  { offsets, values }: BendingGraph['neighbours'],
): BendingGraph['neighbours'] {
  const isHub = new Uint8Array(offsets.length - 1);
  for (const h of hubs) isHub[h] = 1;
  const starts = new Uint32Array(offsets.length);
  const list: number[] = [];
  for (let k = 0; k < isHub.length; k++) {
    for (let e = offsets[k]!; e < offsets[k + 1]!; e++) if (!isHub[k] && !isHub[values[e]!]) list.push(values[e]!);
    starts[k + 1] = list.length;
  }
  return { offsets: starts, values: Uint32Array.from(list) };
}
