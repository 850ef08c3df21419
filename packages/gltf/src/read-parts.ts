/** Triangle primitives of the deforming meshes, as `createCharacter` takes them. Float arrays are shared, not copied. */
import type { Document, GLTF, Mesh, Node, Primitive } from '@gltf-transform/core';
import { IsoskinError, type MorphInput, type PartInput, type Warning } from '@isoskin/core';
import type { Deforming } from './find-deforming.js';
import { FAN, listTriangles, STRIP, TRIANGLES } from './list-triangles.js';
import { readArray, readNumbers } from './read-numbers.js';
import type { BoneSet } from './read-skeleton.js';

/** Where a part comes from, for writing back into the same document. */
export interface PartSource {
  readonly node: Node;
  readonly mesh: Mesh;
  readonly primitive: Primitive;
  /** The same by their numbers in the file. */
  readonly nodeIndex: number;
  readonly meshIndex: number;
  readonly primitiveIndex: number;
}

export interface ReadParts {
  readonly parts: readonly PartInput[];
  readonly sources: readonly PartSource[];
  readonly morphs: readonly MorphInput[];
  /** Group → its first morph target. */
  readonly firstMorph: readonly number[];
}

export function readParts(
  json: GLTF.IGLTF,
  document: Document,
  deforming: readonly Deforming[],
  bindings: readonly BoneSet[],
  warnings: Warning[],
): ReadParts {
  const nodes = document.getRoot().listNodes();
  const meshes = document.getRoot().listMeshes();
  const parts: PartInput[] = [];
  const sources: PartSource[] = [];
  const morphs: MorphInput[] = [];
  const firstMorph: number[] = [];
  deforming.forEach(({ node: n, mesh: m, targets }, group) => {
    const node = nodes[n]!;
    const mesh = meshes[m]!;
    const first = morphs.length;
    const weights = json.nodes![n]!.weights ?? json.meshes![m]!.weights ?? [];
    const names = mesh.getExtras().targetNames;
    for (let k = 0; k < targets; k++) {
      const name = Array.isArray(names) && typeof names[k] === 'string' ? names[k] : `target ${k}`;
      morphs.push({ name, group, weight: weights[k] ?? 0 });
    }
    firstMorph.push(first);
    const primitives = mesh.listPrimitives();
    primitives.forEach((primitive, p) => {
      const place = `meshes[${m}].primitives[${p}]`;
      const name = node.getName() || mesh.getName() || `mesh ${m}`;
      const part = readPrimitive(primitive, bindings[group]!, deforming[group]!.skin !== undefined, place, warnings);
      if (!part) return;
      const deltas = primitive.listTargets().map((target, k) => {
        const accessor = target.getAttribute('POSITION');
        return accessor ? readNumbers(accessor, 3, `${place}.targets[${k}].POSITION`) : null;
      });
      parts.push({
        ...part,
        name: primitives.length > 1 ? `${name}.${p}` : name,
        group,
        ...(deltas.length > 0 && { morphs: { first, deltas } }),
      });
      sources.push({ node, mesh, primitive, nodeIndex: n, meshIndex: m, primitiveIndex: p });
    });
  });
  if (parts.length === 0) {
    throw new IsoskinError('EMPTY_MESH', 'The deforming meshes hold no triangle: export the model with its mesh');
  }
  return { parts, sources, morphs, firstMorph };
}

function readPrimitive(
  primitive: Primitive,
  binding: BoneSet,
  skinned: boolean,
  place: string,
  warnings: Warning[],
): Omit<PartInput, 'name' | 'group'> | undefined {
  const skip = (code: string, message: string) => void warnings.push({ code, message, place });
  const position = primitive.getAttribute('POSITION');
  const mode = primitive.getMode();
  if (mode !== TRIANGLES && mode !== STRIP && mode !== FAN) {
    return skip('NOT_TRIANGLES', 'Points or lines enclose no volume; they pass through untouched');
  }
  if (!position?.getArray()?.length) return skip('NO_POSITIONS', 'The primitive has no vertices; left out');
  const positions = readNumbers(position, 3, `${place}.attributes.POSITION`);
  const count = positions.length / 3;
  const triangles = readTriangles(primitive, count, place, warnings);
  const skin = skinned ? readSkin(primitive, count, binding, place, warnings) : rigidSkin(count, binding);
  const paint = readPaint(primitive, count, place);
  return {
    positions,
    ...(triangles && { triangles }),
    ...skin,
    scale: binding.scale,
    ...(paint.size > 0 && { paint }),
  };
}

