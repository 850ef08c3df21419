/**
 * What a mesh draws while wrinkles fold it: room for every vertex that its refinement may need, in memory taken once. The
 * triangles change only when a tool starts or stops to fold; UVs, colours and the like of new vertices are made once, as means.
 */
import type { Character } from '@isoskin/core';
import type { PartRefinement, RefinedSurface, Wrinkles } from '@isoskin/core/wrinkles';
import { planPartRefinement } from '@isoskin/core/wrinkles';
import { BufferAttribute, type BufferGeometry, DynamicDrawUsage } from 'three';
import type { MeshArrays } from './apply-mesh-layout.js';
import type { DrawnSurface } from './drawn-surface.js';
import { getComponent } from './get-component.js';
import { type DrawnAttributes, OWN_ATTRIBUTES } from './mesh-drawing.js';
import type { MeshLayout } from './plan-mesh-layout.js';

export interface RefinedMesh {
  readonly attributes: DrawnAttributes;
  /** Takes over the triangles of a surface; undefined: nothing is folded. */
  update(refined: RefinedSurface | undefined): void;
  /** Fills the new vertices behind those of the mesh, which are there already, and widens `box` to hold them. */
  apply(out: MeshArrays, surface: DrawnSurface, box: Float64Array): void;
}

type Group = { start: number; count: number; materialIndex?: number };

export function planRefinedMesh(
  character: Character,
  wrinkles: Wrinkles,
  geometry: BufferGeometry,
  layout: MeshLayout,
): RefinedMesh {
  const { welded, neighbour, vertexCount } = layout;
  const triangles = geometry.index?.array ?? Uint32Array.from({ length: vertexCount }, (_, i) => i);
  const whole = triangles.length - (triangles.length % 3);
  const groups = (geometry.groups as readonly Group[]).length > 0 ? [...(geometry.groups as Group[])] : [];
  groups.sort((a, b) => a.start - b.start);
  // Groups that do not share the triangles out between them are drawn with the first.
  const fits = groups.every(({ start }, g) => start === (g === 0 ? 0 : groups[g - 1]!.start + groups[g - 1]!.count));
  const starts = fits && groups.length > 0 ? groups.map(({ start }) => start / 3) : [0];
  const part = planPartRefinement(
    wrinkles.plan,
    character.surface.triangles,
    Array.prototype.slice.call(triangles, 0, whole),
    welded,
    starts,
  );
  const index = new BufferAttribute(new Uint32Array(part.capacity), 1).setUsage(DynamicDrawUsage);
  const ends = new Uint32Array(starts.length);
  const drawRange = { start: 0, count: Number.POSITIVE_INFINITY };
  const drawn = fits ? groups.map((group) => ({ ...group })) : [];
  const create = (width: number) =>
    new BufferAttribute(new Float32Array(width * part.vertexCount), width).setUsage(DynamicDrawUsage);
  const none = new Uint8Array(wrinkles.plan.patches.count);
  const unused = new Uint8Array(wrinkles.plan.vertexCount);
  let version = -1;

  const update = (refined: RefinedSurface | undefined): void => {
    const next = refined?.version ?? 0;
    if (next === version) return;
    version = next;
    const count = part.write(index.array as Uint32Array, refined?.levels ?? none, refined?.used ?? unused, ends);
    drawRange.count = count;
    drawn.forEach((group, g) => {
      group.start = g === 0 ? 0 : ends[g - 1]!;
      group.count = ends[g]! - group.start;
    });
    index.needsUpdate = true;
  };
  update(undefined);

  return {
    attributes: {
      position: create(3),
      normal: layout.normal && create(3),
      tangent: layout.tangent && create(4),
      index,
      drawRange,
      groups: drawn,
      others: new Map(
        Object.entries(geometry.attributes)
          .filter(([name]) => !OWN_ATTRIBUTES.has(name))
          .map(([name, attribute]) => [name, widen(attribute as BufferAttribute, part)]),
      ),
    },
    update,
    apply({ position, normal, tangent }, { positions, normals, refined }, box) {
      for (let i = part.baseCount; i < part.vertexCount; i++) {
        const v = part.toRefined[i]!;
        const isUsed = refined?.used[v] === 1;
        const at = 2 * (i - part.baseCount);
        const a = part.parents[at]!;
        const b = part.parents[at + 1]!;
        for (let r = 0; r < 3; r++) {
          const value = isUsed ? positions[3 * v + r]! : (position[3 * a + r]! + position[3 * b + r]!) / 2;
          position[3 * i + r] = value;
          if (value < box[r]!) box[r] = value;
          if (value > box[3 + r]!) box[3 + r] = value;
        }
        // Between authored normals (a hard edge) theirs count, else the normal of the fold.
        const isHard =
          !isUsed ||
          (a < part.baseCount && b < part.baseCount && (neighbour[a] !== welded[a] || neighbour[b] !== welded[b]));
        if (normal && !isHard) for (let r = 0; r < 3; r++) normal[3 * i + r] = normals[3 * v + r]!;
        if (normal && isHard) writeMean(normal, 3, i, a, b);
        if (tangent) {
          writeMean(tangent, 4, i, a, b);
          tangent[4 * i + 3] = tangent[4 * a + 3]!;
        }
      }
    },
  };
}

function writeMean(out: Float32Array, width: number, i: number, a: number, b: number): void {
  const x = out[width * a]! + out[width * b]!;
  const y = out[width * a + 1]! + out[width * b + 1]!;
  const z = out[width * a + 2]! + out[width * b + 2]!;
  const square = x * x + y * y + z * z;
  const unit = square > 0 ? 1 / Math.sqrt(square) : 0;
  out[width * i] = x * unit;
  out[width * i + 1] = y * unit;
  out[width * i + 2] = z * unit;
}

/** An attribute with the means for all new vertices behind it, as floats. */
function widen(attribute: BufferAttribute, { baseCount, vertexCount, parents }: PartRefinement): BufferAttribute {
  const width = attribute.itemSize;
  const out = new Float32Array(width * vertexCount);
  for (let i = 0; i < baseCount; i++) {
    for (let k = 0; k < width; k++) out[width * i + k] = getComponent(attribute, i, k);
  }
  for (let i = baseCount; i < vertexCount; i++) {
    const at = 2 * (i - baseCount);
    for (let k = 0; k < width; k++) {
      out[width * i + k] = (out[width * parents[at]! + k]! + out[width * parents[at + 1]! + k]!) / 2;
    }
  }
  return new BufferAttribute(out, width);
}
