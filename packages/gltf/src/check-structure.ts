/**
 * Validates the raw JSON of a glTF file before any library sees it: shapes, references between objects, and the node
 * graph (a forest). What real files get wrong and every viewer shows is mended in place and reported.
 * Linear in the size of the JSON.
 */
import type { GLTF } from '@gltf-transform/core';
import { IsoskinError, type Warning } from '@isoskin/core';
import { LIMITS } from '@isoskin/core/json';

type Json = Record<string, unknown>;
/** Top-level arrays and how many entries each has. */
type Counts = Record<string, number>;

const LISTS = [
  'accessors',
  'animations',
  'bufferViews',
  'buffers',
  'cameras',
  'images',
  'materials',
  'meshes',
  'nodes',
  'samplers',
  'scenes',
  'skins',
  'textures',
] as const;

export function checkStructure(json: unknown, warnings: Warning[]): GLTF.IGLTF {
  const root = object(json, 'the file');
  const asset = object(root.asset, 'asset');
  if (typeof asset.version !== 'string' || !/^2\./.test(asset.version)) {
    throw invalid(`asset.version is ${show(asset.version)}, only glTF 2.0 is read`, 'asset');
  }
  asset.version = '2.0';
  const counts: Counts = {};
  for (const list of LISTS) {
    const entries = optionalArray(root[list], list);
    counts[list] = entries.length;
    if (list === 'nodes') checkCount(entries.length, LIMITS.nodes, 'nodes');
    entries.forEach((entry, i) => {
      const { name } = object(entry, `${list}[${i}]`);
      if (name !== undefined && typeof name !== 'string') (entry as Json).name = show(name);
    });
  }
  for (const list of ['extensionsUsed', 'extensionsRequired']) {
    if (!optionalArray(root[list], list).every((name) => typeof name === 'string')) {
      throw invalid('names of extensions must be texts', list);
    }
  }
  for (const node of each(root, 'nodes')) checkNode(node.entry, node.place, counts);
  for (const mesh of each(root, 'meshes')) checkMesh(mesh.entry, mesh.place, counts);
  let joints = 0;
  for (const skin of each(root, 'skins')) joints += checkSkin(skin.entry, skin.place, counts);
  checkCount(joints, LIMITS.joints, 'joints');
  for (const animation of each(root, 'animations')) checkAnimation(animation.entry, animation.place, counts);
  for (const camera of each(root, 'cameras')) {
    const kind = camera.entry.type === 'perspective' ? 'perspective' : 'orthographic';
    object(camera.entry[kind], `${camera.place}.${kind}`);
  }
  for (const texture of each(root, 'textures')) {
    if (texture.entry.source === undefined && texture.entry.extensions === undefined) {
      // Drawn untextured by viewers; an image without data becomes a white one later.
      root.images ??= [];
      texture.entry.source = (root.images as Json[]).push({}) - 1;
      counts.images!++;
    }
    optionalReference(texture.entry, 'source', 'images', texture.place, counts);
    optionalReference(texture.entry, 'sampler', 'samplers', texture.place, counts);
  }
  for (const material of each(root, 'materials')) checkTextureInfos(material.entry, material.place, counts);
  optionalReference(root, 'scene', 'scenes', 'scene', counts);
  checkGraph(root, counts, warnings);
  return root as unknown as GLTF.IGLTF;
}

function checkNode(node: Json, place: string, counts: Counts): void {
  optionalReference(node, 'mesh', 'meshes', place, counts);
  optionalReference(node, 'skin', 'skins', place, counts);
  optionalReference(node, 'camera', 'cameras', place, counts);
  for (const [key, width] of Object.entries({ translation: 3, rotation: 4, scale: 3, matrix: 16 })) {
    const value = node[key];
    if (value === undefined) continue;
    const numbers = numberList(value, `${place}.${key}`);
    if (numbers.length !== width) throw invalid(`has ${numbers.length} numbers, not ${width}`, `${place}.${key}`);
  }
  if (node.weights !== undefined) numberList(node.weights, `${place}.weights`);
}

