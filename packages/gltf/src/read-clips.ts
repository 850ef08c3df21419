import type { Document, GLTF } from '@gltf-transform/core';
import type { Channel, Clip, Warning } from '@isoskin/core';
import type { ChannelPath, Interpolation } from '@isoskin/core/kernels';
import type { Deforming } from './find-deforming.js';
import { readNumbers } from './read-numbers.js';

const WIDTH: Record<string, number> = { translation: 3, rotation: 4, scale: 3 };

/** All animations, in the file's order; only the channels that move the character. Arrays are shared, not copied. */
export function readClips(
  json: GLTF.IGLTF,
  document: Document,
  deforming: readonly Deforming[],
  firstMorph: readonly number[],
  skeletonNode: Int32Array,
  warnings: Warning[],
): Clip[] {
  const accessors = document.getRoot().listAccessors();
  const groupOf = new Map(deforming.map(({ node }, group) => [node, group]));
  return (json.animations ?? []).map((animation, a) => {
    const channels: Channel[] = [];
    let duration = 0;
    for (const sampler of animation.samplers ?? []) {
      for (const time of accessors[sampler.input]?.getArray() ?? []) {
        if (time > duration && Number.isFinite(time)) duration = time;
      }
    }
    animation.channels?.forEach(({ sampler: s, target }, c) => {
      const path = target.path as ChannelPath;
      if (target.node === undefined) return;
      const group = groupOf.get(target.node);
      const isWeights = path === 'weights';
      if (isWeights ? group === undefined : skeletonNode[target.node]! < 0) return;
      const width = isWeights ? deforming[group!]!.targets : Object.hasOwn(WIDTH, path) ? WIDTH[path]! : 0;
      if (width === 0) return;
      const place = `animations[${a}].channels[${c}]`;
      const sampler = animation.samplers[s]!;
      const times = readNumbers(accessors[sampler.input]!, 1, `${place}, input`);
      const values = readNumbers(accessors[sampler.output]!, isWeights ? 1 : width, `${place}, output`);
      const interpolation = chooseInterpolation(sampler.interpolation);
      const needed = times.length * width * (interpolation === 'CUBICSPLINE' ? 3 : 1);
      const fault = findKeyFault(times, values, needed);
      if (fault) {
        warnings.push({ code: 'CHANNEL_LEFT_OUT', message: `An animation channel ${fault}; it is left out`, place });
        return;
      }
      channels.push({
        target: isWeights ? firstMorph[group!]! : skeletonNode[target.node]!,
        path,
        interpolation,
        times,
        values: values.length > needed ? values.subarray(0, needed) : values,
        width,
      });
    });
    return { name: animation.name || `clip ${a}`, duration, channels };
  });
}

function chooseInterpolation(value: unknown): Interpolation {
  return value === 'STEP' || value === 'CUBICSPLINE' ? value : 'LINEAR';
}

/** Why the keys of a channel make no sense; whoever plays or merges them leaves the channel out. */
export function findKeyFault(times: ArrayLike<number>, values: ArrayLike<number>, needed: number): string | undefined {
  if (times.length === 0) return 'has no keys';
  if (values.length < needed) return `has ${values.length} numbers where its keys need ${needed}`;
  for (let i = 0; i < times.length; i++) {
    if (!Number.isFinite(times[i]) || (i > 0 && times[i]! < times[i - 1]!))
      return 'has key times that are not ascending';
  }
  for (let i = 0; i < needed; i++) if (!Number.isFinite(values[i])) return 'holds values that are not numbers';
  return undefined;
}
