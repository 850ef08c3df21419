/** A character made in code as a .glb: the welded surface by part, skeleton, skin, morph targets and clips. */
import { type Accessor, Document, Logger, type Mesh, type Node, type Skin, WebIO } from '@gltf-transform/core';
import { type Character, IsoskinError, type Part, POSE_STRIDE } from '@isoskin/core';
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
  const document = new Document().setLogger(new Logger(Logger.Verbosity.SILENT));
  document.getRoot().getAsset().generator = 'isoskin';
  document.createBuffer();
  const scene = document.createScene(character.name);
  document.getRoot().setDefaultScene(scene);

  const nodes = createNodes(document, character);
  const roots = nodes.filter((node) => !node.getParentNode());
  // glTF wants one common root of all joints.
  const top = roots.length > 1 ? [document.createNode(character.name)] : roots;
  if (roots.length > 1) for (const root of roots) top[0]!.addChild(root);
  for (const node of top) scene.addChild(node);
  const skin = createSkin(document, character, nodes);

  const normals = measureNormals(character);
  const split = splitByPart(character);
  const groups = new Map<number, Node>();
  parts.forEach((part, p) => {
    if (split[p]!.triangles.length === 0) return;
    let node = groups.get(part.group);
    if (!node) {
      const mesh = createMesh(document, character, part);
      node = document.createNode(part.name).setMesh(mesh).setSkin(skin);
      groups.set(part.group, node);
      scene.addChild(node);
    }
    const primitive = createPrimitive(document, character, part, split[p]!, normals);
    const colour = options.colours?.[p];
    if (colour) {
      const material = document.createMaterial(part.name).setBaseColorFactor([...colour, 1]);
      primitive.setMaterial(material.setMetallicFactor(0).setRoughnessFactor(0.8));
    }
    node.getMesh()!.addPrimitive(primitive);
  });
  createAnimations(document, character, nodes, groups);
  return new WebIO().setLogger(document.getLogger()).writeBinary(document);
}

function createNodes(document: Document, { skeleton }: Character): Node[] {
  const nodes: Node[] = [];
  for (let n = 0; n < skeleton.nodeCount; n++) {
    const [x, y, z, qx, qy, qz, qw, sx, sy, sz] = skeleton.locals.subarray(n * POSE_STRIDE) as unknown as number[];
    const node = document
      .createNode(skeleton.names[n]!)
      .setTranslation([x!, y!, z!])
      .setRotation([qx!, qy!, qz!, qw!])
      .setScale([sx!, sy!, sz!]);
    if (skeleton.parents[n]! >= 0) nodes[skeleton.parents[n]!]!.addChild(node);
    nodes.push(node);
  }
  return nodes;
}

function createSkin(document: Document, { name, skeleton }: Character, nodes: readonly Node[]): Skin {
  const skin = document.createSkin(name);
  const used = new Set<Node>();
  for (const [bone, n] of skeleton.boneNodes.entries()) {
    let joint = nodes[n]!;
    if (used.has(joint)) {
      // A joint is listed once; a second bind matrix hangs on an empty child.
      joint = document.createNode(`${joint.getName()} bone ${bone}`);
      nodes[n]!.addChild(joint);
    }
    used.add(joint);
    skin.addJoint(joint);
  }
  return skin.setInverseBindMatrices(createAccessor(document, 'MAT4', Float32Array.from(skeleton.inverseBinds)));
}

function createMesh(document: Document, { morphs, morphWeights }: Character, part: Part): Mesh {
  const mesh = document.createMesh(part.name);
  const own = morphs.map((morph, m) => ({ morph, m })).filter(({ morph }) => morph.group === part.group);
  if (own.length === 0) return mesh;
  mesh.setWeights(own.map(({ m }) => morphWeights[m]!));
  return mesh.setExtras({ targetNames: own.map(({ morph }) => morph.name) });
}

function createPrimitive(
  document: Document,
  character: Character,
  part: Part,
  { vertices, triangles }: PartTriangles,
  normals: Float32Array,
) {
  const { surface, binding, skeleton, morphs } = character;
  const gather = (from: ArrayLike<number>) => {
    const out = new Float32Array(vertices.length * 3);
    vertices.forEach((v, i) => {
      for (let k = 0; k < 3; k++) out[i * 3 + k] = from[v * 3 + k]!;
    });
    return out;
  };
  const indices = vertices.length <= 0xffff ? Uint16Array.from(triangles) : triangles;
  const primitive = document
    .createPrimitive()
    .setIndices(createAccessor(document, 'SCALAR', indices))
    .setAttribute('POSITION', createAccessor(document, 'VEC3', gather(surface.positions)))
    .setAttribute('NORMAL', createAccessor(document, 'VEC3', gather(normals)));

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
    primitive.setAttribute(`JOINTS_${set}`, createAccessor(document, 'VEC4', joints));
    primitive.setAttribute(`WEIGHTS_${set}`, createAccessor(document, 'VEC4', weights));
  }

  const local = new Map(Array.from(vertices, (v, i) => [v, i]));
  for (const [name, values] of part.paint) {
    if (!name.startsWith('_')) continue;
    const painted = new Float32Array(vertices.length);
    part.welded.forEach((v, source) => {
      if (local.has(v)) painted[local.get(v)!] = values[source]!;
    });
    primitive.setAttribute(name, createAccessor(document, 'SCALAR', painted));
  }
  for (const morph of morphs) {
    if (morph.group !== part.group) continue;
    const deltas = new Float32Array(vertices.length * 3);
    morph.vertices.forEach((v, i) => {
      const to = local.get(v);
      if (to !== undefined) deltas.set(morph.deltas.subarray(i * 3, i * 3 + 3), to * 3);
    });
    primitive.addTarget(
      document.createPrimitiveTarget(morph.name).setAttribute('POSITION', createAccessor(document, 'VEC3', deltas)),
    );
  }
  return primitive;
}

function createAnimations(document: Document, character: Character, nodes: readonly Node[], groups: Map<number, Node>) {
  const shared = new Map<ArrayLike<number>, Accessor>();
  const accessorOf = (array: Float32Array | Float64Array, type: string) => {
    if (!shared.has(array)) shared.set(array, createAccessor(document, type, Float32Array.from(array)));
    return shared.get(array)!;
  };
  for (const clip of character.clips) {
    const animation = document.createAnimation(clip.name);
    for (const { target, path, interpolation, times, values } of clip.channels) {
      const node = path === 'weights' ? groups.get(character.morphs[target]!.group) : nodes[target];
      if (!node) continue;
      const type = path === 'weights' ? 'SCALAR' : path === 'rotation' ? 'VEC4' : 'VEC3';
      const sampler = document
        .createAnimationSampler()
        .setInterpolation(interpolation)
        .setInput(accessorOf(times, 'SCALAR'))
        .setOutput(accessorOf(values, type));
      const channel = document.createAnimationChannel().setTargetNode(node).setTargetPath(path).setSampler(sampler);
      animation.addSampler(sampler).addChannel(channel);
    }
    if (animation.listChannels().length === 0) animation.dispose(); // glTF allows no empty animation
  }
}

type NumberArray = Float32Array<ArrayBuffer> | Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer> | Uint32Array;

function createAccessor(document: Document, type: string, array: NumberArray): Accessor {
  const buffer = document.getRoot().listBuffers()[0]!;
  return document
    .createAccessor()
    .setType(type as ReturnType<Accessor['getType']>)
    .setArray(array as Parameters<Accessor['setArray']>[0])
    .setBuffer(buffer);
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