function checkMesh(mesh: Json, place: string, counts: Counts): void {
  if (mesh.weights !== undefined) numberList(mesh.weights, `${place}.weights`);
  array(mesh.primitives, `${place}.primitives`).forEach((entry, i) => {
    const at = `${place}.primitives[${i}]`;
    const primitive = object(entry, at);
    const attributes = object(primitive.attributes ?? {}, `${at}.attributes`);
    for (const name in attributes) reference(attributes[name], 'accessors', `${at}.attributes.${name}`, counts);
    optionalReference(primitive, 'indices', 'accessors', at, counts);
    optionalReference(primitive, 'material', 'materials', at, counts);
    optionalArray(primitive.targets, `${at}.targets`).forEach((entry, k) => {
      const target = object(entry, `${at}.targets[${k}]`);
      for (const name in target) reference(target[name], 'accessors', `${at}.targets[${k}].${name}`, counts);
    });
    const draco = extension(primitive, 'KHR_draco_mesh_compression');
    if (draco) {
      reference(draco.bufferView, 'bufferViews', `${at}.extensions.KHR_draco_mesh_compression.bufferView`, counts);
      for (const name in object(draco.attributes, `${at}.extensions.KHR_draco_mesh_compression.attributes`)) {
        if (!(name in attributes)) throw invalid(`${name} is compressed but not an attribute of the primitive`, at);
      }
    }
  });
}

/** Returns the number of its joints. */
function checkSkin(skin: Json, place: string, counts: Counts): number {
  const joints = array(skin.joints, `${place}.joints`);
  if (joints.length === 0) throw invalid('a skin needs at least one joint', `${place}.joints`);
  for (const [i, joint] of joints.entries()) reference(joint, 'nodes', `${place}.joints[${i}]`, counts);
  optionalReference(skin, 'inverseBindMatrices', 'accessors', place, counts);
  optionalReference(skin, 'skeleton', 'nodes', place, counts);
  return joints.length;
}

function checkAnimation(animation: Json, place: string, counts: Counts): void {
  const samplers = optionalArray(animation.samplers, `${place}.samplers`);
  samplers.forEach((entry, i) => {
    const at = `${place}.samplers[${i}]`;
    const sampler = object(entry, at);
    reference(sampler.input, 'accessors', `${at}.input`, counts);
    reference(sampler.output, 'accessors', `${at}.output`, counts);
  });
  optionalArray(animation.channels, `${place}.channels`).forEach((entry, i) => {
    const at = `${place}.channels[${i}]`;
    const channel = object(entry, at);
    reference(channel.sampler, 'samplers', `${at}.sampler`, { samplers: samplers.length });
    optionalReference(object(channel.target, `${at}.target`), 'node', 'nodes', `${at}.target`, counts);
  });
}

function checkCount(count: number, most: number, what: string): void {
  if (count <= most) return;
  const message = `The model has ${count} ${what}, and ${most} are the most that are read: split it, or take out what is not needed`;
  throw new IsoskinError('TOO_LARGE', message, what);
}

/** What stands under a key that ends in `Texture` points into `textures`, in the core material and Khronos extensions. */
function checkTextureInfos(value: Json, place: string, counts: Counts, depth = 0): void {
  for (const key in value) {
    const inner = value[key];
    if (key === 'extras' || (place.endsWith('.extensions') && !key.startsWith('KHR_'))) continue;
    if (/texture$/i.test(key)) {
      reference(object(inner, `${place}.${key}`).index, 'textures', `${place}.${key}.index`, counts);
    }
    if (typeof inner === 'object' && inner !== null && depth < 8) {
      checkTextureInfos(inner as Json, `${place}.${key}`, counts, depth + 1);
    }
  }
}

