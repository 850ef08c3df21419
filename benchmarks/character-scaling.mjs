// Time and memory of createCharacter against the size of the file: both must grow linearly.
// A torus with UV seams, four byte-sized influences per vertex. Build first (npm run build).
import { createCharacter } from '@isoskin/core';

const BONES = 32;

function createInput(around, along) {
  // One extra row and column, as a UV-mapped torus has them: the seam must be welded.
  const [rows, columns] = [along + 1, around + 1];
  const count = rows * columns;
  const positions = new Float32Array(3 * count);
  const bones = new Uint8Array(4 * count);
  const weights = new Float32Array(4 * count);
  const triangles = new Uint32Array(6 * along * around);
  for (let i = 0, t = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) {
      const v = i * columns + j;
      const [a, b] = [(2 * Math.PI * (i % along)) / along, (2 * Math.PI * (j % around)) / around];
      const d = 3 + Math.cos(b);
      positions.set([d * Math.cos(a), d * Math.sin(a), Math.sin(b)], 3 * v);
      const at = (BONES * (i % along)) / along;
      const share = at - Math.floor(at);
      bones.set([Math.floor(at), (Math.floor(at) + 1) % BONES, 0, 0], 4 * v);
      weights.set([Math.round(255 * (1 - share)) / 255, Math.round(255 * share) / 255, 0, 0], 4 * v);
      if (i === along || j === around) continue;
      triangles.set([v, v + columns, v + columns + 1, v, v + columns + 1, v + 1], t);
      t += 6;
    }
  }
  const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
  return {
    name: 'torus',
    parts: [{ name: 'torus', group: 0, positions, triangles, bones, weights, influences: 4 }],
    skeleton: {
      names: Array.from({ length: BONES }, (_, i) => `bone ${i}`),
      parents: Array.from({ length: BONES }, (_, i) => i - 1),
      locals: Float64Array.from(Array.from({ length: BONES }, () => [0, 0, 0, 0, 0, 0, 1, 1, 1, 1]).flat()),
      boneNodes: Array.from({ length: BONES }, (_, i) => i),
      inverseBinds: Float64Array.from(Array.from({ length: BONES }, () => identity).flat()),
    },
  };
}

/** Bytes of the same geometry in a .glb: position, normal, UV, byte joints and float weights, 32-bit indices. */
const fileBytes = (input) =>
  (input.parts[0].positions.length / 3) * (12 + 12 + 8 + 4 + 16) + input.parts[0].triangles.byteLength;

/** Bytes of all arrays that hang on a value. */
function countBytes(value) {
  if (ArrayBuffer.isView(value)) return value.byteLength;
  if (value === null || typeof value !== 'object') return 0;
  return Object.values(value).reduce((sum, part) => sum + countBytes(part), 0);
}

createCharacter(createInput(50, 40)); // warm up
let baseline = 0;
console.log('   vertices  triangles       ms  ns/vertex  vs 10 k  kept/file  peak/file');
for (const [around, along] of [
  [100, 100],
  [250, 400],
  [1000, 1000],
]) {
  const input = createInput(around, along);
  const before = process.memoryUsage.rss();
  const runs = around * along <= 1e5 ? 5 : 2;
  let best = Number.POSITIVE_INFINITY;
  for (let r = 0; r < runs; r++) {
    const start = performance.now();
    createCharacter(input);
    best = Math.min(best, performance.now() - start);
  }
  const character = createCharacter(input);
  const peak = process.resourceUsage().maxRSS * 1024 - before; // sizes ascend; meaningful for the largest only, below that the engine itself weighs more
  const { vertexCount, triangles, caps } = character.surface;
  if (caps.count !== 0 || vertexCount !== around * along) throw new Error('the seam was not welded');
  const perVertex = (1e6 * best) / vertexCount;
  baseline ||= perVertex;
  console.log(
    [
      String(vertexCount).padStart(11),
      String(triangles.length / 3).padStart(10),
      best.toFixed(0).padStart(8),
      perVertex.toFixed(0).padStart(10),
      (perVertex / baseline).toFixed(2).padStart(8),
      (countBytes(character) / fileBytes(input)).toFixed(1).padStart(10),
      (peak / fileBytes(input)).toFixed(1).padStart(10),
    ].join(' '),
  );
}
