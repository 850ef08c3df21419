/**
 * For React Three Fiber: keeps the volume of everything skinned inside it, also of what loads later, as under a `<Suspense>`.
 *
 *   <PreserveVolume>
 *     <Suspense fallback={null}><Model /></Suspense>
 *   </PreserveVolume>
 */
import { useFrame, useThree } from '@react-three/fiber';
import { createElement, type ReactElement, type ReactNode, useEffect, useRef, useState } from 'react';
import type { Group, Object3D, SkinnedMesh } from 'three';
import { type PreservedVolume, preserveVolume } from './preserve-volume.js';
import type { VolumeOptions } from './volume-options.js';

export interface PreserveVolumeProps extends VolumeOptions {
  readonly children?: ReactNode;
  /** Default true. */
  readonly enabled?: boolean;
  /** Hears of the bodies whenever they have been planned: when something has loaded, and when options change. */
  readonly onPlanned?: (volume: PreservedVolume) => void;
}

interface Kept {
  readonly volume: PreservedVolume;
  readonly meshes: readonly Object3D[];
  readonly options: VolumeOptions;
}

/** A group around its children. What is wrong with a model or an option is thrown where error boundaries catch it. */
export function PreserveVolume(props: PreserveVolumeProps): ReactElement {
  const { children, enabled = true, onPlanned, ...options } = props;
  const group = useRef<Group>(null);
  const invalidate = useThree((state) => state.invalidate);
  const kept = useRef<Kept>(undefined);
  const [fault, setFault] = useState<unknown>();
  if (fault !== undefined) throw fault;

  // Nothing tells that a model has come or gone deep inside a group: it is looked at before every frame.
  useFrame(() => {
    const meshes = listSkinned(group.current);
    const before = kept.current;
    if (before && isEqual(before.meshes, meshes) && isSame(before.options, options)) return;
    if (!before && meshes.length === 0) return;
    before?.volume.dispose();
    kept.current = undefined;
    if (meshes.length === 0) return;
    try {
      const volume = preserveVolume(group.current!, options);
      volume.enabled = enabled;
      const now = { volume, meshes, options };
      kept.current = now;
      volume.ready.then(() => {
        if (kept.current !== now) return;
        onPlanned?.(volume);
        invalidate();
      }, setFault);
    } catch (error) {
      setFault(error);
    }
  });
  useEffect(() => {
    if (kept.current) kept.current.volume.enabled = enabled;
  }, [enabled]);
  useEffect(
    () => () => {
      kept.current?.volume.dispose();
      kept.current = undefined;
    },
    [],
  );
  return createElement('group', { ref: group }, children);
}

function listSkinned(group: Group | null): Object3D[] {
  const meshes: Object3D[] = [];
  group?.traverse((object) => {
    if ((object as SkinnedMesh).isSkinnedMesh || (object as SkinnedMesh).skeleton) meshes.push(object);
  });
  return meshes;
}

function isEqual(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, n) => item === b[n]);
}

/** Options by value, one level deep: a stack that is written anew in every render is the same only if it is the same object. */
function isSame(a: VolumeOptions, b: VolumeOptions): boolean {
  const [left, right] = [Object.entries(a), Object.entries(b)];
  return left.length === right.length && left.every(([name, value]) => b[name as keyof VolumeOptions] === value);
}