/** The nodes must be a forest: one parent at most, no cycle. */
function checkGraph(root: Json, counts: Counts, warnings: Warning[]): void {
  const count = counts.nodes!;
  const parents = new Int32Array(count).fill(-1);
  for (const { entry, place } of each(root, 'nodes')) {
    const index = Number(place.slice('nodes['.length, -1));
    for (const [i, child] of optionalArray(entry.children, `${place}.children`).entries()) {
      const to = reference(child, 'nodes', `${place}.children[${i}]`, counts);
      if (parents[to]! >= 0) {
        const message = `Node ${to} has two parents, ${parents[to]} and ${index}: give every node one parent`;
        throw new IsoskinError('NODE_TWO_PARENTS', message, `nodes[${to}]`);
      }
      parents[to] = index;
    }
  }
  const state = new Uint8Array(count); // 1: on the way up, 2: reaches a root
  for (let start = 0; start < count; start++) {
    let n = start;
    for (; n >= 0 && state[n] === 0; n = parents[n]!) state[n] = 1;
    if (n >= 0 && state[n] === 1) {
      throw new IsoskinError('NODE_CYCLE', `Node ${n} is its own ancestor: break the cycle`, `nodes[${n}]`);
    }
    for (n = start; n >= 0 && state[n] === 1; n = parents[n]!) state[n] = 2;
  }
  for (const { entry, place } of each(root, 'scenes')) {
    const nodes = optionalArray(entry.nodes, `${place}.nodes`);
    const indices = nodes.map((node, i) => reference(node, 'nodes', `${place}.nodes[${i}]`, counts));
    const roots = [...new Set(indices)].filter((node) => parents[node]! < 0);
    if (roots.length < indices.length) {
      const message = `${indices.length - roots.length} nodes of the scene are children of others or named twice; left where they are`;
      warnings.push({ code: 'SCENE_NOT_ROOT', message, place });
      entry.nodes = roots;
    }
  }
}

function* each(root: Json, list: (typeof LISTS)[number]): Generator<{ entry: Json; place: string }> {
  const entries = (root[list] ?? []) as Json[];
  for (let i = 0; i < entries.length; i++) yield { entry: entries[i]!, place: `${list}[${i}]` };
}

/** The object of an extension, if the entry carries it. */
export function extension(entry: { extensions?: unknown }, name: string): Json | undefined {
  const extensions = entry.extensions;
  if (typeof extensions !== 'object' || extensions === null || !(name in extensions)) return undefined;
  return object((extensions as Json)[name], `extensions.${name}`);
}

/** A whole number ≥ 0, or an error that names the place. */
export function wholeNumber(value: unknown, place: string): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0) {
    throw invalid(`is ${show(value)}, not a whole number from 0`, place);
  }
  return value as number;
}

/** An index into a top-level list, or an error that names the place. */
export function reference(value: unknown, list: string, place: string, counts: Counts): number {
  const index = wholeNumber(value, place);
  const count = counts[list] ?? 0;
  if (index < count) return index;
  throw new IsoskinError(
    'REFERENCE_OUT_OF_RANGE',
    `Points at ${list}[${index}], but there are ${count}: the file is damaged, export it again`,
    place,
  );
}

/** A value of the file, as far as a sentence can hold it. */
export function show(value: unknown): string {
  return (JSON.stringify(value) ?? 'missing').slice(0, 60);
}

export function invalid(what: string, place: string): IsoskinError {
  return new IsoskinError('JSON_STRUCTURE', `The glTF JSON is not valid, ${what}: export the model again`, place);
}

function optionalReference(entry: Json, key: string, list: string, place: string, counts: Counts): void {
  if (entry[key] !== undefined) reference(entry[key], list, place === key ? key : `${place}.${key}`, counts);
}

export function object(value: unknown, place: string): Json {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json;
  throw invalid(value === undefined ? 'an object is missing' : 'something is not an object', place);
}

function array(value: unknown, place: string): unknown[] {
  if (Array.isArray(value)) return value;
  throw invalid(value === undefined ? 'a list is missing' : 'something is not a list', place);
}

function optionalArray(value: unknown, place: string): unknown[] {
  return value === undefined ? [] : array(value, place);
}

function numberList(value: unknown, place: string): number[] {
  const numbers = array(value, place);
  if (numbers.every((x) => Number.isFinite(x))) return numbers as number[];
  throw invalid('a list holds something that is not a finite number', place);
}
