import { addNormals } from '../flat-arrays.js';
import type { SoftWorld } from '../soft/create-soft-world.js';
import { smoothMesh } from '../soft/smooth-mesh.js';
import type { SimulationObject, SimulationSurface, SimulationSurfaceOptions } from './simulation.js';

/** Ripples as long as this many spacings go: particles that were pressed apart lie further than one from each other. */
const SMOOTHING = 1.5;

/** Triangle edges per smallest thickness: few primitives are seen large and cost little. */
function chooseResolution(count: number): number {
  return count <= 4 ? 8 : count <= 40 ? 4 : 3;
}

/** What the soft world shows now, as one mesh with normals and the colours of the objects. O(#V + #T). */
export function measureSurface(
  world: SoftWorld,
  objectOf: Int32Array,
  objects: readonly SimulationObject[],
  { kind = 'closed', resolution = chooseResolution(world.count), smoothing = SMOOTHING }: SimulationSurfaceOptions,
): SimulationSurface {
  const pieces =
    kind === 'seeds' ? [{ ...world.seedsSurface(), piece: -1 }] : world.polygonise({ resolution, rounds: 1 });
  for (const mesh of pieces) {
    const grain = smoothing * measureGrain(world, objectOf, objects, mesh.piece);
    if (grain > 0) smoothMesh(mesh, grain, world.surface(mesh.piece));
  }
  const vertexCount = pieces.reduce((sum, { positions }) => sum + positions.length / 3, 0);
  const positions = new Float32Array(3 * vertexCount);
  const colors = new Float32Array(3 * vertexCount);
  const triangles = new Uint32Array(pieces.reduce((sum, piece) => sum + piece.triangles.length, 0));
  const near = createNearest(world, objectOf, objects);
  let [v, t] = [0, 0];
  for (const piece of pieces) {
    positions.set(piece.positions, 3 * v);
    for (let i = 0; i < piece.triangles.length; i++) triangles[t + i] = piece.triangles[i]! + v;
    near.color(colors, 3 * v, piece.positions, piece.piece);
    v += piece.positions.length / 3;
    t += piece.triangles.length;
  }
  return { positions, normals: measureNormals(positions, triangles), triangles, colors, resolution };
}

/** Largest spacing of the particles that a piece is made of; 0 where something else is in it. */
function measureGrain(
  world: SoftWorld,
  objectOf: Int32Array,
  objects: readonly SimulationObject[],
  piece: number,
): number {
  const inside = objects.filter((_, o) => world.pieces.shells.some((shell, p) => shell === piece && objectOf[p] === o));
  return Math.min(...inside.map(({ spacing = 0 }) => spacing)) && Math.max(...inside.map(({ spacing = 0 }) => spacing));
}

/** Colours points by the objects whose primitives are near them, blended over half a thickness where two have melted together. */
function createNearest(world: SoftWorld, objectOf: Int32Array, objects: readonly SimulationObject[]) {
  const { shells } = world.pieces;
  const owners = new Map<number, Set<number>>();
  for (let p = 0; p < world.count; p++) {
    const piece = shells[p]!;
    if (!owners.has(piece)) owners.set(piece, new Set());
    owners.get(piece)!.add(objectOf[p]!);
  }
  return {
    color(out: Float32Array, at: number, points: Float64Array, piece: number): void {
      const inside = [...(owners.get(piece) ?? objects.keys())];
      const first = objects[inside[0]!]!.color;
      if (inside.every((o) => objects[o]!.color.every((c, k) => c === first[k]))) {
        for (let i = 0; i < points.length; i++) out[at + i] = first[i % 3]!;
        return;
      }
      const cells = sortPrimitives(world, piece);
      const mixed = new Float64Array(4);
      for (let i = 0; i < points.length; i += 3) {
        mixed.fill(0);
        cells.visit(points[i]!, points[i + 1]!, points[i + 2]!, (p, d) => {
          // Falls fast enough for the nearest to win, smoothly enough for no seam.
          const w = 1 / (1e-9 + (d / cells.size) ** 8);
          for (let k = 0; k < 3; k++) mixed[k]! += w * objects[objectOf[p]!]!.color[k]!;
          mixed[3]! += w;
        });
        for (let k = 0; k < 3; k++) out[at + i + k] = mixed[3]! > 0 ? mixed[k]! / mixed[3]! : first[k]!;
      }
    },
  };
}

/** Centres of the primitives of a piece (all of them for −1) by cells of the largest extent. */
function sortPrimitives(world: SoftWorld, piece: number) {
  const { corners, count } = world;
  const { shells } = world.pieces;
  let size = 0;
  const kept: number[] = [];
  for (let p = 0; p < count; p++) {
    if (piece >= 0 && shells[p] !== piece) continue;
    kept.push(p);
    const volume = world.territories.volumes[p]!;
    size = Math.max(size, 2 * Math.cbrt(volume));
  }
  const cells = new Map<string, number[]>();
  const key = (x: number, y: number, z: number) =>
    `${Math.floor(x / size)},${Math.floor(y / size)},${Math.floor(z / size)}`;
  for (const p of kept) {
    const name = key(corners[9 * p]!, corners[9 * p + 1]!, corners[9 * p + 2]!);
    if (!cells.has(name)) cells.set(name, []);
    cells.get(name)!.push(p);
  }
  return {
    size,
    visit(x: number, y: number, z: number, see: (primitive: number, distance: number) => void): void {
      for (let n = 0; n < 27; n++) {
        const name = key(
          x + ((n % 3) - 1) * size,
          y + ((Math.floor(n / 3) % 3) - 1) * size,
          z + (Math.floor(n / 9) - 1) * size,
        );
        for (const p of cells.get(name) ?? []) {
          see(p, Math.hypot(x - corners[9 * p]!, y - corners[9 * p + 1]!, z - corners[9 * p + 2]!));
        }
      }
    },
  };
}

/** Area-weighted, unit. */
function measureNormals(x: Float32Array, triangles: Uint32Array): Float32Array {
  const normals = new Float32Array(x.length);
  addNormals(normals, x, triangles);
  for (let v = 0; v < x.length; v += 3) {
    const length = Math.hypot(normals[v]!, normals[v + 1]!, normals[v + 2]!);
    if (length > 0) for (let k = 0; k < 3; k++) normals[v + k]! /= length;
    else normals[v + 1] = 1;
  }
  return normals;
}
