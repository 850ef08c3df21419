/**
 * Adds morph targets to meshes: those that were there stay, the new ones come after them with weight 0, and everything that
 * counts a mesh's targets (its weights, those of its nodes, the channels that drive them) counts the new ones too.
 */
import type { GLTF } from '@gltf-transform/core';
import { IsoskinError } from '@isoskin/core';
import { appendAccessor } from './append-accessor.js';
import { declareExtension, type GltfFile, type NumberArray } from './gltf-file.js';
import { listWeightChannels, readTrack, writeTrack } from './weight-track.js';

/** Deltas #×3 of the vertices `indices` (ascending), or of all vertices. Integers are normalised: 127 or 32767 is 1. */
export interface Deltas {
  readonly indices?: ArrayLike<number>;
  readonly deltas: Float32Array | Float64Array | Int16Array | Int8Array;
}

export interface TargetInput {
  readonly name: string;
  readonly positions?: Deltas | undefined;
  readonly normals?: Deltas | undefined;
  readonly tangents?: Deltas | undefined;
}

/** New targets of one primitive; all parts of a mesh have the same number of them. */
export interface PartTargets {
  readonly meshIndex: number;
  readonly primitiveIndex: number;
  readonly targets: readonly TargetInput[];
}

export interface AddTargetsOptions {
  /** Store mostly-zero deltas as sparse accessors. Default: yes. */
  readonly sparse?: boolean;
}

/** Mesh → its first new target. Primitives that are not named do not move. */
export function addTargets(
  file: GltfFile,
  parts: readonly PartTargets[],
  { sparse = true }: AddTargetsOptions = {},
): Map<number, number> {
  const first = new Map<number, number>();
  for (const mesh of new Set(parts.map(({ meshIndex }) => meshIndex))) {
    const own = parts.filter(({ meshIndex }) => meshIndex === mesh);
    const names = own[0]!.targets.map(({ name }) => name);
    if (own.some(({ targets }) => targets.length !== names.length)) {
      const message = 'Parts of one mesh have different numbers of targets: give each the same, empty where it rests';
      throw new IsoskinError('TARGET_COUNT', message, `meshes[${mesh}]`);
    }
    first.set(mesh, addToMesh(file, mesh, names, own, sparse));
  }
  return first;
}

/** Targets of a mesh: the most that any of its primitives has. */
export function countTargets({ primitives }: GLTF.IMesh): number {
  return Math.max(0, ...primitives.map(({ targets }) => targets?.length ?? 0));
}

function addToMesh(
  file: GltfFile,
  mesh: number,
  names: readonly string[],
  parts: readonly PartTargets[],
  sparse: boolean,
): number {
  const { json } = file;
  const entry = json.meshes![mesh]!;
  const old = countTargets(entry);
  const still = new Map<string, number>();
  entry.primitives.forEach((primitive, p) => {
    const own = parts.find(({ primitiveIndex }) => primitiveIndex === p);
    addToPrimitive(file, primitive, old, own?.targets ?? names.map((name) => ({ name })), sparse, still);
  });
  const zeros = names.map(() => 0);
  const pad = (weights: readonly number[] = []) => [...weights, ...new Array<number>(old).fill(0)].slice(0, old);
  entry.weights = [...pad(entry.weights), ...zeros];
  nameTargets(entry, old, names);
  json.nodes?.forEach((node) => {
    if (node.mesh === mesh && node.weights?.length) node.weights = [...pad(node.weights), ...zeros];
  });
  for (const { animation, channel } of old > 0 ? listWeightChannels(json, mesh) : []) {
    const track = readTrack(file, animation, channel, old);
    if (!track) continue;
    const keys = track.values.length / old;
    const values = new Float32Array(keys * (old + names.length));
    for (let k = 0; k < keys; k++) values.set(track.values.subarray(k * old, (k + 1) * old), k * (old + names.length));
    writeTrack(file, animation, channel, { ...track, width: old + names.length, values });
  }
  return old;
}

/** Names are not part of glTF itself: they are in the extras, unless those are of another kind. */
function nameTargets(entry: GLTF.IMesh, old: number, names: readonly string[]): void {
  const extras: unknown = entry.extras ?? {};
  if (typeof extras !== 'object' || extras === null || Array.isArray(extras)) return;
  const { targetNames } = extras as { targetNames?: unknown };
  const known = Array.isArray(targetNames) ? targetNames : [];
  const kept = Array.from({ length: old }, (_, k) => known[k] ?? `target ${k}`);
  entry.extras = { ...extras, targetNames: [...kept, ...names] };
}

