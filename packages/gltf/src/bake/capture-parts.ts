/** The corrected surface of one moment, back on the vertices of the file, in world space. */
import type { BakeJob } from './bake-job.js';
import type { BakedSurface } from './plan-baked-surface.js';
import { blendDirection, measureNormals, turnDirection } from './turn-direction.js';
import { listDirections, type PartDirections } from './turn-directions.js';

/** A pose of one part in world space. */
export interface PartPose {
  readonly part: number;
  /** #×3. */
  readonly position: Float64Array;
  readonly normal: Float64Array | undefined;
  /** Without the sign. */
  readonly tangent: Float64Array | undefined;
}

/** Skinned points with a correction in world units, #U×3. */
export function placePoints({ skinned }: BakedSurface, row: Float32Array): Float32Array {
  return Float32Array.from(skinned, (x, i) => x + row[i]!);
}

/** Positions, normals and tangents of all parts; the surface must be posed, `points` are corrected (#U×3). */
export function captureParts(
  job: Pick<BakeJob, 'read' | 'source'>,
  surface: BakedSurface,
  points: Float32Array,
): PartPose[] {
  const { source } = job;
  const { character } = job.read;
  const { leaders } = source;
  const directions = listDirections(job);
  const pick = (from: ArrayLike<number>) =>
    Float64Array.from({ length: 3 * leaders.length }, (_, i) => from[3 * leaders[Math.floor(i / 3)]! + (i % 3)]!);
  const before = new Float64Array(3 * leaders.length);
  const after = new Float64Array(3 * leaders.length);
  measureNormals(before, character.surface, pick(surface.skinned));
  measureNormals(after, character.surface, pick(points));
  const turn = (part: number, semantic: PartDirections['semantic']) => {
    const own = directions.find((one) => one.part === part && one.semantic === semantic);
    if (!own) return undefined;
    const out = new Float64Array(3 * own.points.length);
    const n = new Float64Array(3);
    own.points.forEach((u, v) => {
      blendDirection(n, own.directions, own.width * v, surface.blends, 9 * u);
      turnDirection(n, before, after, 3 * source.welded[u]!);
      const length = Math.hypot(n[0]!, n[1]!, n[2]!) || 1;
      for (let r = 0; r < 3; r++) out[3 * v + r] = n[r]! / length;
    });
    return out;
  };
  return character.parts.map((_, part) => {
    const index = source.partPoints[part]!;
    const position = new Float64Array(3 * index.length);
    index.forEach((u, v) => {
      for (let r = 0; r < 3; r++) position[3 * v + r] = Math.fround(points[3 * u + r]!);
    });
    return { part, position, normal: turn(part, 'NORMAL'), tangent: turn(part, 'TANGENT') };
  });
}
