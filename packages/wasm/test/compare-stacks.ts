/** Runs a character on the TypeScript stack and on a WASM stack, and says how far apart they are. */
import {
  type Character,
  createFastStack,
  createPose,
  createStack,
  type FrameKernels,
  type Pose,
  planVolumeMeter,
  presetStack,
  type StackSpec,
} from '@isoskin/core';

export interface Comparison {
  /** Largest distance of a coordinate, relative to the diagonal of the box at rest. */
  positions: number;
  skinned: number;
  /** Largest difference of a coordinate of a normal, where the triangles around the vertex have an area. */
  normals: number;
  /** Largest relative error of the total, measured in f64 on the WASM positions; beyond what TypeScript leaves. */
  total: number;
  /** The same of single regions, relative to the region or a thousandth of its component. */
  regions: number;
  frames: number;
}

/** @param setPose writes frame n into the pose and returns its time, or undefined after the last. */
export function compareStacks(
  character: Character,
  kernels: FrameKernels,
  setPose: (pose: Pose, n: number) => number | undefined,
  spec: StackSpec = presetStack('organic'),
): Comparison {
  const stack = createStack(character, spec);
  const fast = createFastStack(character, spec, kernels);
  const meter = planVolumeMeter(character, stack.volumeLayers[0]!);
  const pose = createPose(character);
  const count = character.surface.vertexCount;
  const size = measureDiagonal(character.surface.positions);
  const back = new Float64Array(3 * count);
  const worst: Comparison = { positions: 0, skinned: 0, normals: 0, total: 0, regions: 0, frames: 0 };
  const { components } = character.surface;
  const wholes = Array.from(stack.volumeLayers[0]!.regions.component, (c) => Math.abs(components[c]!.volume));
  for (let n = 0; ; n++) {
    const time = setPose(pose, n);
    if (time === undefined) break;
    const frame = stack.evaluate(pose, time);
    const runner = fast.evaluate(pose, time);
    for (let k = 0; k < count; k++) {
      for (let r = 0; r < 3; r++) {
        back[3 * k + r] = runner.positions[4 * k + r]!;
        worst.positions = larger(worst.positions, (back[3 * k + r]! - frame.positions[3 * k + r]!) / size);
        worst.skinned = larger(worst.skinned, (runner.skinned[4 * k + r]! - frame.skinned[3 * k + r]!) / size);
        worst.normals = larger(worst.normals, runner.normals[4 * k + r]! - frame.normals[3 * k + r]!);
      }
    }
    meter.measureTargets(frame.bones, time);
    meter.measure(frame.positions);
    const expected = meter.regionVolumes.slice();
    meter.measure(back);
    let difference = 0;
    let whole = 0;
    for (let s = 0; s < expected.length; s++) {
      const scale = Math.max(Math.abs(meter.targets[s]!), 1e-3 * wholes[s]!);
      difference += meter.regionVolumes[s]! - expected[s]!;
      whole += Math.abs(meter.targets[s]!);
      worst.regions = larger(worst.regions, (meter.regionVolumes[s]! - expected[s]!) / scale);
    }
    if (whole > 0) worst.total = larger(worst.total, difference / whole);
    worst.frames++;
  }
  fast.dispose();
  return worst;
}

/** NaN counts as large. */
function larger(a: number, b: number): number {
  return Math.abs(b) <= a ? a : Math.abs(b);
}

function measureDiagonal(positions: Float64Array): number {
  let square = 0;
  for (let r = 0; r < 3; r++) {
    let low = Infinity;
    let high = -Infinity;
    for (let i = r; i < positions.length; i += 3) {
      low = Math.min(low, positions[i]!);
      high = Math.max(high, positions[i]!);
    }
    square += (high - low) ** 2;
  }
  return Math.sqrt(square);
}
