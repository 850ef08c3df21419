/** A skeleton, skin weights and clips made in code, added to a file. */
import type { GLTF } from '@gltf-transform/core';
import { type Channel, type Clip, POSE_STRIDE, type Skeleton } from '@isoskin/core';
import type { Binding } from '@isoskin/core/mesh';
import { appendAccessor } from './append-accessor.js';
import type { GltfFile } from './gltf-file.js';
import { appendTimes } from './weight-track.js';

/** The skeleton's nodes in the default scene of the file, or the first, or a new one; returns their numbers. */
export function addSkeleton(json: GLTF.IGLTF, skeleton: Skeleton, name: string): number[] {
  const nodes = (json.nodes ??= []);
  const scenes = (json.scenes ??= []);
  if (scenes.length === 0) {
    scenes.push({ name, nodes: [] });
    json.scene ??= 0;
  }
  const scene = scenes[json.scene ?? 0]!;
  const hang = (index: number, parent: GLTF.INode | undefined): void => {
    if (parent) parent.children = [...(parent.children ?? []), index];
    else scene.nodes = [...(scene.nodes ?? []), index];
  };
  const placed = Array.from({ length: skeleton.nodeCount }, (_, n) => {
    const local = Array.from(skeleton.locals.subarray(n * POSE_STRIDE, (n + 1) * POSE_STRIDE));
    const [translation, rotation, scale] = [local.slice(0, 3), local.slice(3, 7), local.slice(7, 10)];
    const matrix = skeleton.fixedMatrices.get(n);
    const moved = {
      ...(translation.some((x) => x !== 0) && { translation }),
      ...(rotation.some((x, k) => x !== (k === 3 ? 1 : 0)) && { rotation }),
      ...(scale.some((x) => x !== 1) && { scale }),
    };
    return nodes.push({ name: skeleton.names[n]!, ...(matrix ? { matrix: Array.from(matrix) } : moved) }) - 1;
  });
  const roots = placed.filter((_, n) => skeleton.parents[n]! < 0);
  placed.forEach((index, n) => {
    if (skeleton.parents[n]! >= 0) hang(index, nodes[placed[skeleton.parents[n]!]!]);
  });
  // glTF wants one common root of all joints.
  if (roots.length > 1) hang(nodes.push({ name, children: roots }) - 1, undefined);
  else for (const root of roots) hang(root, undefined);
  return placed;
}

/** JOINTS_n and WEIGHTS_n of vertices of a binding. */
export function addInfluences(
  file: GltfFile,
  { offsets, bones, weights, maxInfluences }: Binding,
  vertices: Uint32Array,
  boneCount: number,
  jointOf: (bone: number) => number = (bone) => bone,
): Record<string, number> {
  const out: Record<string, number> = {};
  for (let set = 0; set === 0 || 4 * set < maxInfluences; set++) {
    const joints = new (boneCount <= 256 ? Uint8Array : Uint16Array)(4 * vertices.length);
    const shares = new Float32Array(4 * vertices.length);
    vertices.forEach((v, i) => {
      const from = offsets[v]! + 4 * set;
      for (let k = 0; k < 4 && from + k < offsets[v + 1]!; k++) {
        joints[4 * i + k] = jointOf(bones[from + k]!);
        shares[4 * i + k] = weights[from + k]!;
      }
    });
    out[`JOINTS_${set}`] = appendAccessor(file, { type: 'VEC4', array: joints, usage: 'vertex' });
    out[`WEIGHTS_${set}`] = appendAccessor(file, { type: 'VEC4', array: shares, usage: 'vertex' });
  }
  return out;
}

/** @param nodeOf node of the file that a channel moves; channels of none are left out. */
export function addClips(
  file: GltfFile,
  clips: readonly Clip[],
  nodeOf: (channel: Channel) => number | undefined,
): void {
  const shared = new Map<ArrayLike<number>, number>();
  for (const clip of clips) {
    const channels: GLTF.IAnimationChannel[] = [];
    const samplers: GLTF.IAnimationSampler[] = [];
    for (const channel of clip.channels) {
      const { path, interpolation, times, values } = channel;
      const node = nodeOf(channel);
      if (node === undefined) continue;
      const type = path === 'weights' ? 'SCALAR' : path === 'rotation' ? 'VEC4' : 'VEC3';
      const output =
        shared.get(values) ?? appendAccessor(file, { type, array: Float32Array.from(values), usage: 'values' });
      shared.set(values, output);
      samplers.push({ input: appendTimes(file, Float32Array.from(times)), output, interpolation });
      channels.push({ sampler: samplers.length - 1, target: { node, path } });
    }
    // glTF allows no empty animation.
    if (channels.length > 0) (file.json.animations ??= []).push({ name: clip.name, channels, samplers });
  }
}
