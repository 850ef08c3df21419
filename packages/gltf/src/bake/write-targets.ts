/** Puts baked targets and their weight channels into the document. */
import type { Accessor, Animation, AnimationSampler, Document, Mesh, Node, Primitive } from '@gltf-transform/core';
import { KHRMeshQuantization } from '@gltf-transform/extensions';
import type { ReadResult } from '../read-character-from-bytes.js';
import { readNumbers } from '../read-numbers.js';
import type { GroupBake, PartTargets, TargetArrays, WeightKeys } from './baked-group.js';
import { type ExistingKeys, mergeWeights } from './merge-weights.js';
import type { DeltaArray } from './quantise-deltas.js';
import { NORMALISED } from './write-binary.js';

export interface WriteTargetOptions {
  readonly fps: number;
  /** Store mostly-zero deltas as sparse accessors. */
  readonly sparse: boolean;
  readonly name: (target: number) => string;
}

/** `nodes`: group → the node whose mesh gets the targets. */
export function writeTargets(
  { document, sources }: ReadResult,
  nodes: readonly Node[],
  groups: readonly GroupBake[],
  options: WriteTargetOptions,
): void {
  if (groups.some(({ parts }) => parts.some(({ targets }) => targets.some(isQuantised)))) {
    document.createExtension(KHRMeshQuantization).setRequired(true);
  }
  for (const group of groups) {
    const node = nodes[group.group]!;
    const { mesh, copies } = ownMesh(document, node);
    const old = Math.max(0, ...mesh.listPrimitives().map((primitive) => primitive.listTargets().length));
    const arrays = new Map(group.parts.map(({ part, targets }) => [copies.get(sources[part]!.primitive)!, targets]));
    for (const primitive of mesh.listPrimitives())
      addTargets(document, primitive, old, arrays.get(primitive), group.count, options);

    const zeros = new Array<number>(group.count).fill(0);
    const weights = [...mesh.getWeights(), ...new Array(old).fill(0)].slice(0, old);
    const names = mesh.getExtras().targetNames;
    const known = Array.from({ length: old }, (_, k) => (Array.isArray(names) ? names[k] : undefined) ?? `target ${k}`);
    mesh.setWeights([...weights, ...zeros]);
    mesh.setExtras({ ...mesh.getExtras(), targetNames: [...known, ...zeros.map((_, k) => options.name(k))] });
    const own = node.getWeights();
    if (own.length > 0) node.setWeights([...[...own, ...new Array(old).fill(0)].slice(0, old), ...zeros]);
    const defaults = own.length > 0 ? node.getWeights().slice(0, old) : weights;
    document
      .getRoot()
      .listAnimations()
      .forEach((animation, clip) => {
        writeChannel(document, animation, node, group.keys[clip]!, defaults, options.fps);
      });
  }
}

function isQuantised({ position, normal, tangent }: TargetArrays): boolean {
  return [position, normal, tangent].some((array) => array && !(array instanceof Float32Array));
}

/** The node's mesh; a copy of its own where another node shows the same mesh. `copies`: primitive → that of the mesh. */
export function ownMesh(document: Document, node: Node): { mesh: Mesh; copies: Map<Primitive, Primitive> } {
  const mesh = node.getMesh()!;
  const users = document
    .getRoot()
    .listNodes()
    .filter((other) => other.getMesh() === mesh);
  const copies = new Map(mesh.listPrimitives().map((primitive) => [primitive, primitive]));
  if (users.length === 1) return { mesh, copies };
  const copy = mesh.clone();
  for (const primitive of mesh.listPrimitives()) {
    const twin = primitive.clone();
    copies.set(primitive, twin);
    copy.removePrimitive(primitive).addPrimitive(twin);
  }
  node.setMesh(copy);
  return { mesh: copy, copies };
}

