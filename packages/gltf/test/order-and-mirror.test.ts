/** The frame of a real character follows its shape: neither the order of its vertices nor its side decides anything. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Character, type Clip, createCharacter, createFrameSource, planBody } from '@isoskin/core';
import { measureDiagonal } from '@isoskin/core/mesh';
import { readCharacter } from '@isoskin/gltf/node';
import { describe, expect, it } from 'vitest';

const models = new URL('../../../../shared/models/', import.meta.url);

/** The same welded character with vertex `order[n]` as its n-th, its triangles backwards, mirrored across x if asked for. */
function rebuild({ surface, binding, skeleton, clips, name }: Character, order: number[], isMirrored: boolean) {
  const { maxInfluences: influences, offsets } = binding;
  const sign = isMirrored ? -1 : 1;
  const place = new Uint32Array(order.length);
  order.forEach((old, now) => {
    place[old] = now;
  });
  const positions = new Float64Array(3 * order.length);
  const bones = new Uint32Array(influences * order.length);
  const weights = new Float64Array(influences * order.length);
  order.forEach((old, now) => {
    for (let r = 0; r < 3; r++) positions[3 * now + r] = (r === 0 ? sign : 1) * surface.positions[3 * old + r]!;
    for (let n = offsets[old]!, i = influences * now; n < offsets[old + 1]!; n++, i++) {
      bones[i] = binding.bones[n]!;
      weights[i] = binding.weights[n]!;
    }
  });
  const corners = isMirrored ? [0, 2, 1] : [1, 2, 0];
  const count = surface.triangles.length / 3;
  const triangles = Uint32Array.from(
    surface.triangles,
    (_, i) => place[surface.triangles[3 * (count - 1 - ((i / 3) | 0)) + corners[i % 3]!]!]!,
  );
  /** Numbers of which those at `flipped` change sign in a mirror; `width` of them belong together. */
  const flip = (values: ArrayLike<number>, width: number, flipped: readonly number[]) =>
    Float64Array.from(values, (value, i) => (isMirrored && flipped.includes(i % width) ? -value : value));
  const flips = { translation: [0], rotation: [1, 2], scale: [], weights: [] };
  return createCharacter({
    name,
    // One group per component: vertices that were kept apart stay so.
    parts: [{ name, group: 0, positions, triangles, bones, weights, influences }],
    skeleton: {
      ...skeleton,
      locals: flip(skeleton.locals, 10, [0, 4, 5]),
      inverseBinds: flip(skeleton.inverseBinds, 16, [1, 2, 3, 4, 8, 12]),
    },
    clips: clips.map(
      (clip): Clip => ({
        ...clip,
        channels: clip.channels
          .filter(({ path }) => path !== 'weights')
          .map((channel) => ({ ...channel, values: flip(channel.values, channel.width, flips[channel.path]) })),
      }),
    ),
  });
}

/** Largest distance between corresponding vertices of two corrected characters, of the size; `order` leads from the second to the first. */
function compare(one: Character, two: Character, order: readonly number[], isMirrored: boolean): number {
  const size = measureDiagonal(one.surface.positions);
  const [a, b] = [one, two].map((character) => createFrameSource(planBody(character)));
  let worst = 0;
  for (const [n, clip] of one.clips.slice(0, 4).entries()) {
    for (const share of [0.3, 0.6]) {
      const x = a!.seek(clip, share * clip.duration).positions;
      const y = b!.seek(two.clips[n]!, share * clip.duration).positions;
      order.forEach((k, j) => {
        const side = (isMirrored ? -1 : 1) * y[3 * j]!;
        worst = Math.max(
          worst,
          Math.hypot(x[3 * k]! - side, x[3 * k + 1]! - y[3 * j + 1]!, x[3 * k + 2]! - y[3 * j + 2]!),
        );
      });
    }
  }
  return worst / size;
}

describe.skipIf(!existsSync(models))('real characters (skipped where ../shared/models is missing)', () => {
  const list = ['animals/Frog', 'animals/Spider', 'animals/Dragon', 'dressed/KnightCharacter', 'dressed/Person'];
  it.each(list)('%s', async (name) => {
    const { character } = await readCharacter(fileURLToPath(new URL(`${name}.glb`, models)));
    const whole = rebuild(character, [...Array(character.surface.vertexCount).keys()], false);
    const order = [...Array(whole.surface.vertexCount).keys()];
    const mirrored = rebuild(whole, order, true);
    expect(compare(whole, mirrored, order, true)).toBeLessThan(5e-4);
    // Steps that share no factor with the count.
    let step = 1009;
    while (order.length % step === 0) step += 2;
    const shuffled = order.map((n) => (n * step + 5) % order.length);
    expect(compare(whole, rebuild(whole, shuffled, false), shuffled, false)).toBeLessThan(2e-4);
  });
});
