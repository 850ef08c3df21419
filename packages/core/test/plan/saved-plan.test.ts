/** A plan is data: saved, loaded, refused; frames from it are the same bits. */
import { createAmountSource, type IsoskinError, type PresetName, presetStack } from '@isoskin/core';
import { typescriptAmountKernels } from '@isoskin/core/kernels';
import { planCharacter, planPlayed } from '@isoskin/core/planner';
import { loadPlan, measurePlanKey, type PlayedPlan, requestPlan } from '@isoskin/core/runtime';
import { createDemoInput } from '@isoskin/demos';
import { createWasmKernels } from '@isoskin/wasm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createHash } from '../../src/plan/create-hash.js';
import { limb } from '../stack/stack-bench.js';

const finger = createDemoInput('finger', { vertices: 900 });
const stackOf = (preset: PresetName) => presetStack(preset).volume!;
const organic = stackOf('organic');
const bytes = planCharacter(finger, organic);
const key = measurePlanKey(finger, organic);

interface PlanJson {
  shapes: Record<string, unknown>;
}

/** Amounts, volumes and targets of a few poses. */
async function play(plan: PlayedPlan, kernelName: 'typescript' | 'wasm'): Promise<number[][]> {
  const source = createAmountSource(plan);
  source.useKernels(kernelName === 'wasm' ? await createWasmKernels({ threads: 1 }) : typescriptAmountKernels);
  const report = plan.createReport();
  const { boneCount } = plan.character.skeleton;
  const bones = new Float64Array(12 * boneCount);
  const weights = new Float64Array(plan.character.morphs.length).fill(0.3);
  return [0, 0.4, 1.1].map((angle) => {
    for (let b = 0; b < boneCount; b++) {
      const [c, s] = [Math.cos(angle * b), Math.sin(angle * b)];
      bones.set([c, s, 0, -s, c, 0, 0, 0, 1 + 0.1 * angle, 0, 0.2 * angle, 0], 12 * b);
    }
    source.solve(report, bones, weights, angle);
    return [...source.amounts, ...report.volumes, ...report.targets];
  });
}

function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return (error as IsoskinError).code ?? `not an IsoskinError: ${error}`;
  }
  return '';
}

/** The bytes with what was changed, and the checksum that belongs to it. */
function forge(change: (json: { arrays: [string, number][]; plan: PlanJson }) => void): Uint8Array {
  const words = new Uint32Array(bytes.buffer);
  const json = JSON.parse(new TextDecoder().decode(bytes.subarray(48, 48 + words[3]!)));
  change(json);
  const text = new TextEncoder().encode(JSON.stringify(json));
  const at = 8 * Math.ceil((48 + text.length) / 8);
  const from = 8 * Math.ceil((48 + words[3]!) / 8);
  const out = new Uint8Array(at + bytes.length - from);
  out.set(bytes.subarray(0, 48));
  out.set(text, 48);
  out.set(bytes.subarray(from), at);
  const view = new Uint32Array(out.buffer);
  view[2] = out.length;
  view[3] = text.length;
  return seal(out);
}

function seal(out: Uint8Array): Uint8Array {
  out.set(createHash().words(new Uint32Array(out.buffer).subarray(12)).finish(), 32);
  return out;
}

