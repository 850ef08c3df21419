/**
 * Parts of one bone on a body that is pushed: a plate takes the mean push of what it lies on, and keeps its form.
 *
 *   φ_s,k = Σ_j a_j φ_s,j,   t_k = Σ_j a_j t_j,   p_k = Σ_j a_j p_j   over the vertices j of its part that lie on the body
 *
 * a  shares of the area;  φ  shapes before they are scaled;  t  thickness;  p  pliancy.  n̄ is constant over the part already (plan-layers.ts). A part
 * that lies on too little has no shape.
 */
import { VertexTable } from '../correction/plan-bases.js';
import type { ShapeDraft } from '../correction/plan-shapes.js';
import type { Surface } from '../mesh/surface.js';
import type { Riders } from './plan-layers.js';

/** @param gamma γ: vertices where it is 0 stay where they are */
export function rideWhole(
  draft: ShapeDraft,
  { still, whole, shares }: Riders,
  { vertexCount, vertexComponent }: Surface,
  gamma: Float64Array,
): ShapeDraft {
  if (still.size + whole.size === 0) return draft;
  const { offsets, shapes, values } = draft.bases;
  const means = new Map([...whole].map((c) => [c, { thickness: 0, pliancy: 0, push: new Map<number, number>() }]));
  for (let k = 0; k < vertexCount; k++) {
    const mean = shares[k]! > 0 ? means.get(vertexComponent[k]!) : undefined;
    if (!mean) continue;
    mean.thickness += shares[k]! * draft.thickness[k]!;
    mean.pliancy += shares[k]! * draft.pliancy[k]!;
    for (let e = offsets[k]!; e < offsets[k + 1]!; e++) {
      mean.push.set(shapes[e]!, (mean.push.get(shapes[e]!) ?? 0) + shares[k]! * values[e]!);
    }
  }
  const table = new VertexTable(vertexCount);
  const thickness = draft.thickness.slice();
  const pliancy = draft.pliancy.slice();
  for (let k = 0; k < vertexCount; k++) {
    const c = vertexComponent[k]!;
    const mean = means.get(c);
    if (mean) {
      thickness[k] = mean.thickness;
      pliancy[k] = mean.pliancy;
      if (gamma[k]! > 0) for (const [s, value] of mean.push) table.add(k, s, value);
    } else if (!still.has(c)) {
      for (let e = offsets[k]!; e < offsets[k + 1]!; e++) table.add(k, shapes[e]!, values[e]!);
    }
  }
  return { ...draft, thickness, pliancy, bases: table.finish() };
}
