/**
 * The clips of a loader as the planner rehearses them: channels over the nodes of a body. Tracks of other objects are left out.
 *
 *   root nodes stand in body space:   L(t) = B · T(t) R(t) S(t),   B = body space · world matrix of the parent
 */
import type { Channel, Clip } from '@isoskin/core';
import {
  type AnimationClip,
  InterpolateDiscrete,
  type KeyframeTrack,
  Matrix4,
  type Object3D,
  PropertyBinding,
  Quaternion,
  type SkinnedMesh,
  Vector3,
} from 'three';

/** What a clip's tracks are looked up in. */
export interface ClipBody {
  readonly nodes: readonly Object3D[];
  /** −1 for roots. */
  readonly parents: readonly number[];
  readonly space: Matrix4;
  readonly meshes: readonly SkinnedMesh[];
  /** First morph target of every mesh, and how many it has. */
  readonly morphs: readonly { readonly first: number; readonly count: number }[];
}

const PATHS = { position: 'translation', quaternion: 'rotation', scale: 'scale' } as const;

export function readClips(clips: readonly AnimationClip[], body: ClipBody): Clip[] {
  return clips.flatMap((clip) => {
    const channels = clip.tracks.flatMap((track) => readTrack(track, body) ?? []);
    return channels.length > 0 ? [{ name: clip.name, duration: clip.duration, channels }] : [];
  });
}

function readTrack(track: KeyframeTrack, { nodes, parents, space, meshes, morphs }: ClipBody): Channel | undefined {
  const { nodeName, propertyName, propertyIndex } = PropertyBinding.parseTrackName(track.name);
  const isNamed = (object: Object3D) => object.name === nodeName || object.uuid === nodeName;
  const keys = { times: track.times, values: track.values, interpolation: findInterpolation(track) };
  if (propertyName === 'morphTargetInfluences') {
    const { first, count } = morphs[meshes.findIndex(isNamed)] ?? { first: 0, count: 0 };
    return count > 0 && propertyIndex === undefined
      ? { ...keys, target: first, path: 'weights', width: count }
      : undefined;
  }
  const path = PATHS[propertyName as keyof typeof PATHS];
  const target = nodes.findIndex(isNamed);
  if (!path || target < 0) return undefined;
  const width = path === 'rotation' ? 4 : 3;
  const parent = nodes[target]!.parent;
  if (parents[target]! >= 0 || !parent) return { ...keys, target, path, width };
  const placement = new Matrix4().multiplyMatrices(space, parent.matrixWorld);
  return { ...keys, values: placeValues(track.values, path, placement), target, path, width };
}

function findInterpolation(track: KeyframeTrack): Channel['interpolation'] {
  const { createInterpolant } = track as {
    createInterpolant?: { isInterpolantFactoryMethodGLTFCubicSpline?: boolean };
  };
  if (createInterpolant?.isInterpolantFactoryMethodGLTFCubicSpline) return 'CUBICSPLINE';
  return track.getInterpolation() === InterpolateDiscrete ? 'STEP' : 'LINEAR';
}

/** What the parents above the body do to the keys of a root; tangents of cubic keys are turned and scaled alike. */
function placeValues(values: Float32Array, path: Channel['path'], placement: Matrix4): Float64Array {
  const [moved, turned, scaled] = [new Vector3(), new Quaternion(), new Vector3()];
  placement.decompose(moved, turned, scaled);
  const out = Float64Array.from(values);
  if (path === 'scale') return out.map((value, i) => value * scaled.getComponent(i % 3));
  if (path === 'translation') {
    const point = new Vector3();
    for (let i = 0; i < out.length; i += 3) point.fromArray(out, i).applyMatrix4(placement).toArray(out, i);
    return out;
  }
  const rotation = new Quaternion();
  for (let i = 0; i < out.length; i += 4) rotation.fromArray(out, i).premultiply(turned).toArray(out, i);
  return out;
}
