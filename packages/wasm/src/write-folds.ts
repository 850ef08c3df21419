/** What folds, as the kernels read it (layout.ts): lists that stay, and those that follow the triangles. */
import type { FoldPlan } from '@isoskin/core/kernels';
import type { RefinedTopology } from '@isoskin/core/wrinkles';
import { GrowingWords } from './growing-words.js';
import * as at from './layout.js';

/** Where the record stands in a memory of its own. */
export const BASE = 4096;
const PAGE = 65536;

const pad = (count: number) => 4 * Math.ceil(count / 4);

export function writeFolds(plan: FoldPlan) {
  const { refinement, members, lines, near, rim, holders } = plan;
  const { baseCount, vertexCount, patches, still } = refinement;
  const sources = listSources(plan);
  const old = pad(sources.length + 1);
  const fresh = vertexCount - baseCount;
  const count = pad(old + fresh);
  const places = new Uint32Array(vertexCount).fill(16 * (old - 1));
  sources.forEach((v, i) => void (places[v] = 16 * i));
  for (let i = 0; i < fresh; i++) places[baseCount + i] = 16 * (old + i);
  const stencils = listStencils(plan, places);
  const sections = listSections(plan, old, count, stencils);
  const align = (bytes: number) => 16 * Math.ceil(bytes / 16);
  const headBytes = at.FOLD_BYTES + at.TOOL_BYTES * members.length;
  const bytes = sections.reduce((sum, [, size]) => sum + align(size), BASE + align(headBytes));
  const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE) });
  const { buffer } = memory;
  const head = new Uint32Array(buffer, BASE, headBytes >> 2);
  let next = BASE + align(headBytes);
  for (const [field, bytes] of sections) {
    head[field >> 2] = next;
    next += align(bytes);
  }
  const locate = (field: number) => head[field >> 2]!;
  const words = (field: number, length: number) => new Uint32Array(buffer, locate(field), length);
  const floats = (field: number, length: number) => new Float32Array(buffer, locate(field), length);
  const patchAt = (p: number) => locate(at.FOLD_PATCHES) + at.FOLD_PATCH_BYTES * p;
  head[at.FOLD_COUNT >> 2] = count;
  head[at.FOLD_OLD >> 2] = old;
  head[at.FOLD_NEW_COUNT >> 2] = fresh;
  head[at.FOLD_PATCH_COUNT >> 2] = patches.count;
  head[at.FOLD_RIM_COUNT >> 2] = rim.length / 3;
  head[at.FOLD_TOOL_COUNT >> 2] = members.length;
  words(at.FOLD_SOURCES, old)
    .fill(24 * vertexCount)
    .set(sources.map((v) => 24 * v));
  words(at.FOLD_STENCILS, stencils.length).set(stencils.view);
  words(at.FOLD_HOLDERS, holders.length).set(holders.map(patchAt));
  const corners = words(at.FOLD_PATCHES, (at.FOLD_PATCH_BYTES >> 2) * patches.count);
  for (let p = 0; p < patches.count; p++) {
    for (let c = 0; c < 3; c++) {
      corners[(at.FOLD_PATCH_BYTES >> 2) * p + c] = places[plan.triangles[3 * patches.triangles[p]! + c]!]!;
    }
  }
  members.forEach(({ vertices, shares, patches: own }, k) => {
    const record = at.FOLD_BYTES + at.TOOL_BYTES * k;
    head[(record + at.TOOL_QUAD_COUNT) >> 2] = pad(vertices.length) >> 2;
    head[(record + at.TOOL_RECT_COUNT) >> 2] = members[k]!.tool.rects.length / at.RECT_NUMBERS;
    head[(record + at.LINE_COUNT) >> 2] = lines[k]!.vertices.length;
    head[(record + at.LINE_POINT_COUNT) >> 2] = lines[k]!.line.corners.length / 3;
    const quads = words(record + at.TOOL_QUADS, 4 * pad(vertices.length));
    const areas = floats(record + at.TOOL_QUADS, quads.length);
    for (let i = 0; i < pad(vertices.length); i++) {
      const quad = 16 * (i >> 2) + (i & 3);
      quads[quad] = i < vertices.length ? places[vertices[i]!]! : 16 * (old - 1);
      areas[quad + 8] = shares[i] ?? 0;
      quads[quad + 12] = patchAt(own[i] ?? 0);
    }
  });
  members.forEach((_, k) => {
    const record = at.FOLD_BYTES + at.TOOL_BYTES * k;
    const { vertices, line, slots, items } = lines[k]!;
    words(record + at.LINE_VERTICES, vertices.length).set(vertices.map((v) => places[v]!));
    const points = words(record + at.LINE_POINTS, 2 * line.corners.length);
    const weights = floats(record + at.LINE_POINTS, points.length);
    for (let i = 0; i < line.corners.length; i++) {
      points[6 * Math.floor(i / 3) + (i % 3)] = 16 * line.corners[i]!;
      weights[6 * Math.floor(i / 3) + (i % 3) + 3] = line.weights[i]!;
    }
    const entries = slots.flatMap((list, j) => {
      const lifts = head[(at.FOLD_BYTES + at.TOOL_BYTES * j + at.TOOL_LIFTS) >> 2]!;
      return [list.length, ...Array.from(list).flatMap((slot, n) => [16 * slot, lifts + 8 * items[j]![n]!])];
    });
    words(record + at.LINE_ENTRIES, entries.length).set(entries);
  });

  /** Masks, triangles and targets: vertices that are not in use do not move. */
  function setTopology({ used, triangles, triangleCount }: RefinedTopology): void {
    members.forEach(({ vertices, masks }, k) => {
      const out = floats(at.FOLD_BYTES + at.TOOL_BYTES * k + at.TOOL_QUADS, 4 * pad(vertices.length));
      vertices.forEach((v, i) => void (out[16 * (i >> 2) + (i & 3) + 4] = used[v] ? masks[i]! : 0));
    });
    const moving = triangles.subarray(still.length, 3 * triangleCount);
    const list = words(at.FOLD_TRIANGLES, rim.length + moving.length);
    rim.forEach((v, i) => void (list[i] = places[v]!));
    moving.forEach((v, i) => void (list[rim.length + i] = places[v]!));
    head[at.FOLD_TRIANGLE_COUNT >> 2] = list.length / 3;
    const targets = words(at.FOLD_TARGETS, count).fill(24 * vertexCount);
    for (const v of near) targets[places[v]! >> 4] = 24 * v;
    for (let v = baseCount; v < vertexCount; v++) if (used[v]) targets[places[v]! >> 4] = 24 * v;
  }

  const out = (field: number) => new Float64Array(buffer, locate(field), 3 * vertexCount);
  return {
    ...{ memory, setTopology },
    positions: out(at.FOLD_OUT_POSITIONS),
    normals: out(at.FOLD_OUT_NORMALS),
  };
}

