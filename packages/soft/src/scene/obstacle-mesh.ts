import type { ObstacleSpec } from './scene-spec.js';
import type { SurfaceMesh } from './simulation.js';

const AROUND = 32;
const ALONG = 8;

/** The mesh of an obstacle in its own frame, to draw it. A plane becomes a square as wide as `extent`. */
export function createObstacleMesh({ shape, radius = 0, length = 0, size }: ObstacleSpec, extent: number): SurfaceMesh {
  if (shape === 'plane') {
    const h = extent / 2;
    return {
      positions: Float32Array.of(-h, 0, -h, -h, 0, h, h, 0, h, h, 0, -h),
      normals: Float32Array.of(0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0),
      triangles: Uint32Array.of(0, 1, 2, 0, 2, 3),
    };
  }
  return shape === 'capsule' ? createCapsule(radius, length / 2) : createRoundedBox(size!, radius);
}

/** Half spheres at x = ±half, rings around the x axis, poles as rings of coinciding points. */
function createCapsule(radius: number, half: number): SurfaceMesh {
  const positions: number[] = [];
  const normals: number[] = [];
  for (let ring = 0; ring < 2 * ALONG + 2; ring++) {
    const right = ring > ALONG;
    const angle = (Math.PI / 2) * (right ? (ring - ALONG - 1) / ALONG : ring / ALONG - 1);
    for (let n = 0; n < AROUND; n++) {
      const turn = (2 * Math.PI * n) / AROUND;
      const normal = [Math.sin(angle), Math.cos(angle) * Math.cos(turn), Math.cos(angle) * Math.sin(turn)];
      normals.push(...normal);
      positions.push(radius * normal[0]! + (right ? half : -half), radius * normal[1]!, radius * normal[2]!);
    }
  }
  const triangles: number[] = [];
  for (let ring = 0; ring < 2 * ALONG + 1; ring++) {
    for (let n = 0; n < AROUND; n++) {
      const [a, b] = [ring * AROUND + n, ring * AROUND + ((n + 1) % AROUND)];
      if (ring > 0) triangles.push(a, b, a + AROUND);
      if (ring < 2 * ALONG) triangles.push(b, b + AROUND, a + AROUND);
    }
  }
  return pack(positions, normals, triangles);
}

/** Six grids; a point of the cube goes to the nearest point of the inner box, then outwards by the rounding. */
function createRoundedBox(size: readonly number[], radius: number): SurfaceMesh {
  const positions: number[] = [];
  const normals: number[] = [];
  const triangles: number[] = [];
  const inner = size.map((side) => side / 2 - radius);
  // Rows of the grid: the rounding in ALONG steps, the flat part in one.
  const steps = Array.from({ length: ALONG + 1 }, (_, i) => Math.tan((Math.PI / 4) * (i / ALONG)));
  const cuts = [...steps.map((s) => ({ at: -1, over: -s })).reverse(), ...steps.map((s) => ({ at: 1, over: s }))];
  for (let axis = 0; axis < 3; axis++) {
    for (const side of [-1, 1]) {
      const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
      const start = positions.length / 3;
      for (const row of cuts) {
        for (const column of cuts) {
          const normal = [0, 0, 0];
          normal[axis] = side;
          normal[u] = radius > 0 ? row.over : 0;
          normal[v] = radius > 0 ? column.over : 0;
          const scale = 1 / Math.hypot(...normal);
          const base = [0, 0, 0];
          base[axis] = side * inner[axis]!;
          base[u] = row.at * inner[u]!;
          base[v] = column.at * inner[v]!;
          for (let k = 0; k < 3; k++) {
            normals.push(normal[k]! * scale);
            positions.push(base[k]! + radius * normal[k]! * scale);
          }
        }
      }
      const width = cuts.length;
      for (let i = 0; i + 1 < width; i++) {
        for (let j = 0; j + 1 < width; j++) {
          // Without a rounding all rows but the middle pair coincide.
          if (radius === 0 && (i !== ALONG || j !== ALONG)) continue;
          const [a, b, c, d] = [0, 1, width + 1, width].map((k) => start + i * width + j + k) as [
            number,
            number,
            number,
            number,
          ];
          if (side > 0) triangles.push(a, d, c, a, c, b);
          else triangles.push(a, c, d, a, b, c);
        }
      }
    }
  }
  return pack(positions, normals, triangles);
}

function pack(positions: readonly number[], normals: readonly number[], triangles: readonly number[]): SurfaceMesh {
  return {
    positions: Float32Array.from(positions),
    normals: Float32Array.from(normals),
    triangles: Uint32Array.from(triangles),
  };
}
