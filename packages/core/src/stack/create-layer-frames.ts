import type { Body } from '../body/plan-body.js';
import type { AmountSamples } from '../correction/shape-budget.js';
import type { FleshKernels } from '../kernels/frame-plan.js';
import { normalise, sumAreaVectors } from '../kernels/reference-kernels.js';
import { createPose } from '../skeleton/pose.js';
import { planSkinning } from '../skinning/plan-skinning.js';
import { planContactLayer } from './contact-layer.js';
import type { Frames } from './create-frame-source.js';
import { planFleshLayer } from './flesh-layer.js';
import type { Frame } from './frame.js';
import type { Layer } from './layer.js';
import type { Stack } from './stack-spec.js';
import { planVolumeLayer } from './volume-layer.js';

/**
 * Frames layer by layer, in f64: skin, flesh, contact, volume, normals. The specification of all other kernels.
 *
 * @param kernels what may move the flesh instead
 */
export function createLayerFrames(
  body: Body,
  stack: Stack,
  onStep?: (name: string) => void,
  kernels?: FleshKernels,
  samples?: AmountSamples,
): Frames {
  const { character } = body;
  const { surface } = character;
  const count = surface.vertexCount;
  const volume = stack.volume && planVolumeLayer(body, stack.volume, samples);
  const planned: readonly (readonly [string, Layer | undefined])[] = [
    ['flesh', stack.flesh && planFleshLayer(body, stack.flesh, kernels)],
    ['contact', stack.contact && planContactLayer(body, stack.contact, volume)],
    ['volume', volume],
  ];
  const steps = planned.filter((step): step is readonly [string, Layer] => step[1] !== undefined);
  const layers = steps.map(([, layer]) => layer);
  const directions = volume?.directions ?? new Float64Array(3 * count);
  const skinning = planSkinning(character, { ...stack.skin, directions });

  const extended = new Float64Array(3 * (count + (volume?.apexCount ?? 0)));
  const frame: Frame = {
    pose: createPose(character),
    time: 0,
    dt: 0,
    warm: false,
    extended,
    positions: extended.subarray(0, 3 * count),
    rest: skinning.morphed,
    skinned: new Float64Array(3 * count),
    directions: new Float64Array(3 * count),
    normals: new Float64Array(3 * count),
    bones: skinning.bones,
    refined: undefined,
    report: volume?.volume.report,
  };
  const skinOutput = { positions: frame.extended, directions: frame.directions };
  const areas = volume?.areas;

  return {
    frame,
    volume: volume?.volume,
    run(pose, _time, _dt, warm) {
      frame.warm = warm;
      skinning.apply(skinOutput, pose);
      frame.skinned.set(frame.positions);
      onStep?.('skin');
      for (let n = 0; n < steps.length; n++) {
        steps[n]![1].apply(frame);
        onStep?.(steps[n]![0]);
      }
      if (!areas) sumAreaVectors(frame.normals, extended, surface.triangles, surface.triangles.length / 3, count);
      normalise(frame.normals, areas ?? frame.normals, 0, count);
      onStep?.('normals');
    },
    seek(clip, time) {
      for (const layer of layers) layer.seek?.(clip, time);
    },
    reset() {
      for (const layer of layers) layer.reset?.();
    },
    dispose() {
      for (const layer of layers) layer.dispose?.();
    },
  };
}