describe('a saved plan', () => {
  it.each(['organic', 'anatomic'] as const)(
    '%s: frames from it are the same bits, on TypeScript and on WASM',
    async (preset) => {
      const options = {
        ...stackOf(preset),
        target: {
          all: [
            [0, 1],
            [1, 1.2],
          ],
        },
      } as const;
      const planned = planPlayed(finger, options);
      const loaded = loadPlan(planCharacter(finger, options), measurePlanKey(finger, options));
      expect(loaded.regions.names).toEqual(planned.regions.names);
      expect(loaded.character.warnings).toEqual(planned.character.warnings);
      for (const kernels of ['typescript', 'wasm'] as const) {
        expect(await play(loaded, kernels)).toEqual(await play(planned, kernels));
      }
    },
  );

  it('with morph targets and holes', async () => {
    const input = createDemoInput('hero', { vertices: 1500 });
    const part = input.parts[0]!;
    const deltas = Float32Array.from(part.positions, (x, i) => (i % 7 === 0 ? 0.1 * x : 0));
    const open = {
      ...input,
      parts: [{ ...part, triangles: Array.from(part.triangles!).slice(30), morphs: { first: 0, deltas: [deltas] } }],
      morphs: [{ name: 'fat', group: part.group, weight: 0 }],
    };
    const planned = planPlayed(open);
    expect(planned.character.surface.caps.count).toBeGreaterThan(0);
    expect(await play(loadPlan(planCharacter(open)), 'typescript')).toEqual(await play(planned, 'typescript'));
  });

  it('does not care where its bytes lie', () => {
    const shifted = new Uint8Array(bytes.length + 3).subarray(3);
    shifted.set(bytes);
    expect(loadPlan(shifted, key).regions.names).toEqual(loadPlan(bytes, key).regions.names);
  });

  it('comes without a worker, too', async () => {
    expect(await requestPlan(finger, organic)).toEqual(bytes);
    expect(await requestPlan(finger, organic, { cache: true })).toEqual(bytes); // there is no database here
    await expect(requestPlan({ ...finger, parts: [] }, organic)).rejects.toThrow();
  });
});

describe('the key', () => {
  const [part] = finger.parts;
  const change = (values: ArrayLike<number>, at: number) =>
    Float64Array.from(values, (x, i) => (i === at ? x + 1e-3 : x));

  it('is the same for the same character, whatever arrays and scale it comes in', () => {
    const scale = 0.0137;
    const { skeleton } = finger;
    const inverseBinds = skeleton.inverseBinds.map((x, k) => (k % 16 < 12 ? x / scale : x));
    const positions = Float64Array.from(part!.positions);
    const same = {
      ...finger,
      name: 'another',
      parts: [{ ...part!, positions, scale }],
      skeleton: { ...skeleton, inverseBinds },
    };
    expect(measurePlanKey(same, organic)).toEqual(key);
    const { options, ...rest } = organic;
    expect(measurePlanKey(finger, { ...(options && { options }), ...rest })).toEqual(key);
  });

  it('is another one when anything else differs', () => {
    const { skeleton } = finger;
    const others = [
      { ...finger, parts: [{ ...part!, positions: change(part!.positions, 7) }] },
      { ...finger, parts: [{ ...part!, weights: change(part!.weights, 3) }] },
      { ...finger, parts: [{ ...part!, triangles: Array.from(part!.triangles!).reverse() }] },
      { ...finger, parts: [{ ...part!, scale: -1 }] },
      { ...finger, parts: [{ ...part!, paint: new Map([['_ISOSKIN_GAMMA', new Float32Array(3)]]) }] },
      { ...finger, skeleton: { ...skeleton, inverseBinds: change(skeleton.inverseBinds, 13) } },
      { ...finger, skeleton: { ...skeleton, names: skeleton.names.map((name) => `${name}x`) } },
      { ...finger, borderTolerance: 1e-3 },
      { ...finger, morphs: [{ name: 'fat', group: 0, weight: 0 }] },
    ].map((input) => measurePlanKey(input, organic).join());
    others.push(measurePlanKey(finger, stackOf('anatomic')).join(), key.join());
    expect(new Set(others).size).toBe(others.length);
  });

  it('bits of a number far apart in it change about half of the key', () => {
    const count = (a: Uint8Array, b: Uint8Array) =>
      a.reduce((sum, byte, i) => sum + [0, 1, 2, 3, 4, 5, 6, 7].filter((bit) => ((byte ^ b[i]!) >> bit) & 1).length, 0);
    const plain = new Uint32Array(50);
    const base = createHash().words(plain).finish();
    for (let bit = 0; bit < 32; bit++) {
      for (const at of [0, 25, 48]) {
        const other = plain.slice();
        other[at] = 2 ** bit;
        const changed = count(base, createHash().words(other).finish());
        expect(changed).toBeGreaterThan(30);
        expect(changed).toBeLessThan(98);
      }
    }
  });
});

