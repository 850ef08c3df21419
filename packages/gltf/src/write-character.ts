/** A character made in code as a .glb: the welded surface by part, skeleton, skin, morph targets and clips. */
import type { GLTF } from '@gltf-transform/core';
import { type Character, IsoskinError, type Part, POSE_STRIDE } from '@isoskin/core';
import { appendAccessor } from './patch/append-accessor.js';
import { createFile, type ElementType, type GltfFile, type NumberArray, type Usage } from './patch/gltf-file.js';
import { writeGlb } from './patch/write-glb.js';
import { type PartTriangles, splitByPart } from './split-by-part.js';

export interface WriteOptions {
  /** Base colour of each part, linear RGB from 0 to 1; parts without one get no material. */
  readonly colours?: readonly (readonly [number, number, number] | undefined)[];
}

/** Writes positions in world units as f32; `readCharacterFromBytes` gives the same character back. */
export async function writeCharacter(character: Character, options: WriteOptions = {}): Promise<Uint8Array> {
  const { skeleton, parts } = character;
  if (skeleton.fixedMatrices.size > 0) {
    const message =
      'A sheared node cannot be written as glTF translation, rotation and scale: freeze its transform first';
    throw new IsoskinError('SHEAR', message, skeleton.names[[...skeleton.fixedMatrices.keys()][0]!] ?? '');
  }
  const file = createFile('isoskin');
  const { json } = file;
  const nodes = createNodes(character);
  const roots = Array.from(skeleton.parents.keys()).filter((n) => skeleton.parents[n]! < 0);
  // glTF wants one common root of all joints.
  const top = roots.length > 1 ? [nodes.push({ name: character.name, children: roots }) - 1] : roots;
  json.scene = 0;
  json.scenes = [{ name: character.name, nodes: top }];
  json.nodes = nodes;
  json.skins = [createSkin(file, character, nodes)];
  json.meshes = [];

  const normals = measureNormals(character);
  const split = splitByPart(character);
  const groups = new Map<number, number>();
  parts.forEach((part, p) => {
    if (split[p]!.triangles.length === 0) return;
    let node = groups.get(part.group);
    if (node === undefined) {
      const mesh = json.meshes!.push(createMesh(character, part)) - 1;
      node = nodes.push({ name: part.name, mesh, skin: 0 }) - 1;
      groups.set(part.group, node);
      top.push(node);
    }
    const primitive = createPrimitive(file, character, part, split[p]!, normals);
    const colour = options.colours?.[p];
    if (colour) {
      const pbrMetallicRoughness = { baseColorFactor: [...colour, 1], metallicFactor: 0, roughnessFactor: 0.8 };
      primitive.material = (json.materials ??= []).push({ name: part.name, pbrMetallicRoughness }) - 1;
    }
    json.meshes![nodes[node]!.mesh!]!.primitives.push(primitive);
  });
  createAnimations(file, character, groups);
  return writeGlb(file);
}

function createNodes({ skeleton }: Character): GLTF.INode[] {
  const nodes: GLTF.INode[] = [];
  for (let n = 0; n < skeleton.nodeCount; n++) {
    const local = Array.from(skeleton.locals.subarray(n * POSE_STRIDE, (n + 1) * POSE_STRIDE));
    const [translation, rotation, scale] = [local.slice(0, 3), local.slice(3, 7), local.slice(7, 10)];
    nodes.push({
      name: skeleton.names[n]!,
      ...(translation.some((x) => x !== 0) && { translation }),
      ...(rotation.some((x, k) => x !== (k === 3 ? 1 : 0)) && { rotation }),
      ...(scale.some((x) => x !== 1) && { scale }),
    });
    const parent = nodes[skeleton.parents[n]!];
    if (parent) parent.children = [...(parent.children ?? []), n];
  }
  return nodes;
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
  normals: Float32Array,
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
  for (let set = 0; set * 4 < binding.maxInfluences; set++) {
    const joints = new (skeleton.boneCount <= 256 ? Uint8Array : Uint16Array)(vertices.length * 4);
    const weights = new Float32Array(vertices.length * 4);
    vertices.forEach((v, i) => {
      const from = binding.offsets[v]! + set * 4;
      for (let k = 0; k < 4 && from + k < binding.offsets[v + 1]!; k++) {
        joints[i * 4 + k] = binding.bones[from + k]!;
        weights[i * 4 + k] = binding.weights[from + k]!;
      }
    });
    attributes[`JOINTS_${set}`] = append(file, 'VEC4', joints, 'vertex');
    attributes[`WEIGHTS_${set}`] = append(file, 'VEC4', weights, 'vertex');
  }

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

function createAnimations(file: GltfFile, character: Character, groups: ReadonlyMap<number, number>): void {
  const shared = new Map<ArrayLike<number>, number>();
  const accessorOf = (array: Float32Array | Float64Array, type: ElementType, usage: Usage) => {
    const index = shared.get(array) ?? append(file, type, Float32Array.from(array), usage, usage === 'times');
    shared.set(array, index);
    return index;
  };
  const animations: GLTF.IAnimation[] = [];
  for (const clip of character.clips) {
    const animation: GLTF.IAnimation = { name: clip.name, channels: [], samplers: [] };
    for (const { target, path, interpolation, times, values } of clip.channels) {
      const node = path === 'weights' ? groups.get(character.morphs[target]!.group) : target;
      if (node === undefined) continue;
      const type = path === 'weights' ? 'SCALAR' : path === 'rotation' ? 'VEC4' : 'VEC3';
      const [input, output] = [accessorOf(times, 'SCALAR', 'times'), accessorOf(values, type, 'values')];
      const sampler = animation.samplers.push({ input, output, interpolation }) - 1;
      animation.channels.push({ sampler, target: { node, path } });
    }
    if (animation.channels.length > 0) animations.push(animation); // glTF allows no empty animation
  }
  if (animations.length > 0) file.json.animations = animations;
}

function append(file: GltfFile, type: ElementType, array: NumberArray, usage: Usage, range = false): number {
  return appendAccessor(file, { type, array, usage, range });
}

/** Area-weighted unit normals of the welded surface, #V×3: the sum of (b − a) × (c − a) over a vertex's triangles. */
function measureNormals({ surface: { positions: x, triangles, vertexCount } }: Character): Float32Array {
  const sums = new Float64Array(vertexCount * 3);
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [triangles[t]! * 3, triangles[t + 1]! * 3, triangles[t + 2]! * 3];
    const [ux, uy, uz] = [x[b]! - x[a]!, x[b + 1]! - x[a + 1]!, x[b + 2]! - x[a + 2]!];
    const [vx, vy, vz] = [x[c]! - x[a]!, x[c + 1]! - x[a + 1]!, x[c + 2]! - x[a + 2]!];
    const normal = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    for (const v of [a, b, c]) for (let k = 0; k < 3; k++) sums[v + k]! += normal[k]!;
  }
  const normals = new Float32Array(vertexCount * 3);
  for (let v = 0; v < normals.length; v += 3) {
    const length = Math.hypot(sums[v]!, sums[v + 1]!, sums[v + 2]!);
    if (length > 0) for (let k = 0; k < 3; k++) normals[v + k] = sums[v + k]! / length;
    else normals[v + 1] = 1;
  }
  return normals;
}
