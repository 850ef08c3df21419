/**
 * The frame tests that every set of whole-frame kernels passes against the TypeScript stack: TypeScript, WASM, WebGPU, each to its
 * own precision (FRAME_TOLERANCES). Random meshes are made here; demos and models come from the caller, which may be a web page.
 */

import { createFrameSource, planBody, presetStack } from '@isoskin/core';
import { applyMorphs, type FramePlan, planVolume } from '@isoskin/core/kernels';
import { createExtendedPositions, createRegionGradients, measureRegionVolumes } from '@isoskin/core/mesh';
import type { FrameCase } from './frame-cases.js';

export * from './frame-cases.js';

/** A set of kernels with one character on it. */
export interface FrameSubject {
  /** x̄ of the next frames, #V×3; called for characters with morph targets only. */
  setRest?(positions: Float64Array): void;
  /** One frame: #V×4 positions and normals. */
  run(bones: Float64Array, targets: Float64Array): FrameOutput | Promise<FrameOutput>;
  dispose(): void;
}
export interface FrameOutput {
  readonly positions: ArrayLike<number>;
  readonly normals: ArrayLike<number>;
}

/**
 * positions  largest difference of a coordinate, by the diagonal of the box at rest
 * normals    the same of unit normals, in the mean over the vertices (one sliver may turn by any angle)
 * total      volume of all components together, measured in f64 on what came out, beyond what the f64 solver leaves
 * parts      the same of every component, and of every region by `regions`, or by what f32 coordinates can tell (`rounding`)
 */
export interface FrameTolerance {
  readonly positions: number;
  readonly normals: number;
  readonly total: number;
  readonly regions: number;
}

export const FRAME_TOLERANCES = {
  typescript: { positions: 2e-7, normals: 1e-6, total: 2e-7, regions: 1e-6 },
  // f32 ends its search sooner where regions pay, and nothing but the regions holds the total.
  wasm: { positions: 2e-5, normals: 5e-4, total: 3e-5, regions: 5e-5 },
  webgpu: { positions: 1e-4, normals: 2e-3, total: 1e-4, regions: 2e-4 },
} as const satisfies Record<string, FrameTolerance>;

export interface FrameDifference {
  readonly name: string;
  readonly still: boolean;
  readonly vertices: number;
  readonly regions: number;
  readonly frames: number;
  positions: number;
  normals: number;
  total: number;
  /** Worst component and region, in units of their tolerance. */
  component: number;
  region: number;
  /** How far the correction moves the skin, by the box: a case that does nothing proves nothing. */
  moved: number;
}

/** Largest rounding of a coordinate, for a part of this volume at this distance from the origin: the volume's relative error. */
const rounding = (extent: number, volume: number) => (4 * 2 ** -24 * extent) / Math.cbrt(Math.max(volume, 1e-300));

/** Where regions cannot all be met, who is off by how much is the floor of a flat valley: so much of it is a matter of rounding. */
const VALLEY = 2e-3;

export async function compareFrames(
  { name, character, spec = presetStack('organic'), poses, still = false }: FrameCase,
  open: (plan: FramePlan) => FrameSubject,
  tolerance: FrameTolerance,
): Promise<FrameDifference> {
  const stack = createFrameSource(planBody(character), spec);
  const plan = planVolume(stack.body, spec.volume).framePlan();
  const subject = open(plan);
  const size = measureBox(plan.positions).diagonal;
  const regions = plan.volumes.regionCount;
  const worst: FrameDifference = {
    ...{ name, still, vertices: plan.vertexCount, regions, frames: poses.length },
    ...{ positions: 0, normals: 0, total: 0, component: 0, region: 0, moved: 0 },
  };
  const note = (field: 'positions' | 'normals' | 'total' | 'component' | 'region' | 'moved', value: number) => {
    if (!(value <= worst[field])) worst[field] = value; // NaN is noted too
  };
  const morphed = plan.positions.slice();
  for (const pose of poses) {
    if (character.morphs.length > 0) {
      applyMorphs(morphed, character, pose.morphWeights);
      subject.setRest!(morphed);
    }
    const wanted = stack.evaluate(pose);
    const { targets } = wanted.report!;
    const found = await subject.run(wanted.bones, targets);
    let turned = 0;
    for (let k = 0; k < plan.vertexCount; k++) {
      let square = 0;
      for (let r = 0; r < 3; r++) {
        note('positions', Math.abs(found.positions[4 * k + r]! - wanted.positions[3 * k + r]!) / size);
        note('moved', Math.abs(wanted.positions[3 * k + r]! - wanted.skinned[3 * k + r]!) / size);
        square += (found.normals[4 * k + r]! - wanted.normals[3 * k + r]!) ** 2;
      }
      turned += Math.sqrt(square) / plan.vertexCount;
    }
    note('normals', turned);
    judgeVolumes(note, plan, [found.positions, wanted.positions], targets, tolerance);
  }
  subject.dispose();
  return worst;
}

