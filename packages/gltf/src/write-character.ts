/** A character made in code as a .glb: the welded surface by part, skeleton, skin, morph targets and clips. */
import type { GLTF } from '@gltf-transform/core';
import { type Character, IsoskinError } from '@isoskin/core';
import type { Part } from '@isoskin/core/mesh';
import { measureNormals } from './bake/turn-direction.js';
import { addClips, addInfluences, addSkeleton } from './patch/add-rig.js';
import { appendAccessor } from './patch/append-accessor.js';
import { createFile, type ElementType, type GltfFile, type NumberArray, type Usage } from './patch/gltf-file.js';
import { writeGlb } from './patch/write-glb.js';
import { type PartTriangles, splitByPart } from './split-by-part.js';

export interface WriteOptions {
  /** Base colour of each part, linear RGB from 0 to 1; parts without one get no material. */
  readonly colours?: readonly (readonly [number, number, number] | undefined)[];
}

/** Writes positions in world units as f32; `readCharacterFromBytes` gives the same character back, its vertices in the order of `splitByPart`. */
export async function writeCharacter(character: Character, options: WriteOptions = {}): Promise<Uint8Array> {
  const { skeleton, parts } = character;
  if (skeleton.fixedMatrices.size > 0) {
    const message =
      'A sheared node cannot be written as glTF translation, rotation and scale: freeze its transform first';
    throw new IsoskinError('SHEAR', message, skeleton.names[[...skeleton.fixedMatrices.keys()][0]!] ?? '');
  }
  const file = createFile('isoskin');
  const { json } = file;
  addSkeleton(json, skeleton, character.name);
  const [nodes, scene] = [json.nodes!, json.scenes![0]!];
  json.skins = [createSkin(file, character, nodes)];
  json.meshes = [];

  const normals = new Float64Array(character.surface.positions.length);
  measureNormals(normals, character.surface, character.surface.positions);
  for (let i = 0; i < normals.length; i += 3) {
    if (Math.hypot(normals[i]!, normals[i + 1]!, normals[i + 2]!) < 0.5) normals[i + 1] = 1; // nothing to stand on
  }
  const split = splitByPart(character);
  const groups = new Map<number, number>();
  parts.forEach((part, p) => {
    if (split[p]!.triangles.length === 0) return;
    let node = groups.get(part.group);
    if (node === undefined) {
      const mesh = json.meshes!.push(createMesh(character, part)) - 1;
      node = nodes.push({ name: part.name, mesh, skin: 0 }) - 1;
      groups.set(part.group, node);
      scene.nodes = [...(scene.nodes ?? []), node];
    }
    const primitive = createPrimitive(file, character, part, split[p]!, normals);
    const colour = options.colours?.[p];
    if (colour) {
      const pbrMetallicRoughness = { baseColorFactor: [...colour, 1], metallicFactor: 0, roughnessFactor: 0.8 };
      primitive.material = (json.materials ??= []).push({ name: part.name, pbrMetallicRoughness }) - 1;
    }
    json.meshes![nodes[node]!.mesh!]!.primitives.push(primitive);
  });
  addClips(file, character.clips, ({ path, target }) =>
    path === 'weights' ? groups.get(character.morphs[target]!.group) : target,
  );
  return writeGlb(file);
}

function createSkin(file: GltfFile, { name, skeleton }: Character, nodes: GLTF.INode[]): GLTF.ISkin {
  const used = new Set<number>();
  const joints = Array.from(skeleton.boneNodes, (n, bone) => {
    let joint = n;
    if (used.has(joint)) {
      // A joint is listed once; a second bind matrix hangs on an empty child.
      joint = nodes.push({ name: `${nodes[n]!.name} bone ${bone}` }) - 1;
      nodes[n]!.children = [...(nodes[n]!.children ?? []), joint];
    }
    used.add(joint);
    return joint;
  });
  return { name, joints, inverseBindMatrices: append(file, 'MAT4', Float32Array.from(skeleton.inverseBinds), 'bind') };
}

function createMesh({ morphs, morphWeights }: Character, part: Part): GLTF.IMesh {
  const mesh: GLTF.IMesh = { name: part.name, primitives: [] };
  const own = morphs.map((morph, m) => ({ morph, m })).filter(({ morph }) => morph.group === part.group);
  if (own.length === 0) return mesh;
  const weights = own.map(({ m }) => morphWeights[m]!);
  return { ...mesh, weights, extras: { targetNames: own.map(({ morph }) => morph.name) } };
}

function createPrimitive(
  file: GltfFile,
  character: Character,
  part: Part,
  { vertices, triangles }: PartTriangles,
  normals: Float64Array,
): GLTF.IMeshPrimitive {
  const { surface, binding, skeleton, morphs } = character;
  const gather = (from: ArrayLike<number>) => {
    const out = new Float32Array(vertices.length * 3);
    vertices.forEach((v, i) => {
      for (let k = 0; k < 3; k++) out[i * 3 + k] = from[v * 3 + k]!;
    });
    return out;
  };
  const corners = vertices.length <= 0xffff ? Uint16Array.from(triangles) : Uint32Array.from(triangles);
  const indices = append(file, 'SCALAR', corners, 'index');
  const attributes: Record<string, number> = {
    POSITION: append(file, 'VEC3', gather(surface.positions), 'vertex', true),
    NORMAL: append(file, 'VEC3', gather(normals), 'vertex'),
  };
  Object.assign(attributes, addInfluences(file, binding, vertices, skeleton.boneCount));
  const local = new Map(Array.from(vertices, (v, i) => [v, i]));
  for (const [name, values] of part.paint) {
    if (!name.startsWith('_')) continue;
    const painted = new Float32Array(vertices.length);
    part.welded.forEach((v, source) => {
      if (local.has(v)) painted[local.get(v)!] = values[source]!;
    });
    attributes[name] = append(file, 'SCALAR', painted, 'vertex');
  }
  const own = morphs.filter(({ group }) => group === part.group);
  const targets = own.map((morph) => {
    const deltas = new Float32Array(vertices.length * 3);
    morph.vertices.forEach((v, i) => {
      const to = local.get(v);
      if (to !== undefined) deltas.set(morph.deltas.subarray(i * 3, i * 3 + 3), to * 3);
    });
    return { POSITION: append(file, 'VEC3', deltas, 'vertex', true) };
  });
  return { attributes, indices, ...(targets.length > 0 && { targets }) };
}

function append(file: GltfFile, type: ElementType, array: NumberArray, usage: Usage, range = false): number {
  return appendAccessor(file, { type, array, usage, range });
}
