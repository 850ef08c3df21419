/**
 * The door of the mathematics: raw arrays of a file in, a checked, welded, closed `Character` out.
 *
 * Throws `IsoskinError` where nothing sensible can be computed; mends the rest and says so in `warnings`. Time and memory
 * grow linearly with the file.
 */
import type { Warning } from '../error.js';
import { createSurface } from '../mesh/create-surface.js';
import { many } from '../mesh/describe-defects.js';
import { joinBorders } from '../mesh/join-borders.js';
import { measureDiagonal } from '../mesh/measure-box.js';
import { type WeldInput, weldVertices } from '../mesh/weld-vertices.js';
import type { Skeleton } from '../skeleton/skeleton.js';
import type { Binding, Character, CharacterInput, Part, PartInput, SkeletonInput } from './character.js';
import { checkClips } from './check-clips.js';
import { checkInput } from './check-input.js';
import { compareInfluences } from './compare-influences.js';
import { compareMorphs } from './compare-morphs.js';
import { markCorrectives } from './find-correctives.js';
import { mendWeights } from './mend-weights.js';
import { packMorphs } from './pack-morphs.js';

export const WELD_TOLERANCE = 1e-6;

/** Vertices on one place whose weights differ by more than this in L1 belong to parts that merely touch. */
const WEIGHT_DIFFERENCE = 0.2;

/** Vertices on one place whose morph deltas differ by more, relative to the size, part when morphed: closed lips, eyelids. */
const MORPH_DIFFERENCE = 1e-4;

/** Corner of a mirrored triangle, relative to its place: 0 2 1 instead of 0 1 2. */
const MIRROR = [0, 1, -1];

/** Raw arrays of a file in, a checked, welded, closed character out; what is mended is said in its warnings. */
export function createCharacter(input: CharacterInput): Character {
  checkInput(input);
  checkClips(input);
  return markCorrectives({ ...weldCharacter(input), clips: input.clips ?? [] });
}

/** A character without clips: a small runtime, whose host animates, then carries nothing that is about them. */
export function createStillCharacter(input: Omit<CharacterInput, 'clips'>): Character {
  checkInput(input);
  return weldCharacter(input);
}

function weldCharacter(input: CharacterInput): Character {
  const { parts } = input;
  const source = gatherSource(parts);
  const mended = mendWeights(parts, source.positions, input.skeleton.inverseBinds);
  const warnings: Warning[] = [...(input.warnings ?? []), ...mended.warnings];

  const size = measureDiagonal(source.positions);
  const movesAlike = compareMorphs(parts, source.vertexParts, size * MORPH_DIFFERENCE);
  const weldInput: WeldInput = {
    positions: source.positions,
    groups: source.vertexParts.map((p) => parts[p]!.group),
    tolerance: (input.weldTolerance ?? WELD_TOLERANCE) * size,
    size,
    isAlike: (a, b) => compareInfluences(mended.binding, a, b) <= WEIGHT_DIFFERENCE && movesAlike(a, b),
  };
  let weld = weldVertices(weldInput);
  if (input.borderTolerance) {
    weld = joinBorders(weld, source.triangles, { ...weldInput, tolerance: input.borderTolerance * size });
  }
  const { welded, leaders } = weld;
  if (weld.keptApart > 0) {
    warnings.push({
      code: 'VERTICES_KEPT_APART',
      message: `${many(weld.keptApart, 'vertex lies', 'vertices lie')} exactly on another one but with other weights or morphs: parts that merely touch are not joined.`,
      place: '',
    });
  }

  const positions = new Float64Array(3 * leaders.length);
  for (let v = 0; v < leaders.length; v++) {
    const from = 3 * leaders[v]!;
    positions[3 * v] = source.positions[from]!;
    positions[3 * v + 1] = source.positions[from + 1]!;
    positions[3 * v + 2] = source.positions[from + 2]!;
  }
  for (let c = 0; c < source.triangles.length; c++) source.triangles[c] = welded[source.triangles[c]!]!;
  const created = createSurface({
    positions,
    triangles: source.triangles,
    vertexParts: leaders.map((v) => source.vertexParts[v]!),
    parts,
  });
  const binding = pickRows(mended.binding, leaders);
  return {
    name: input.name,
    surface: { ...created.surface, signs: measureSigns(positions, binding) },
    skeleton: copySkeleton(input.skeleton),
    binding,
    morphs: packMorphs(input, welded, leaders),
    morphWeights: Float64Array.from(input.morphs ?? [], (m) => m.weight),
    clips: [],
    parts: listParts(parts, welded),
    warnings: [...warnings, ...created.warnings],
  };
}

