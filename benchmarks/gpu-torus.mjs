// A torus of any size with a ring of bones, for the GPU benchmark: closed, smooth, one region per bone, no file needed.

/** Bone i sits on the central circle; vertices follow the two nearest bones. Rows go once around the ring. */
export function createTorusInput(around, along, boneCount) {
  const count = around * along;
  const [large, small] = [3, 0.12];
  const positions = new Float32Array(3 * count);
  const bones = new Uint16Array(2 * count);
  const weights = new Float32Array(2 * count);
  const triangles = new Uint32Array(6 * count);
  for (let i = 0, t = 0; i < along; i++) {
    const a = (2 * Math.PI * i) / along;
    const place = (boneCount * i) / along;
    const bone = Math.floor(place);
    const u = place - bone;
    const share = u * u * (3 - 2 * u);
    for (let j = 0; j < around; j++, t += 6) {
      const v = i * around + j;
      const b = (2 * Math.PI * j) / around;
      const d = large + small * Math.cos(b);
      positions[3 * v] = d * Math.cos(a);
      positions[3 * v + 1] = d * Math.sin(a);
      positions[3 * v + 2] = small * Math.sin(b);
      bones[2 * v] = bone;
      bones[2 * v + 1] = (bone + 1) % boneCount;
      weights[2 * v] = 1 - share;
      weights[2 * v + 1] = share;
      const [right, up] = [((i + 1) % along) * around + j, i * around + ((j + 1) % around)];
      const across = ((i + 1) % along) * around + ((j + 1) % around);
      triangles.set([v, right, across, v, across, up], t);
    }
  }
  const locals = [];
  const inverseBinds = [];
  for (let i = 0; i < boneCount; i++) {
    const a = (2 * Math.PI * i) / boneCount;
    const [x, y] = [large * Math.cos(a), large * Math.sin(a)];
    locals.push(x, y, 0, 0, 0, 0, 1, 1, 1, 1);
    inverseBinds.push(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -x, -y, 0, 1);
  }
  return {
    name: 'torus',
    parts: [{ name: 'torus', group: 0, positions, triangles, bones, weights, influences: 2 }],
    skeleton: {
      names: Array.from({ length: boneCount }, (_, i) => `bone ${i}`),
      parents: new Array(boneCount).fill(-1),
      locals: Float64Array.from(locals),
      boneNodes: Array.from({ length: boneCount }, (_, i) => i),
      inverseBinds: Float64Array.from(inverseBinds),
    },
  };
}

/** Bone matrices (#B×12) of a torus that waves: every bone turns about the ring and about its own radius. */
export function poseTorus(out, boneCount, time, phase = 0) {
  for (let i = 0; i < boneCount; i++) {
    const a = (2 * Math.PI * i) / boneCount;
    const roll = 0.3 * Math.sin(2 * time + 3 * a + phase); // about the tangent
    const bend = 0.25 * Math.sin(1.5 * time + 2 * a + phase); // about the radius
    const tangent = [-Math.sin(a), Math.cos(a), 0];
    const radius = [Math.cos(a), Math.sin(a), 0];
    const r = multiply(turn(tangent, roll), turn(radius, bend));
    const c = [3 * Math.cos(a), 3 * Math.sin(a), 0];
    out.set(r, 12 * i);
    for (let k = 0; k < 3; k++) out[12 * i + 9 + k] = c[k] - (r[k] * c[0] + r[3 + k] * c[1] + r[6 + k] * c[2]);
  }
}

/** Rotation by `angle` about a unit axis, 3×3 by columns. */
function turn([x, y, z], angle) {
  const [s, c] = [Math.sin(angle), Math.cos(angle)];
  const d = 1 - c;
  return [
    c + d * x * x, d * x * y + s * z, d * x * z - s * y,
    d * x * y - s * z, c + d * y * y, d * y * z + s * x,
    d * x * z + s * y, d * y * z - s * x, c + d * z * z,
  ]; // biome-ignore format: three columns
}

function multiply(a, b) {
  const out = [];
  for (let c = 0; c < 3; c++) {
    for (let r = 0; r < 3; r++) out.push(a[r] * b[3 * c] + a[3 + r] * b[3 * c + 1] + a[6 + r] * b[3 * c + 2]);
  }
  return out;
}