/** Fields of the records that point to arrays, and how long these are. */
function listSections(
  { refinement: { vertexCount, patches }, members, lines, rim, holders }: FoldPlan,
  old: number,
  count: number,
  stencils: GrowingWords,
): [field: number, bytes: number][] {
  const sections: [field: number, bytes: number][] = [
    [at.FOLD_POSITIONS, 16 * count],
    [at.FOLD_NORMALS, 16 * count],
    [at.FOLD_STATES, 16 * count],
    [at.FOLD_SOURCES, 4 * old],
    [at.FOLD_FADES, 4 * count],
    [at.FOLD_VECTORS, 16 * count],
    [at.FOLD_STENCILS, stencils.byteLength],
    [at.FOLD_PATCHES, at.FOLD_PATCH_BYTES * patches.count],
    [at.FOLD_HOLDERS, 4 * holders.length],
    [at.FOLD_TRIANGLES, 4 * rim.length + 12 * patches.corners.length], // more than any level has, and their halves
    [at.FOLD_TARGETS, 4 * count],
    [at.FOLD_OUT_POSITIONS, 24 * (vertexCount + 1)], // one more: where vertices that do not move go
    [at.FOLD_OUT_NORMALS, 24 * (vertexCount + 1)],
  ];
  members.forEach(({ vertices, tool }, k) => {
    const record = at.FOLD_BYTES + at.TOOL_BYTES * k;
    const { vertices: own, line, slots } = lines[k]!;
    sections.push(
      [record + at.TOOL_QUADS, 16 * pad(vertices.length)],
      [record + at.TOOL_LIFTS, 8 * pad(vertices.length)],
      [record + at.TOOL_RECTS, 4 * tool.rects.length],
      [record + at.TOOL_CURVE, 4 * tool.curve.pointCount],
      [record + at.LINE_VERTICES, 4 * own.length],
      [record + at.LINE_STATES, 16 * own.length],
      [record + at.LINE_ENTRIES, slots.reduce((sum, list) => sum + 4 + 8 * list.length, 0)],
      [record + at.LINE_POINTS, 8 * line.corners.length],
    );
  });
  return sections;
}

/** Old vertices that the passes read: of the patches, beside them, and of stencils. */
function listSources({ refinement, near, rim }: FoldPlan): Uint32Array {
  const { stencils, baseCount } = refinement;
  return Uint32Array.from(new Set([...near, ...rim, ...stencils.vertices.filter((v) => v < baseCount)]));
}

function listStencils({ refinement }: FoldPlan, places: Uint32Array): GrowingWords {
  const { parents, stencils, vertexCount, baseCount } = refinement;
  const out = new GrowingWords();
  for (let i = 0; i < vertexCount - baseCount; i++) {
    const [from, to] = [stencils.offsets[i]!, stencils.offsets[i + 1]!];
    const isRegular = to - from === 8 && REGULAR.every((weight, k) => stencils.weights[from + k] === weight);
    out.push(isRegular ? 0 : to - from);
    out.push(places[parents[2 * i]!]!);
    out.push(places[parents[2 * i + 1]!]!);
    for (let n = isRegular ? from + 2 : from; n < to; n++) {
      out.push(places[stencils.vertices[n]!]!);
      if (!isRegular) out.pushFloat(stencils.weights[n]!);
    }
  }
  return out;
}
const REGULAR = [1 / 2, 1 / 2, 1 / 8, 1 / 8, -1 / 16, -1 / 16, -1 / 16, -1 / 16];