function addTargets(
  document: Document,
  primitive: Primitive,
  old: number,
  arrays: PartTargets['targets'] | undefined,
  count: number,
  options: WriteTargetOptions,
): void {
  const vertices = primitive.getAttribute('POSITION')?.getCount() ?? 0;
  const still = () => new Float32Array(3 * vertices);
  // All primitives of a mesh have the same number of targets; those that were short get targets that do nothing.
  for (let k = primitive.listTargets().length; k < old; k++) {
    const accessor = createDeltas(document, still(), true);
    primitive.addTarget(document.createPrimitiveTarget().setAttribute('POSITION', accessor));
  }
  for (let k = 0; k < count; k++) {
    const own = arrays?.[k];
    const target = document.createPrimitiveTarget(options.name(k));
    target.setAttribute('POSITION', createDeltas(document, own?.position ?? still(), options.sparse || !own));
    if (own?.normal) target.setAttribute('NORMAL', createDeltas(document, own.normal, options.sparse));
    if (own?.tangent) target.setAttribute('TANGENT', createDeltas(document, own.tangent, options.sparse));
    primitive.addTarget(target);
  }
}

/** Sparse where it is smaller. */
function createDeltas(document: Document, array: DeltaArray, sparse: boolean): Accessor {
  const buffer = document.getRoot().listBuffers()[0] ?? document.createBuffer();
  const accessor = document.createAccessor().setType('VEC3').setArray(array).setBuffer(buffer);
  const isSparse = sparse && paysSparse(array);
  const isInteger = !(array instanceof Float32Array);
  if (isSparse) accessor.setSparse(true);
  // A sparse accessor of normalised integers would be written as fractions cut to 0: it is marked, and mended in the JSON.
  if (isInteger && isSparse) accessor.setExtras({ [NORMALISED]: true });
  else if (isInteger) accessor.setNormalized(true);
  return accessor;
}

function paysSparse(array: DeltaArray): boolean {
  let moved = 0;
  for (let i = 0; i < array.length; i += 3) if (array[i] !== 0 || array[i + 1] !== 0 || array[i + 2] !== 0) moved++;
  const count = array.length / 3;
  const size = array.BYTES_PER_ELEMENT;
  const index = count <= 255 ? 1 : count <= 65535 ? 2 : 4;
  return moved * (3 * size + index) + 40 < 0.9 * count * Math.ceil((3 * size) / 4) * 4;
}

function writeChannel(
  document: Document,
  animation: Animation,
  node: Node,
  added: WeightKeys,
  defaults: readonly number[],
  fps: number,
): void {
  const channel = animation
    .listChannels()
    .find((one) => one.getTargetNode() === node && one.getTargetPath() === 'weights');
  const { times, values } = mergeWeights(channel && readKeys(channel), defaults, added, fps);
  const buffer = document.getRoot().listBuffers()[0]!;
  const create = (array: Float32Array) =>
    document
      .createAccessor()
      .setType('SCALAR')
      .setArray(array as Float32Array<ArrayBuffer>)
      .setBuffer(buffer);
  const sampler = document
    .createAnimationSampler()
    .setInterpolation('LINEAR')
    .setInput(create(times))
    .setOutput(create(values));
  animation.addSampler(sampler);
  const old = channel?.getSampler();
  if (channel) channel.setSampler(sampler);
  if (old && !animation.listChannels().some((one) => one.getSampler() === old)) dropSampler(old);
  else
    animation.addChannel(
      document.createAnimationChannel().setTargetNode(node).setTargetPath('weights').setSampler(sampler),
    );
}

/** Takes a sampler out of the document, with the accessors that nothing else uses. */
export function dropSampler(sampler: AnimationSampler): void {
  const accessors = [sampler.getInput(), sampler.getOutput()];
  sampler.dispose();
  for (const accessor of accessors)
    if (accessor?.listParents().every((parent) => parent.propertyType === 'Root')) accessor.dispose();
}

type Channel = ReturnType<Animation['listChannels']>[number];

function readKeys(channel: Channel): ExistingKeys | undefined {
  const sampler = channel.getSampler();
  const [input, output] = [sampler?.getInput(), sampler?.getOutput()];
  if (!sampler || !input || !output || input.getCount() === 0) return undefined;
  return {
    interpolation: sampler.getInterpolation(),
    times: readNumbers(input, 1, 'input'),
    values: readNumbers(output, 1, 'output'),
  };
}
