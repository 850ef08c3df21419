/** Keys of a group's weights in one clip, thinned to a share of the tolerance. */
import type { Character } from '@isoskin/core';
import type { BakedGroup, WeightKeys } from './baked-group.js';
import type { Sample } from './list-sample-times.js';
import { type MorphOptions, SHARE, scaleOf } from './morph-options.js';
import type { PolishedSample } from './plan-polish.js';
import { measureReach } from './quantise-deltas.js';
import { thinKeys } from './thin-keys.js';

export function thinWeights(
  group: BakedGroup,
  g: number,
  [first, end]: readonly [number, number],
  samples: readonly Sample[],
  polished: readonly PolishedSample[],
  character: Character,
  share: number,
  options: MorphOptions,
): WeightKeys {
  const count = group.vectors.length;
  const spans = group.spans.filter((span) => span.first >= first && span.end <= end);
  if (spans.length === 0) return { times: Float32Array.of(0), values: new Float32Array(count) };
  const times = samples.slice(first, end).map(({ time }) => time);
  const weights = polished.slice(first, end).map((one) => one.weights[g]!);
  const slopes = polished.slice(first, end).map((one) => one.slopes[g]!);
  const reach = group.vectors.map((vector) => Math.sqrt(3) * measureReach(vector) * scaleOf(character, group.group));
  const limits = { position: share * SHARE.thin * options.position, volume: share * 0.3 * options.volume };
  const cuts = new Set(spans.filter((span) => span.end - span.first === 1).map((span) => span.first - first));
  const keys = thinKeys(times, cuts, (a, b, m, u) => {
    let moved = 0;
    for (let k = 0; k < count; k++) {
      const change = weights[a]![k]! + u * (weights[b]![k]! - weights[a]![k]!) - weights[m]![k]!;
      moved += Math.abs(change) * reach[k]!;
      difference[k] = change;
    }
    if (moved > limits.position) return false;
    const lines = slopes[m]!.length / count;
    for (let row = 0; row < lines; row++) {
      let volume = 0;
      for (let k = 0; k < count; k++) volume += slopes[m]![row * count + k]! * difference[k]!;
      if (Math.abs(volume) > limits.volume) return false;
    }
    return true;
  });
  const values = new Float32Array(keys.length * count);
  keys.forEach((key, i) => {
    values.set(weights[key]!, i * count);
  });
  return { times: Float32Array.from(keys, (key) => times[key]!), values };
}
const difference: number[] = [];
