import { presetStack, type StackSpec } from '@isoskin/core';
import { describe, expect, it } from 'vitest';
import { createEngine } from '../../src/engine/create-engine.js';
import { type EngineClient, EngineError } from '../../src/engine/engine-client.js';
import { createEnginePair } from '../../src/engine/engine-pair.js';
import { writeOption } from '../../src/state/edit-stack.js';
import { NO_POSE } from '../../src/state/studio-document.js';

const request = {
  clip: 0,
  time: 0.5,
  dt: 0,
  pose: NO_POSE,
  colouring: 'plain',
  joint: -1,
  exaggerate: 1,
  topology: 0,
} as const;
const plan = { stack: presetStack('organic'), paint: {}, kernels: 'auto' } as const;
const limited = { ...plan, stack: writeOption(plan.stack, 'volume', 'options.limit', 0.01) };
const mapped = { ...plan, stack: writeOption(plan.stack, 'volume', 'map.kind', 'uniform') };

/** Real engines that note what they are asked, and whose plans can be held up. */
function createEngines() {
  const calls: string[] = [];
  let gate: Promise<void> = Promise.resolve();
  let count = 0;
  const create = (): EngineClient => {
    const engine = createEngine();
    const name = `engine ${++count}`;
    const note = <T>(what: string, run: () => T): T => {
      calls.push(`${name} ${what}`);
      return run();
    };
    let stop: (error: Error) => void = () => {};
    const stopped = new Promise<never>((_, reject) => {
      stop = reject;
    });
    stopped.catch(() => {});
    return {
      ...engine,
      open: (source) => note('open', () => engine.open(source)),
      plan: (one) => {
        calls.push(`${name} plan${one.only ? ` ${one.only}` : ''}`);
        return Promise.race([gate.then(() => engine.plan(one)), stopped]);
      },
      frame: (one) => note('frame', () => engine.frame(one)),
      dispose: () => note('dispose', () => stop(new EngineError('ENGINE_STOPPED', 'stopped'))),
    };
  };
  return { calls, create, hold: (until: Promise<void>) => (gate = until) };
}