/** Corners of the primitive's triangles; undefined for 0, 1, 2 … */
export function readTriangles(primitive: Primitive, count: number, place: string, warnings: Warning[]) {
  const accessor = primitive.getIndices();
  const indices = accessor ? readArray(accessor, 1, `${place}.indices`) : undefined;
  const mode = primitive.getMode();
  if (mode !== TRIANGLES) {
    const restart = indices ? 2 ** (8 * indices.BYTES_PER_ELEMENT) - 1 : -1;
    return listTriangles(mode, indices, count, restart);
  }
  const corners = indices?.length ?? count;
  if (corners % 3 === 0) return indices;
  const message = `${corners} corners are not whole triangles; the last ${corners % 3} are left out`;
  warnings.push({ code: 'CORNERS_LEFT_OVER', message, place });
  return (
    indices?.subarray(0, corners - (corners % 3)) ?? Uint32Array.from({ length: count - (count % 3) }, (_, i) => i)
  );
}

type SkinArrays = Pick<PartInput, 'bones' | 'weights' | 'influences'>;

/** An unskinned mesh hangs on its own node. */
function rigidSkin(count: number, binding: BoneSet): SkinArrays {
  const weights = new Float32Array(count).fill(1);
  return { bones: new Uint32Array(count).fill(binding.bones[0]!), weights, influences: 1 };
}

/** All sets JOINTS_n, WEIGHTS_n side by side, joints turned into bones. */
function readSkin(
  primitive: Primitive,
  count: number,
  { bones: boneOf }: BoneSet,
  place: string,
  warnings: Warning[],
): SkinArrays {
  const sets: { joints: ArrayLike<number>; weights: Float32Array | Float64Array }[] = [];
  for (let n = 0; primitive.getAttribute(`JOINTS_${n}`) || primitive.getAttribute(`WEIGHTS_${n}`); n++) {
    const jointAccessor = primitive.getAttribute(`JOINTS_${n}`);
    const weightAccessor = primitive.getAttribute(`WEIGHTS_${n}`);
    if (!jointAccessor || !weightAccessor) {
      const message = `JOINTS_${n} and WEIGHTS_${n} do not come together; the set is left out`;
      warnings.push({ code: 'SKIN_SET_INCOMPLETE', message, place });
      continue;
    }
    const joints = readArray(jointAccessor, 4, `${place}.attributes.JOINTS_${n}`);
    const weights = readNumbers(weightAccessor, 4, `${place}.attributes.WEIGHTS_${n}`);
    if (joints.length !== count * 4 || weights.length !== count * 4) {
      const message = `JOINTS_${n} or WEIGHTS_${n} is not as long as POSITION: the file is damaged, export it again`;
      throw new IsoskinError('ATTRIBUTE_COUNT', message, place);
    }
    sets.push({ joints, weights });
  }
  const influences = sets.length * 4;
  const bones = boneOf.every((bone) => bone <= 0xffff)
    ? new Uint16Array(count * influences)
    : new Uint32Array(count * influences);
  const weights = sets.length === 1 ? sets[0]!.weights : new Float32Array(count * influences);
  sets.forEach((set, s) => {
    for (let v = 0; v < count; v++) {
      for (let k = 0; k < 4; k++) {
        const joint = set.joints[v * 4 + k]!;
        const weight = set.weights[v * 4 + k]!;
        const to = v * influences + s * 4 + k;
        if (sets.length > 1) weights[to] = weight;
        const bone = boneOf[joint];
        if (bone === undefined && weight > 0) {
          throw new IsoskinError(
            'JOINT_OUT_OF_RANGE',
            `A vertex hangs on joint ${joint} with weight ${weight}, but its skin has ${boneOf.length} joints: bind the mesh again`,
            `${place}, vertex ${v}`,
          );
        }
        bones[to] = bone ?? boneOf[0]!; // an empty slot may say anything
      }
    }
  });
  return { bones, weights, influences };
}

/** Attributes of any name that begins with _, their first numbers, and the channels of colours: `_SOFT`, `COLOR_0.r`. */
function readPaint(primitive: Primitive, count: number, place: string): Map<string, Float32Array> {
  const paint = new Map<string, Float32Array>();
  for (const name of primitive.listSemantics()) {
    const isColour = name.startsWith('COLOR_');
    if (!isColour && !name.startsWith('_')) continue;
    const accessor = primitive.getAttribute(name)!;
    const width = accessor.getElementSize();
    const numbers = readNumbers(accessor, width, `${place}.attributes.${name}`);
    if (numbers.length !== count * width) continue; // createCharacter needs one value per vertex
    for (let c = 0; c < (isColour ? Math.min(4, width) : 1); c++) {
      const values = new Float32Array(count);
      for (let v = 0; v < count; v++) values[v] = numbers[v * width + c]!;
      paint.set(isColour ? `${name}.${'rgba'[c]}` : name, values);
    }
  }
  return paint;
}
