/** What folds, as the kernels read it (layout.ts): lists that stay, and those that follow the triangles. */
import type { FoldPlan } from '@isoskin/core/kernels';
import type { RefinedTopology } from '@isoskin/core/wrinkles';
import { createRings } from './fold-rings.js';
import { GrowingWords } from './growing-words.js';
import * as at from './layout.js';
import { type FoldLevel, listQuads, pad, placeVertices } from './place-folds.js';
import { writeLine } from './write-fold-line.js';

const PAGE = 65536;

export function writeFolds(plan: FoldPlan) {
  const { refinement, members, lines, near, rim, holders } = plan;
  const { baseCount, vertexCount, patches, still } = refinement;
  const { first: moving, old, levels, places, count } = placeVertices(plan);
  const align = (bytes: number) => 16 * Math.ceil(bytes / 16);
  const headBytes = at.FOLD_BYTES + at.TOOL_BYTES * members.length;
  const first = at.FOLD_BASE + align(headBytes); // where the positions start
  const addresses = places.map((place) => first + place);
  const stencils = listStencils(plan, levels, addresses, first + 16 * (moving - 1));
  const quads = members.map(({ vertices }) => listQuads(vertices, places));
  const rings = createRings(plan, addresses, first, moving, count);
  const sections = listSections(plan, old, count, {
    ...{ stencils, levels: levels.length, rings: rings.most },
    quads: quads.map(({ rows }) => rows.length),
  });
  const bytes = sections.reduce((sum, [, size]) => sum + align(size), first);
  const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE) });
  const { buffer } = memory;
  const head = new Uint32Array(buffer, at.FOLD_BASE, headBytes >> 2);
  let next = first;
  for (const [field, bytes] of sections) {
    head[field >> 2] = next;
    next += align(bytes);
  }
  const locate = (field: number) => head[field >> 2]!;
  const words = (field: number, length: number) => new Uint32Array(buffer, locate(field), length);
  const floats = (field: number, length: number) => new Float32Array(buffer, locate(field), length);
  const patchAt = (p: number) => locate(at.FOLD_PATCHES) + at.FOLD_PATCH_BYTES * p;
  head[at.FOLD_COUNT >> 2] = count;
  head[at.FOLD_FIRST >> 2] = moving;
  head[at.FOLD_OLD >> 2] = old;
  head[at.FOLD_LEVEL_COUNT >> 2] = levels.length;
  head[at.FOLD_PATCH_COUNT >> 2] = patches.count;
  head[at.FOLD_RIM_COUNT >> 2] = rim.length / 3;
  head[at.FOLD_TOOL_COUNT >> 2] = members.length;
  const sources = words(at.FOLD_SOURCES, old).fill(24 * vertexCount);
  for (let v = 0; v < baseCount; v++) if (places[v] !== 16 * (moving - 1)) sources[places[v]! >> 4] = 24 * v;
  floats(at.FOLD_OWN_ROOMS, count).fill(Infinity);
  words(at.FOLD_STENCILS, stencils.length).set(stencils.view);
  words(at.FOLD_LEVELS, 2 * levels.length).set(
    levels.flatMap((own) => [pad(own.regular.length) >> 2, own.others.length]),
  );
  const rooms = words(at.FOLD_ROOMS, 2 * count);
  for (let i = 0; i < count; i++) rooms.fill(locate(at.FOLD_OWN_ROOMS) + 4 * i, 2 * i, 2 * i + 2);
  holders.forEach((p, i) => void (rooms[2 * (places[baseCount + (i >> 1)]! >> 4) + (i & 1)] = patchAt(p) + 16));
  const edge = words(at.FOLD_RIM, (4 * rim.length) / 3);
  const shares = floats(at.FOLD_RIM, edge.length);
  const isNear = new Set(near);
  for (let i = 0; i < rim.length; i++) {
    edge[4 * Math.floor(i / 3) + (i % 3)] = places[rim[i]!]!;
    if (isNear.has(rim[i]!)) shares[4 * Math.floor(i / 3) + 3]! += 1 / 3;
  }
  const corners = words(at.FOLD_PATCHES, (at.FOLD_PATCH_BYTES >> 2) * patches.count);
  for (let p = 0; p < patches.count; p++) {
    for (let c = 0; c < 3; c++) {
      corners[(at.FOLD_PATCH_BYTES >> 2) * p + c] = places[plan.triangles[3 * patches.triangles[p]! + c]!]!;
    }
  }
  members.forEach(({ vertices, shares, patches: own }, k) => {
    const record = at.FOLD_BYTES + at.TOOL_BYTES * k;
    const { rows, slots } = quads[k]!;
    head[(record + at.TOOL_QUAD_COUNT) >> 2] = rows.length;
    head[(record + at.TOOL_RECT_COUNT) >> 2] = members[k]!.tool.rects.length / at.RECT_NUMBERS;
    head[(record + at.LINE_COUNT) >> 2] = pad(lines[k]!.vertices.length);
    head[(record + at.LINE_POINT_COUNT) >> 2] = pad(lines[k]!.line.corners.length / 3);
    const out = words(record + at.TOOL_QUADS, 16 * rows.length);
    const areas = floats(record + at.TOOL_QUADS, out.length);
    rows.forEach((place, q) => void out.fill(patchAt(0), 16 * q + 12, 16 * q + 16).fill(place, 16 * q, 16 * q + 1));
    vertices.forEach((_, i) => {
      areas[slots[i]! + 8] = shares[i]!;
      out[slots[i]! + 12] = patchAt(own[i]!);
    });
  });
  members.forEach((_, k) => void writeLine(plan, k, { head, words, floats, places, rooms, quads }));

  /** Masks, polygons and targets: vertices that are not in use do not move. */
  function setTopology({ used, triangles, triangleCount }: RefinedTopology): void {
    members.forEach(({ vertices, masks }, k) => {
      const { rows, slots } = quads[k]!;
      const out = floats(at.FOLD_BYTES + at.TOOL_BYTES * k + at.TOOL_QUADS, 16 * rows.length);
      vertices.forEach((v, i) => void (out[slots[i]! + 4] = used[v] ? masks[i]! : 0));
    });
    rings.write(words(at.FOLD_RINGS, rings.most), triangles.subarray(still.length, 3 * triangleCount));
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
  { refinement: { vertexCount, patches }, members, lines, rim }: FoldPlan,
  old: number,
  count: number,
  { stencils, levels, rings, quads }: { stencils: GrowingWords; levels: number; rings: number; quads: number[] },
): [field: number, bytes: number][] {
  const sections: [field: number, bytes: number][] = [
    [at.FOLD_POSITIONS, 16 * count], // first: stencils and rings hold addresses of it
    [at.FOLD_NORMALS, 16 * count],
    [at.FOLD_STATES, 12 * count],
    [at.FOLD_OWN_ROOMS, 4 * count],
    [at.FOLD_SOURCES, 4 * old],
    [at.FOLD_FADES, 4 * count],
    [at.FOLD_LEVELS, 8 * levels],
    [at.FOLD_STENCILS, stencils.byteLength],
    [at.FOLD_PATCHES, at.FOLD_PATCH_BYTES * patches.count],
    [at.FOLD_ROOMS, 8 * count],
    [at.FOLD_RIM, (16 * rim.length) / 3],
    [at.FOLD_RINGS, 4 * rings],
    [at.FOLD_TARGETS, 4 * count],
    [at.FOLD_OUT_POSITIONS, 24 * (vertexCount + 1)], // one more: where vertices that do not move go
    [at.FOLD_OUT_NORMALS, 24 * (vertexCount + 1)],
  ];
  members.forEach(({ tool }, k) => {
    const record = at.FOLD_BYTES + at.TOOL_BYTES * k;
    const { vertices: own, line, slots } = lines[k]!;
    sections.push(
      [record + at.TOOL_QUADS, 64 * quads[k]!],
      [record + at.TOOL_LIFTS, 32 * quads[k]!],
      [record + at.TOOL_RECTS, 4 * tool.rects.length],
      [record + at.TOOL_CURVE, 4 * tool.curve.pointCount],
      [record + at.LINE_VERTICES, 12 * pad(own.length)],
      [record + at.LINE_STATES, 16 * pad(own.length)],
      [record + at.LINE_ROOMS, 4 * pad(own.length)],
      [record + at.LINE_LIFTS, 8 * pad(own.length) * members.length],
      [record + at.LINE_TOOLS, 4 * members.length],
      [record + at.LINE_ENTRIES, slots.reduce((sum, list) => sum + 4 + 8 * list.length, 0)],
      [record + at.LINE_POINTS, 24 * pad(line.corners.length / 3)],
    );
  });
  return sections;
}

/** @param none where no vertex is, which fills up */
function listStencils(
  { refinement }: FoldPlan,
  levels: readonly FoldLevel[],
  addresses: Uint32Array,
  none: number,
): GrowingWords {
  const { parents, stencils, baseCount } = refinement;
  const out = new GrowingWords();
  for (const { regular, others } of levels) {
    for (let n = 0; n < pad(regular.length); n++) {
      const from = n < regular.length ? stencils.offsets[regular[n]! - baseCount]! : 0;
      for (let k = from; k < from + 8; k++) out.push(n < regular.length ? addresses[stencils.vertices[k]!]! : none);
    }
    for (const v of others) {
      const i = v - baseCount;
      const [from, to] = [stencils.offsets[i]!, stencils.offsets[i + 1]!];
      out.push(to - from);
      out.push(addresses[parents[2 * i]!]!);
      out.push(addresses[parents[2 * i + 1]!]!);
      for (let n = from; n < to; n++) {
        out.push(addresses[stencils.vertices[n]!]!);
        out.pushFloat(stencils.weights[n]!);
      }
    }
  }
  return out;
}
