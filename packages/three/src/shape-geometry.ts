/**
 * The geometry of a mesh with the shapes as further morph targets: index, attributes, groups and the targets of the file are the original's own
 * objects, so that nothing is uploaded twice. One for all meshes of the same plan, other meshes of the original geometry are left alone.
 *
 *   drawn = skin(position + Σ_m w_m target_m + Σ_s λ_s δ_s)        stock three.js
 *
 * Where the targets of the file are absolute (`morphTargetsRelative` false), so are the shapes.
 */
import type { ShapeTarget } from '@isoskin/core/kernels';
import { BufferAttribute, BufferGeometry, type InterleavedBufferAttribute, type SkinnedMesh } from 'three';
import { getComponent } from './get-component.js';

type Attribute = BufferAttribute | InterleavedBufferAttribute;

export interface ShapeGeometry {
  readonly geometry: BufferGeometry;
  /** Targets that were there before. */
  readonly first: number;
  /** Further target → shape, and its name. */
  readonly shapes: readonly number[];
  readonly names: readonly string[];
}

/** On a geometry with shapes: the one that it was made of. Found again by a module that was loaded anew. */
const ORIGINAL = Symbol.for('isoskin.original');
type Marked = BufferGeometry & { [ORIGINAL]?: { readonly geometry: BufferGeometry; readonly first: number } };

const KINDS = ['position', 'normal', 'color'] as const;

export function createShapeGeometry(
  original: BufferGeometry,
  targets: readonly ShapeTarget[],
  regions: readonly string[],
): ShapeGeometry {
  const geometry = shareGeometry(original);
  const first = Math.max(0, ...KINDS.map((kind) => original.morphAttributes[kind]?.length ?? 0));
  const isRelative = first === 0 || original.morphTargetsRelative;
  geometry.morphTargetsRelative = isRelative;
  const names = targets.map(({ shape }) => `isoskin ${regions[shape] ?? shape}`);
  const shapes = {
    position: targets.map((target) => target.positions),
    normal: targets.map((target) => target.normals),
  };
  for (const kind of KINDS) {
    const before = original.morphAttributes[kind];
    const base = original.attributes[kind];
    const hasShapes = kind === 'position' || (kind === 'normal' && shapes.normal.some((normals) => normals));
    if (!base || (!before && !hasShapes)) continue;
    const neutral = createNeutral(base, isRelative);
    const list = Array.from({ length: first }, (_, m) => before?.[m] ?? neutral);
    targets.forEach((_, t) => {
      const deltas = kind === 'color' ? undefined : shapes[kind][t];
      list.push(deltas ? createTarget(deltas, base, isRelative, names[t]!) : neutral);
    });
    geometry.morphAttributes[kind] = list;
  }
  (geometry as Marked)[ORIGINAL] = { geometry: original, first };
  return { geometry, first, shapes: targets.map(({ shape }) => shape), names };
}

/** Frees what the shapes take on GPUs, and nothing of the original. A clone that still draws them brings them back. */
export function freeShapeGeometry(
  { geometry }: Pick<ShapeGeometry, 'geometry'>,
  own: BufferGeometry['attributes'] = {},
): void {
  const { attributes, index } = geometry;
  // Renderers free all attributes of a geometry that is disposed of.
  Object.assign(geometry, { attributes: own, index: null });
  geometry.dispose();
  Object.assign(geometry, { attributes, index });
}

/** A mesh that was cloned while its volume was kept draws shapes, too: gives it the original. */
export function dropShapes(mesh: SkinnedMesh): void {
  const mark = (mesh.geometry as Marked | undefined)?.[ORIGINAL];
  if (!mark) return;
  mesh.geometry = mark.geometry;
  const { morphTargetDictionary: names, morphTargetInfluences: influences } = mesh;
  if (mark.first === 0) Object.assign(mesh, { morphTargetDictionary: undefined, morphTargetInfluences: undefined });
  else {
    if (influences) influences.length = Math.min(influences.length, mark.first);
    const own = Object.entries(names ?? {}).filter(([, target]) => target < mark.first);
    mesh.morphTargetDictionary = Object.fromEntries(own);
  }
}

/** Another geometry of the same objects, without morph targets. */
export function shareGeometry(original: BufferGeometry): BufferGeometry {
  const { name, userData, index, attributes, groups, drawRange, boundingBox, boundingSphere } = original;
  const own = { name, userData, index, attributes, groups, drawRange, boundingBox, boundingSphere };
  return Object.assign(new BufferGeometry(), own);
}

/** A target that changes nothing. */
function createNeutral(base: Attribute, isRelative: boolean): Attribute {
  return isRelative ? new BufferAttribute(new Float32Array(base.itemSize * base.count), base.itemSize) : base;
}

function createTarget(deltas: Float32Array, base: Attribute, isRelative: boolean, name: string): BufferAttribute {
  const values = isRelative ? deltas : deltas.map((delta, i) => getComponent(base, Math.trunc(i / 3), i % 3) + delta);
  const target = new BufferAttribute(values, 3);
  target.name = name;
  return target;
}