/** Which way the bones with higher numbers lie, along each axis: the same in a mirrored character, mirrored, and whatever the order of its vertices. */
function measureSigns(positions: Float64Array, { offsets, bones, weights }: Binding): number[] {
  const count = positions.length / 3;
  const ranks = new Float64Array(count);
  for (let k = 0; k < count; k++)
    for (let n = offsets[k]!; n < offsets[k + 1]!; n++) ranks[k]! += weights[n]! * bones[n]!;
  const mean = ranks.reduce((sum, rank) => sum + rank, 0) / (count || 1);
  return [0, 1, 2].map((r) => {
    let sum = 0;
    for (let k = 0; k < count; k++) sum += (ranks[k]! - mean) * positions[3 * k + r]!;
    return sum < 0 ? -1 : 1;
  });
}

interface Source {
  /** x̄ of the vertices of all parts, one part after the other, #×3. */
  readonly positions: Float64Array;
  /** Triangles of all parts over these vertices. */
  readonly triangles: Uint32Array;
  readonly vertexParts: Uint32Array;
}

function gatherSource(parts: readonly PartInput[]): Source {
  let vertexCount = 0;
  let cornerCount = 0;
  for (const part of parts) {
    vertexCount += part.positions.length / 3;
    cornerCount += part.triangles?.length ?? part.positions.length / 3;
  }
  const positions = new Float64Array(3 * vertexCount);
  const triangles = new Uint32Array(cornerCount);
  const vertexParts = new Uint32Array(vertexCount);
  let base = 0;
  let corner = 0;
  for (const [p, part] of parts.entries()) {
    const count = part.positions.length / 3;
    const scale = part.scale ?? 1;
    for (let i = 0; i < 3 * count; i++) positions[3 * base + i] = scale * part.positions[i]!;
    vertexParts.fill(p, base, base + count);
    const corners = part.triangles?.length ?? count;
    for (let i = 0; i < corners; i++) {
      // A mirroring scale turns the surface inside out: wind its triangles the other way.
      const c = scale < 0 ? i + MIRROR[i % 3]! : i;
      triangles[corner++] = base + (part.triangles?.[c] ?? c);
    }
    base += count;
  }
  return { positions, triangles, vertexParts };
}

function pickRows(binding: Binding, rows: Uint32Array): Binding {
  const offsets = new Uint32Array(rows.length + 1);
  let maxInfluences = 0;
  for (let v = 0; v < rows.length; v++) {
    const length = binding.offsets[rows[v]! + 1]! - binding.offsets[rows[v]!]!;
    offsets[v + 1] = offsets[v]! + length;
    maxInfluences = Math.max(maxInfluences, length);
  }
  const bones = new Uint32Array(offsets[rows.length]!);
  const weights = new Float64Array(offsets[rows.length]!);
  for (let v = 0, to = 0; v < rows.length; v++) {
    for (let from = binding.offsets[rows[v]!]!; from < binding.offsets[rows[v]! + 1]!; from++, to++) {
      bones[to] = binding.bones[from]!;
      weights[to] = binding.weights[from]!;
    }
  }
  return { offsets, bones, weights, maxInfluences, weightSumError: binding.weightSumError };
}

/** The skeleton of a character, in arrays of its own where lists were given. */
export function copySkeleton(input: SkeletonInput): Skeleton {
  return {
    nodeCount: input.names.length,
    names: input.names,
    parents: Int32Array.from(input.parents),
    locals: input.locals,
    fixedMatrices: input.fixedMatrices ?? new Map(),
    boneCount: input.boneNodes.length,
    boneNodes: Uint32Array.from(input.boneNodes),
    inverseBinds: input.inverseBinds,
  };
}

function listParts(parts: readonly PartInput[], welded: Uint32Array): Part[] {
  let base = 0;
  return parts.map((part) => {
    const vertexCount = part.positions.length / 3;
    const begin = base;
    base += vertexCount;
    return {
      name: part.name,
      group: part.group,
      vertexCount,
      welded: welded.slice(begin, base),
      scale: part.scale ?? 1,
      paint: part.paint ?? new Map(),
    };
  });
}
