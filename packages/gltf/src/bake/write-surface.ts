/** A triangle surface as .obj (text), .ply or .stl (binary, little-endian). Positions and unit normals #V×3. */
import type { Surface } from '@isoskin/core';

type Write = (surface: Surface, positions: Float64Array, normals: Float64Array) => Uint8Array;

const triple = (values: ArrayLike<number>, i: number) =>
  `${Math.fround(values[i]!)} ${Math.fround(values[i + 1]!)} ${Math.fround(values[i + 2]!)}`;

export const writeObj: Write = ({ triangles, vertexCount }, positions, normals) => {
  const lines = ['# isoskin'];
  for (let v = 0; v < vertexCount; v++) lines.push(`v ${triple(positions, 3 * v)}`);
  for (let v = 0; v < vertexCount; v++) lines.push(`vn ${triple(normals, 3 * v)}`);
  for (let t = 0; t < triangles.length; t += 3) {
    lines.push(`f ${Array.from(triangles.subarray(t, t + 3), (v) => `${v + 1}//${v + 1}`).join(' ')}`);
  }
  return new TextEncoder().encode(`${lines.join('\n')}\n`);
};

export const writePly: Write = ({ triangles, vertexCount }, positions, normals) => {
  const names = ['x', 'y', 'z', 'nx', 'ny', 'nz'];
  const header = new TextEncoder().encode(
    [
      'ply\nformat binary_little_endian 1.0\ncomment isoskin',
      `element vertex ${vertexCount}`,
      ...names.map((name) => `property float ${name}`),
      `element face ${triangles.length / 3}`,
      'property list uchar uint vertex_indices\nend_header\n',
    ].join('\n'),
  );
  const out = new Uint8Array(header.length + 24 * vertexCount + (13 * triangles.length) / 3);
  out.set(header);
  const view = new DataView(out.buffer);
  let at = header.length;
  const float = (value: number) => {
    view.setFloat32(at, value, true);
    at += 4;
  };
  for (let v = 0; v < vertexCount; v++) {
    for (const values of [positions, normals]) for (let r = 0; r < 3; r++) float(values[3 * v + r]!);
  }
  for (let t = 0; t < triangles.length; t += 3) {
    view.setUint8(at++, 3);
    for (let c = 0; c < 3; c++, at += 4) view.setUint32(at, triangles[t + c]!, true);
  }
  return out;
};

export const writeStl: Write = ({ triangles }, positions) => {
  const out = new Uint8Array(84 + (50 * triangles.length) / 3);
  out.set(new TextEncoder().encode('isoskin'));
  const view = new DataView(out.buffer);
  view.setUint32(80, triangles.length / 3, true);
  for (let t = 0, at = 84; t < triangles.length; t += 3, at += 50) {
    const [a, b, c] = [3 * triangles[t]!, 3 * triangles[t + 1]!, 3 * triangles[t + 2]!];
    const u = [0, 1, 2].map((r) => positions[b + r]! - positions[a + r]!);
    const v = [0, 1, 2].map((r) => positions[c + r]! - positions[a + r]!);
    const normal = [0, 1, 2].map((r) => u[(r + 1) % 3]! * v[(r + 2) % 3]! - u[(r + 2) % 3]! * v[(r + 1) % 3]!);
    const length = Math.hypot(...normal) || 1;
    normal.forEach((n, r) => {
      view.setFloat32(at + 4 * r, n / length, true);
    });
    [a, b, c].forEach((corner, k) => {
      for (let r = 0; r < 3; r++) view.setFloat32(at + 12 + 12 * k + 4 * r, positions[corner + r]!, true);
    });
  }
  return out;
};