describe('the door', () => {
  it('refuses what belongs to another character, is of another version, or is no plan, each with its sentence', () => {
    const other = measurePlanKey(createDemoInput('finger', { vertices: 901 }), organic);
    expect(codeOf(() => loadPlan(bytes, other))).toBe('PLAN_OF_ANOTHER');
    const older = bytes.slice();
    older[4] = 77;
    expect(codeOf(() => loadPlan(older, key))).toBe('PLAN_VERSION');
    for (const none of [new Uint8Array(0), new Uint8Array(48), new TextEncoder().encode('glTF'.repeat(40))]) {
      expect(codeOf(() => loadPlan(none, key))).toBe('PLAN_BROKEN');
    }
    expect(() => loadPlan(bytes, other)).toThrow('another character');
  });

  it('refuses every cut and every changed byte', () => {
    fc.assert(
      fc.property(
        fc.nat(bytes.length - 1),
        (length) => codeOf(() => loadPlan(bytes.slice(0, length), key)) === 'PLAN_BROKEN',
      ),
    );
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
        const damaged = bytes.slice();
        damaged[at]! ^= flip;
        return codeOf(() => loadPlan(damaged, key)).startsWith('PLAN_');
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (random) => codeOf(() => loadPlan(random)) === 'PLAN_BROKEN'),
    );
  });

  it('refuses forged tables: huge counts, missing fields, arrays of another kind or length', () => {
    expect(
      codeOf(() =>
        loadPlan(
          forge(() => {}),
          key,
        ),
      ),
    ).toBe('');
    const counts = [2 ** 32, 2 ** 53, -1, 0.5, 1e9, Number.NaN];
    for (const count of counts) {
      for (const n of [0, 3, 5])
        expect(codeOf(() => loadPlan(forge(({ arrays }) => void (arrays[n]![1] = count))))).toBe('PLAN_BROKEN');
    }
    fc.assert(
      fc.property(fc.nat(60), fc.constantFrom('f64', 'f32', 'u32', 'u8', 'nonsense'), fc.nat(30), (n, kind, length) => {
        const code = codeOf(() => loadPlan(forge(({ arrays }) => void (arrays[n % arrays.length] = [kind, length]))));
        return code === 'PLAN_BROKEN' || code === '';
      }),
    );
    const forged = (change: (plan: PlanJson) => void) => codeOf(() => loadPlan(forge(({ plan }) => change(plan))));
    for (const field of Object.keys(loadPlan(bytes)).filter((name) =>
      ['character', 'regions', 'rest'].includes(name),
    )) {
      expect(forged((plan) => void Reflect.deleteProperty(plan, field))).toBe('PLAN_BROKEN');
    }
    expect(forged((plan) => void (plan.shapes.shapeCount = 2 ** 40))).toBe('PLAN_BROKEN');
    expect(forged((plan) => void (plan.shapes.values = { '#': 99999 }))).toBe('PLAN_BROKEN');
  });

  it('refuses indices that lead nowhere', () => {
    const damaged = bytes.slice();
    const words = new Uint32Array(damaged.buffer);
    // Whatever array a word is in: with the checksum of the changed bytes the plan loads or is refused, and never breaks.
    fc.assert(
      fc.property(
        fc.integer({ min: 12, max: words.length - 1 }),
        fc.constantFrom(0xffffffff, 0x7fffffff, 5000),
        (at, value) => {
          const before = words[at]!;
          words[at] = value;
          const code = codeOf(() => loadPlan(seal(damaged)));
          words[at] = before;
          return code === '' || code === 'PLAN_BROKEN';
        },
      ),
      { numRuns: 300 },
    );
    expect(codeOf(() => loadPlan(planCharacter(limb([0, 3, 6]))))).toBe('');
  });
});