/** Volumes of what came out, measured in f64, beyond what the f64 solver leaves. */
function judgeVolumes(
  note: (field: 'total' | 'component' | 'region', value: number) => void,
  plan: FramePlan,
  [found, wanted]: readonly [ArrayLike<number>, Float64Array],
  targets: Float64Array,
  tolerance: FrameTolerance,
): void {
  const extended = createExtendedPositions(plan.volumes);
  const measure = (positions: ArrayLike<number>, stride: number) => {
    for (let k = 0; k < plan.vertexCount; k++) {
      for (let r = 0; r < 3; r++) extended[3 * k + r] = positions[stride * k + r]!;
    }
    const gradients = createRegionGradients(plan.volumes);
    measureRegionVolumes(gradients, plan.volumes, extended);
    return gradients.volumes;
  };
  const volumes = measure(found, 4);
  const reachable = measure(wanted, 3);
  const { extent } = measureBox(wanted);
  let [missing, left, all] = [0, 0, 0];
  for (const block of plan.shapes.systems) {
    let [off, offWanted, whole] = [0, 0, 0];
    for (const s of block) {
      off += volumes[s]! - targets[s]!;
      offWanted += reachable[s]! - targets[s]!;
      whole += Math.abs(targets[s]!);
      const scale = Math.max(Math.abs(targets[s]!), 1e-3 * Math.abs(plan.shapes.componentVolumes[s]!));
      const leftOver = Math.abs(reachable[s]! - targets[s]!) / scale;
      const error = Math.abs(volumes[s]! - targets[s]!) / scale - leftOver;
      note('region', error / (Math.max(tolerance.regions, rounding(extent, scale)) + VALLEY * leftOver));
    }
    note(
      'component',
      (Math.abs(off) - Math.abs(offWanted)) /
        (whole * Math.max(tolerance.total, rounding(extent, whole)) + VALLEY * Math.abs(offWanted)),
    );
    missing += off;
    left += offWanted;
    all += whole;
  }
  note('total', (Math.abs(missing) - Math.abs(left)) / all);
}

/** What is wrong with a difference, or ''. */
export function describeDifference(one: FrameDifference, tolerance: FrameTolerance): string {
  const limits = { ...tolerance, component: 1, region: 1, ...(one.still ? { positions: 0 } : {}) };
  const wrong = (['positions', 'normals', 'total', 'component', 'region'] as const).filter(
    (field) => !(one[field] <= limits[field]),
  );
  if (one.still && !(one.moved === 0)) return `${one.name}: something is corrected (${one.moved})`;
  if (!one.still && !(one.moved > 1e-5)) return `${one.name}: nothing is corrected (${one.moved})`;
  return wrong.length === 0
    ? ''
    : `${one.name}: ${wrong.join(', ')} beyond ${JSON.stringify(limits)}: ${JSON.stringify(one)}`;
}

function measureBox(positions: Float64Array): { diagonal: number; extent: number } {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  let extent = 0;
  for (let i = 0; i < positions.length; i++) {
    low[i % 3] = Math.min(low[i % 3]!, positions[i]!);
    high[i % 3] = Math.max(high[i % 3]!, positions[i]!);
    extent = Math.max(extent, Math.abs(positions[i]!));
  }
  return { diagonal: Math.hypot(...high.map((h, r) => h - low[r]!)), extent };
}
