import type { GLTF } from '@gltf-transform/core';
import { IsoskinError } from '@isoskin/core';
import { appendAccessor } from '../patch/append-accessor.js';
import { createFile, type GltfFile } from '../patch/gltf-file.js';
import { appendTimes } from '../patch/weight-track.js';
import { writeGlb } from '../patch/write-glb.js';

/**
 * Surfaces whose triangles change from moment to moment (they split, they melt together) as one .glb that any viewer plays: a mesh
 * per key frame, all but one scaled to nothing, and a STEP animation of the scales. Rigid things are one mesh each with keys of
 * translation and rotation. Plain glTF 2.0 without extensions; about 40 bytes per vertex and frame.
 */
export interface VertexCache {
  readonly name: string;
  /** Key frames, times ascending. */
  readonly frames: readonly CacheFrame[];
  /** Seconds; the last frame is shown until then. */
  readonly duration: number;
  readonly rigid?: readonly CacheRigid[];
}

export interface CacheMesh {
  /** #V×3. */
  readonly positions: Float32Array;
  /** #V×3, unit. */
  readonly normals: Float32Array;
  /** #T×3. */
  readonly triangles: Uint32Array;
}

export interface CacheFrame extends CacheMesh {
  readonly time: number;
  /** #V×3, sRGB 0 … 1. */
  readonly colors: Float32Array;
}

export interface CacheRigid {
  readonly name: string;
  readonly mesh: CacheMesh;
  /** sRGB 0 … 1. */
  readonly color: ArrayLike<number>;
  /** #K ascending; one key stands still. */
  readonly times: Float32Array;
  /** #K×3. */
  readonly positions: Float32Array;
  /** #K×4, quaternions x, y, z, w. */
  readonly rotations: Float32Array;
}

export async function writeVertexCache(cache: VertexCache): Promise<Uint8Array<ArrayBuffer>> {
  const { frames, duration, rigid = [], name } = cache;
  checkTimes(frames, duration);
  const file = createFile('isoskin');
  const { json } = file;
  const scene = { name, nodes: [] as number[] };
  const animation: GLTF.IAnimation = { name, channels: [], samplers: [] };
  Object.assign(json, { scene: 0, scenes: [scene], nodes: [], meshes: [], materials: [] });

  const addMaterial = (label: string, roughnessFactor: number, baseColorFactor?: number[]): number => {
    const pbrMetallicRoughness = { metallicFactor: 0, roughnessFactor, ...(baseColorFactor && { baseColorFactor }) };
    return json.materials!.push({ name: label, pbrMetallicRoughness }) - 1;
  };
  const addNode = (label: string, primitive: GLTF.IMeshPrimitive, place: Partial<GLTF.INode>): number => {
    const mesh = json.meshes!.push({ name: label, primitives: [primitive] }) - 1;
    const node = json.nodes!.push({ name: label, mesh, ...place }) - 1;
    scene.nodes.push(node);
    return node;
  };
  const addChannel = (
    node: number,
    path: 'scale' | 'translation' | 'rotation',
    times: Float32Array,
    values: ArrayLike<number>,
    interpolation: 'STEP' | 'LINEAR',
  ): void => {
    const type = path === 'rotation' ? 'VEC4' : 'VEC3';
    const output = appendAccessor(file, { type, array: Float32Array.from(values), usage: 'values' });
    const sampler = animation.samplers.push({ input: appendTimes(file, times), output, interpolation }) - 1;
    animation.channels.push({ sampler, target: { node, path } });
  };

  const flesh = addMaterial('flesh', 0.65);
  frames.forEach((frame, f) => {
    const primitive = createPrimitive(file, frame, flesh);
    const array = packColors(frame.colors);
    primitive.attributes.COLOR_0 = appendAccessor(file, { type: 'VEC4', array, usage: 'vertex', normalized: true });
    const node = addNode(`${name} ${f}`, primitive, f > 0 ? { scale: [0, 0, 0] } : {});
    if (frames.length === 1) return;
    // Shown from its own time to that of the next; every channel has a key at 0.
    const keys = [
      ...(f > 0 ? [[0, 0]] : []),
      [frame.time, 1],
      f + 1 < frames.length ? [frames[f + 1]!.time, 0] : [duration, 1],
    ];
    const times = Float32Array.from(keys, ([time]) => time!);
    const scales = keys.flatMap(([, scale]) => [scale!, scale!, scale!]);
    addChannel(node, 'scale', times, scales, 'STEP');
  });
  for (const { name: label, mesh, color, times, positions, rotations } of rigid) {
    const material = addMaterial(label, 0.6, [...Array.from(color, toLinear), 1]);
    const place = { translation: Array.from(positions.slice(0, 3)), rotation: Array.from(rotations.slice(0, 4)) };
    const node = addNode(label, createPrimitive(file, mesh, material), place);
    if (times.length < 2) continue;
    addChannel(node, 'translation', times, positions, 'LINEAR');
    addChannel(node, 'rotation', times, rotations, 'LINEAR');
  }
  if (animation.channels.length > 0) json.animations = [animation];
  return writeGlb(file);
}

function checkTimes(frames: readonly CacheFrame[], duration: number): void {
  const ascending = frames.every(({ time }, f) => time >= 0 && (f === 0 ? time === 0 : time > frames[f - 1]!.time));
  if (frames.length > 0 && ascending && (frames.length === 1 || duration > frames.at(-1)!.time)) return;
  const message =
    'A cache needs frames whose times begin at 0 and ascend, and a duration beyond the last; correct them.';
  throw new IsoskinError('CACHE_TIMES', message, 'frames');
}

function createPrimitive(
  file: GltfFile,
  { positions, normals, triangles }: CacheMesh,
  material: number,
): GLTF.IMeshPrimitive {
  const corners = positions.length / 3 <= 65_535 ? Uint16Array.from(triangles) : triangles.slice();
  return {
    attributes: {
      POSITION: appendAccessor(file, { type: 'VEC3', array: positions.slice(), usage: 'vertex', range: true }),
      NORMAL: appendAccessor(file, { type: 'VEC3', array: normals.slice(), usage: 'vertex' }),
    },
    indices: appendAccessor(file, { type: 'SCALAR', array: corners, usage: 'index' }),
    material,
  };
}

/** sRGB 0 … 1, #V×3, to linear RGBA bytes, as glTF wants colours of vertices. */
function packColors(colors: Float32Array): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array((4 * colors.length) / 3).fill(255);
  for (let i = 0; i < colors.length; i++) out[4 * Math.floor(i / 3) + (i % 3)] = Math.round(255 * toLinear(colors[i]!));
  return out;
}

function toLinear(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}