describe('createEnginePair', () => {
  it('plans behind while frames come from the front, then trades places', async () => {
    const { calls, create, hold } = createEngines();
    const pair = createEnginePair(create);
    await pair.open({ kind: 'demo', name: 'tube' });
    await pair.plan(plan);
    let release = () => {};
    hold(new Promise((resolve) => (release = resolve)));
    const planned = pair.plan(mapped);
    const before = await pair.frame(request);
    expect(calls.at(-1)).toBe('engine 1 frame');
    release();
    await planned;
    const after = await pair.frame(request);
    expect(calls.at(-1)).toBe('engine 2 frame');
    expect(after.arrays.positions).not.toEqual(before.arrays.positions);
  });

  it('opens the character a second time while there is time, once, and plans there', async () => {
    const { calls, create } = createEngines();
    const pair = createEnginePair(create);
    pair.prepare(); // nothing is open yet
    await pair.open({ kind: 'demo', name: 'tube' });
    await pair.plan(plan);
    pair.prepare();
    pair.prepare();
    expect(calls).toEqual(['engine 1 open', 'engine 1 plan', 'engine 2 open']);
    await pair.plan(mapped);
    expect(calls.slice(3)).toEqual(['engine 2 plan']);
  });

  it('plans in front when only wrinkles differ', async () => {
    const { calls, create } = createEngines();
    const pair = createEnginePair(create);
    await pair.open({ kind: 'demo', name: 'tube' });
    await pair.plan(plan);
    await pair.plan({ ...plan, stack: { ...plan.stack, wrinkles: {} } });
    expect(calls.at(-1)).toBe('engine 1 plan wrinkles');
  });

  it('plans in front when only limits or targets differ: what was planned is used again', async () => {
    const { calls, create } = createEngines();
    const pair = createEnginePair(create);
    await pair.open({ kind: 'demo', name: 'finger' });
    // Shapes fade where nothing bends unless other volumes are asked for: from the first target on, another one plans nothing.
    const ask = (stack: StackSpec, all: number) => ({
      ...plan,
      stack: writeOption(stack, 'volume', 'target.all', all),
    });
    const [grown, held] = [ask(plan.stack, 1.2), ask(limited.stack, 1.1)];
    const first = await pair.plan(ask(plan.stack, 1.1));
    const before = await pair.frame(request);
    const times: number[] = [];
    for (let n = 0; n < 6; n++) {
      const start = performance.now();
      expect(await pair.plan(n % 2 ? held : grown)).toBe(first); // nothing was planned: what was said holds
      times.push(performance.now() - start);
    }
    expect(calls.filter((call) => call.startsWith('engine 2'))).toEqual([]);
    expect(Math.min(...times)).toBeLessThan(0.05 * first.milliseconds);
    // The same as a plan from nothing.
    const { arrays } = await pair.frame(request);
    const alone = createEngine();
    await alone.open({ kind: 'demo', name: 'finger' });
    await alone.plan(held);
    expect(arrays.positions).toEqual((await alone.frame(request)).arrays.positions);
    expect(arrays.positions).not.toEqual(before.arrays.positions);
  });

  const touching = { ...plan.stack, contact: {} };
  it.each([
    ['strength', plan.stack, writeOption(plan.stack, 'volume', 'options.strength', 0.4)],
    ['no limit', limited.stack, writeOption(plan.stack, 'volume', 'options.limit', 0)],
    ['bulge', plan.stack, writeOption(plan.stack, 'volume', 'options.harmonics', 0.7)],
    ['contact beside it', touching, writeOption(touching, 'volume', 'target.all', 1.1)],
  ])('%s in front, and back, are what plans from nothing are', async (_, first, stack) => {
    const { calls, create } = createEngines();
    const pair = createEnginePair(create);
    await pair.open({ kind: 'demo', name: 'finger' });
    await pair.plan({ ...plan, stack: first });
    const before = await pair.frame(request);
    await pair.plan({ ...plan, stack });
    const after = await pair.frame(request);
    const alone = createEngine();
    await alone.open({ kind: 'demo', name: 'finger' });
    await alone.plan({ ...plan, stack });
    const expected = await alone.frame(request);
    expect(after.arrays.positions).toEqual(expected.arrays.positions);
    expect(after.volume).toEqual(expected.volume);
    expect(after.arrays.positions).not.toEqual(before.arrays.positions);
    await pair.plan({ ...plan, stack: first });
    expect((await pair.frame(request)).arrays.positions).toEqual(before.arrays.positions);
    expect(calls.filter((call) => call.startsWith('engine 2'))).toEqual([]);
  });

  it('a limit under bends plans nothing either, and is what a plan from nothing is, but for bends that are seen with another limit', async () => {
    const pair = createEnginePair(createEngines().create);
    await pair.open({ kind: 'demo', name: 'finger' });
    const bent = writeOption(plan.stack, 'volume', 'options.harmonics', 1);
    const facts = await pair.plan({ ...plan, stack: bent });
    const before = (await pair.frame(request)).arrays.positions;
    const stack = writeOption(bent, 'volume', 'options.limit', 0.05);
    expect(await pair.plan({ ...plan, stack })).toBe(facts);
    const after = (await pair.frame(request)).arrays.positions;
    const alone = createEngine();
    await alone.open({ kind: 'demo', name: 'finger' });
    await alone.plan({ ...plan, stack });
    const expected = (await alone.frame(request)).arrays.positions;
    const furthest = (a: Float32Array, b: Float32Array) =>
      a.reduce((most, x, i) => Math.max(most, Math.abs(x - b[i]!)), 0);
    expect(furthest(after, expected)).toBeLessThan(0.02); // of a finger that is 8 long
    expect(furthest(after, before)).toBeGreaterThan(0.05);
  });

  it('stops a plan that nobody wants any more, and plans the next one', async () => {
    const { calls, create, hold } = createEngines();
    const pair = createEnginePair(create);
    await pair.open({ kind: 'demo', name: 'tube' });
    await pair.plan(plan);
    hold(new Promise(() => {}));
    const planned = pair.plan(mapped);
    pair.cancelPlan();
    await expect(planned).rejects.toMatchObject({ code: 'ENGINE_STOPPED' });
    expect(calls).toContain('engine 2 dispose');
    hold(Promise.resolve());
    await pair.plan(mapped);
    await pair.frame(request);
    expect(calls.at(-1)).toBe('engine 3 frame');
  });

  it('a plan that fails leaves the front as it is', async () => {
    const { calls, create } = createEngines();
    const pair = createEnginePair(create);
    await pair.open({ kind: 'demo', name: 'tube' });
    await pair.plan(plan);
    const bad = { ...plan, stack: writeOption(plan.stack, 'volume', 'target.regions', { nobody: 1 }) };
    await expect(pair.plan(bad)).rejects.toThrow(/nobody/);
    await pair.frame(request);
    expect(calls.at(-1)).toBe('engine 1 frame');
  });
});