const SEMANTICS = { positions: 'POSITION', normals: 'NORMAL', tangents: 'TANGENT' } as const;

function addToPrimitive(
  file: GltfFile,
  primitive: GLTF.IMeshPrimitive,
  old: number,
  added: readonly TargetInput[],
  sparse: boolean,
  still: Map<string, number>,
): void {
  const { json } = file;
  const count = json.accessors![primitive.attributes.POSITION ?? -1]?.count ?? 0;
  const zero = (semantic: string, type: 'VEC3' | 'VEC4'): number => {
    const key = `${semantic === 'POSITION'} ${type} ${count}`;
    const range = semantic === 'POSITION';
    const data = { type, array: new Float32Array(0), indices: [], count, usage: 'vertex', range } as const;
    if (!still.has(key)) still.set(key, appendAccessor(file, data));
    return still.get(key)!;
  };
  const targets = (primitive.targets ??= []) as Record<string, number>[];
  while (targets.length < old) targets.push({ POSITION: zero('POSITION', 'VEC3') });
  const all = added.flatMap((input, t) =>
    (Object.entries(SEMANTICS) as [keyof typeof SEMANTICS, string][]).flatMap(([key, semantic]) => {
      const deltas = input[key];
      // glTF morphs only what the base shape has.
      return deltas && semantic in primitive.attributes ? [{ t, semantic, moved: pickMoved(deltas) }] : [];
    }),
  );
  const pays = (one: Moved) => sparse && one.indices.length > 0 && paysSparse(one, count);
  const first = targets.length;
  for (const _ of added) targets.push({});
  // Every sparse accessor has indices of its own: tools that rewrite one of several that share them break the others.
  for (const { t, semantic, moved } of all) {
    targets[first + t]![semantic] =
      moved.indices.length > 0 ? appendDeltas(file, moved, count, semantic, pays(moved)) : zero(semantic, 'VEC3');
  }
  // Some viewers take a missing semantic for the base shape's: all targets of a primitive have the same ones.
  const types = new Map<string, 'VEC3' | 'VEC4'>([['POSITION', 'VEC3']]);
  for (const target of targets) {
    for (const name in target)
      if (name in primitive.attributes) types.set(name, json.accessors![target[name]!]!.type as 'VEC3' | 'VEC4');
  }
  for (const target of targets) for (const [name, type] of types) target[name] ??= zero(name, type);
}

/** What is not zero: vertices, and three numbers each. */
interface Moved {
  readonly indices: readonly number[];
  readonly values: NumberArray;
}

const isInteger = (values: NumberArray) => values instanceof Int8Array || values instanceof Int16Array;
const sizeOf = ({ values }: Moved) => 3 * values.BYTES_PER_ELEMENT;

function pickMoved({ deltas, indices }: Deltas): Moved {
  const given = (deltas instanceof Float64Array ? Float32Array.from(deltas) : deltas) as NumberArray;
  const moved: number[] = [];
  for (let i = 0; 3 * i < given.length; i++) {
    if (given[3 * i] !== 0 || given[3 * i + 1] !== 0 || given[3 * i + 2] !== 0) moved.push(i);
  }
  const values = given.slice(0, 3 * moved.length);
  moved.forEach((i, n) => {
    for (let k = 0; k < 3; k++) values[3 * n + k] = given[3 * i + k]!;
  });
  return { indices: indices ? moved.map((i) => indices[i]!) : moved, values };
}

function appendDeltas(
  file: GltfFile,
  { indices, values }: Moved,
  count: number,
  semantic: string,
  isSparse: boolean,
): number {
  if (isInteger(values)) declareExtension(file, 'KHR_mesh_quantization', true);
  let array = values;
  if (!isSparse) {
    array = new (values.constructor as new (length: number) => NumberArray)(3 * count);
    for (const [n, v] of indices.entries()) for (let k = 0; k < 3; k++) array[3 * v + k] = values[3 * n + k]!;
  }
  return appendAccessor(file, {
    type: 'VEC3',
    usage: 'vertex',
    range: semantic === 'POSITION',
    ...(isInteger(values) && { normalized: true }),
    ...(isSparse && { indices, count }),
    array,
  });
}

/** Sparse where it is smaller, with what it takes in the JSON. */
function paysSparse(moved: Moved, count: number): boolean {
  const size = sizeOf(moved);
  const index = count <= 255 ? 1 : count <= 65535 ? 2 : 4;
  return moved.indices.length * (size + index) + 40 < 0.9 * count * Math.ceil(size / 4) * 4;
}
