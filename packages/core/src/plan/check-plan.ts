/** What a saved plan must be so that kernels never read beside their arrays: lengths that agree, and indices that lead somewhere. O(entries). */
import { ANGLES, DIRECTIONS } from '../correction/create-creases.js';
import type { GivenPlan } from '../correction/given-shapes.js';
import type { Csr } from '../mesh/surface.js';
import type { PlanData } from './saved-plan.js';

const NONE = 0xffffffff;

/** Throws where it is not so; also where fields are missing. */
export function checkPlan(plan: PlanData): void {
  const { character, frame, volumes, closed, shapes, regions, rest, shares } = plan;
  const { surface, skeleton, binding } = character;
  const V = checkCount(surface.positions.length / 3);
  const B = checkCount(skeleton.inverseBinds.length / 16);
  const K = rest.length;
  const apexes = closed.members.offsets.length - 1;
  const all = V + volumes.members.offsets.length - 1;
  const corners = 3 * closed.triangleCount;
  const pairs = volumes.pairRegion.length;

  checkSame([surface.vertexCount, closed.vertexCount, frame.vertexCount], V);
  checkSame([skeleton.boneCount, frame.boneCount, skeleton.boneNodes.length], B);
  checkSame([volumes.regionCount, shapes.regionCount, regions.count, regions.names.length, regions.ids.length], K);
  checkIndices(regions.component, K, surface.components.length);
  checkIndices(regions.triangleRegion, closed.triangleCount, K, true);
  checkSame([closed.apexCount], apexes);
  checkSame([volumes.apexCount], volumes.members.offsets.length - 1);
  checkFloats(frame.positions, 3 * V);
  checkFloats(frame.directions, 3 * V);
  for (const list of [shapes.componentVolumes, shapes.outward, shapes.inward, shapes.ease]) checkFloats(list, K);

  checkIndices(surface.triangles, surface.triangles.length, V);
  checkSame([surface.triangles.length % 3], 0);
  checkCsr(surface.corners, V, surface.triangles.length);
  checkCsr(surface.neighbours, V, V);
  for (const { offsets, bones, weights } of [binding, frame]) {
    checkCsr({ offsets, values: bones }, V, B);
    checkFloats(weights, bones.length);
  }
  checkIndices(closed.triangles, corners, V + apexes);
  checkCsr(closed.members, apexes, V);
  checkIndices(volumes.triangleRegion, closed.triangleCount, K, true);
  checkCsr(volumes.members, volumes.apexCount, all);
  checkCsr(volumes.inner, K, V);
  checkIndices(volumes.pairRegion, pairs, K);
  checkIndices(volumes.pairVertex, pairs, all);
  checkCsr(volumes.pairEdges, pairs, all, 2);
  checkCsr(volumes.pairApexes, checkCount(volumes.pairCount), pairs);
  checkFloats(volumes.pairShares, volumes.pairApexes.values.length);
  checkCsr(volumes.pairsOfRegion, K, pairs);
  checkIndices(volumes.anchors, K, all);
  checkIndices(volumes.tetrahedra, 3 * volumes.tetrahedronRegion.length, all);
  checkIndices(volumes.tetrahedronRegion, volumes.tetrahedronRegion.length, K, true);
  checkCsr({ offsets: shapes.offsets, values: shapes.shapes }, V, shapes.shapeCount);
  checkFloats(shapes.values, shapes.shapes.length);
  for (const system of shapes.systems) checkIndices(system, system.length, K);
  checkCsr({ offsets: shares.offsets, values: shares.bones }, K, B);
  checkFloats(shares.shares, shares.bones.length);
  for (const { vertices, deltas } of character.morphs) {
    checkIndices(vertices, vertices.length, V);
    checkFloats(deltas, 3 * vertices.length);
  }
  for (const { welded, vertexCount } of character.parts) checkIndices(welded, vertexCount, V);
  checkSame([shapes.shapeCount], K + (plan.given ? checkGiven(plan.given, K, B) : 0));
}

/** Number of given shapes. */
function checkGiven({ families, harmonics, twists, creases, kept }: GivenPlan, K: number, B: number): number {
  let count = 2 * (twists?.twists.length ?? 0);
  for (const { bone, parent, frame } of [...(twists?.twists ?? []), ...(creases?.creases ?? [])]) {
    checkIndices(Uint32Array.of(bone, parent), 2, B);
    checkSame([frame.length], 9);
  }
  for (const { table } of creases?.creases ?? []) {
    count += table.length;
    for (const amounts of table) checkFloats(amounts, (ANGLES.length - 1) * DIRECTIONS);
  }
  if (harmonics) {
    const { patches, near, steady, flesh, fit, ceilings } = harmonics;
    count += 3 * K;
    checkSame([harmonics.regionCount], K);
    checkSame([harmonics.boneCount], B);
    checkCsr({ offsets: patches.offsets, values: patches.bones }, checkCount(patches.count), B);
    checkFloats(patches.weights, patches.bones.length);
    checkFloats(patches.moments, 8 * patches.bones.length);
    checkCsr({ offsets: near.offsets, values: near.patches }, patches.count, patches.count);
    checkFloats(near.weights, near.patches.length);
    for (const list of [patches.scales, steady, flesh]) checkFloats(list, patches.count);
    checkCsr({ offsets: fit.offsets, values: fit.regions }, patches.count, K);
    checkFloats(fit.values, 3 * fit.regions.length);
    checkFloats(ceilings, K);
  }
  checkSame([families.reduce((sum, { size }) => sum + checkCount(size), 0)], count);
  if (!kept) return count;
  checkSame([kept.length], families.length);
  for (const [f, axes] of kept.entries()) for (const axis of axes) checkSame([axis.length], families[f]!.size);
  return kept.reduce((sum, axes) => sum + axes.length, 0);
}

function checkSame(counts: readonly number[], wanted: number): void {
  if (counts.some((count) => count !== wanted)) throw new RangeError(`${counts} are not ${wanted}`);
}

function checkCount(count: number): number {
  if (!(Number.isInteger(count) && count >= 0)) throw new RangeError(`${count} is no count`);
  return count;
}

function checkFloats(values: Float64Array, length: number): void {
  if (!(values instanceof Float64Array) || values.length !== length) throw new RangeError(`no ${length} floats`);
}

function checkIndices(values: Uint32Array, length: number, below: number, orNone = false): void {
  if (!(values instanceof Uint32Array) || values.length !== length) throw new RangeError(`no ${length} indices`);
  for (let i = 0; i < values.length; i++) {
    if (!(values[i]! < below) && !(orNone && values[i] === NONE))
      throw new RangeError(`index ${values[i]} of ${below}`);
  }
}

/** @param width values per entry */
function checkCsr({ offsets, values }: Csr, count: number, below: number, width = 1): void {
  checkIndices(offsets, count + 1, values.length + 1);
  checkIndices(values, width * offsets[count]!, below);
  for (let i = 0; i < count; i++) if (offsets[i]! > offsets[i + 1]!) throw new RangeError('lists run backwards');
}
