import { type IsoskinError, presetStack } from '@isoskin/core';
import { createDemo } from '@isoskin/demos';
import { writeCharacter } from '@isoskin/gltf';
import { describe, expect, it } from 'vitest';
import { createEngine } from '../../src/engine/create-engine.js';
import { createEngineClient, type EngineClient, type MessagePeer } from '../../src/engine/engine-client.js';
import { createEnginePair } from '../../src/engine/engine-pair.js';
import type { EngineCalls, EngineMessage } from '../../src/engine/protocol.js';
import { writeOption } from '../../src/state/edit-stack.js';
import { Studio } from '../../src/state/studio.js';
import { createDocument, demoSource } from '../../src/state/studio-document.js';

const first = createDocument(demoSource('tube'));

/** A real engine behind a real message channel: what the worker is, in this thread. */
function startEngine(): EngineClient {
  const engine = createEngine();
  const { port1, port2 } = new MessageChannel();
  port2.onmessage = async ({ data }: MessageEvent<EngineMessage>) => {
    const { id, call, request } = data;
    try {
      const result = await engine[call](request as never);
      port2.postMessage({ id, result }, engine.listTransfers(result));
    } catch (cause) {
      port2.postMessage({ id, error: { code: (cause as IsoskinError).code, message: (cause as Error).message } });
    }
  };
  const peer: MessagePeer = {
    postMessage: (message, transfer) => port1.postMessage(message, transfer),
    addEventListener: (type, listener) => {
      if (type === 'message') port1.onmessage = listener;
    },
    terminate: () => port1.close(),
  };
  return createEngineClient(peer);
}

async function until(isDone: () => boolean, studio: Studio): Promise<void> {
  for (let n = 0; n < 1000 && !isDone(); n++) {
    studio.step(1 / 60);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(isDone()).toBe(true);
}

const isPlanned = (studio: Studio) => () => studio.plan.value !== null && studio.busy.value === '';

describe('Studio', () => {
  it('opens the first character, moves, and keeps its volume', async () => {
    const studio = new Studio(startEngine(), { first });
    await until(isPlanned(studio), studio);
    await until(() => (studio.frame.value?.time ?? 0) > 0.2, studio);
    await until(() => studio.frame.value?.volume !== undefined, studio);
    expect(Math.abs(studio.frame.value!.volume!.corrected)).toBeLessThan(1e-5);
    studio.playback.playing.value = false;
  });

  it('the engine follows every change, and undo', async () => {
    const studio = new Studio(createEnginePair(startEngine), { first });
    studio.playback.playing.value = false;
    await until(isPlanned(studio), studio);
    await until(() => volumeOf(studio) > 0, studio);
    const before = volumeOf(studio);
    const change = (by: number) =>
      studio.commit(
        'Target',
        (present) => ({ ...present, stack: writeOption(present.stack, 'volume', 'target.all', by) }),
        'target',
      );
    // A slider that is dragged: the last value counts.
    for (const by of [1.05, 1.1, 1.15, 1.2]) change(by);
    await until(() => Math.abs(volumeOf(studio) / before - 1.2) < 0.01, studio);
    await until(isPlanned(studio), studio);
    studio.history.undo();
    expect(studio.document.value.stack).toEqual(presetStack('natural'));
    await until(() => Math.abs(volumeOf(studio) / before - 1) < 0.01, studio);
  });

  it('undo also brings the character before back', async () => {
    const studio = new Studio(startEngine(), { first });
    await until(isPlanned(studio), studio);
    expect(await studio.openDemo('finger')).toBe(true);
    await until(isPlanned(studio), studio);
    const fingers = studio.character.value!.vertexCount;
    studio.history.undo();
    await until(() => studio.character.value!.vertexCount !== fingers, studio);
    await until(isPlanned(studio), studio);
    expect(studio.document.value.source.name).toBe('tube');
  });

  it('a file that cannot be read is a notice; everything else stays', async () => {
    const studio = new Studio(startEngine(), { first });
    await until(isPlanned(studio), studio);
    const before = studio.document.value;
    const bytes = await writeCharacter(createDemo('tube'));
    const source = { kind: 'file', id: 'file:1', name: 'broken.glb' } as const;
    const isOpen = await studio.open(source, { kind: 'file', name: 'broken.glb', bytes: bytes.slice(0, 900) });
    expect(isOpen).toBe(false);
    expect(studio.notices.list.value.at(-1)).toMatchObject({ kind: 'error' });
    expect(studio.notices.list.value.at(-1)!.title).toMatch(/broken\.glb/);
    expect(studio.document.value).toBe(before);
    const frame = studio.frame.value;
    await until(() => studio.frame.value !== frame, studio);
    expect(
      await studio.open({ ...source, id: 'file:2', name: 'good.glb' }, { kind: 'file', name: 'good.glb', bytes }),
    ).toBe(true);
    studio.playback.playing.value = false;
  });

  it('a stack that cannot be planned says why, and the one before goes on', async () => {
    const studio = new Studio(startEngine(), { first });
    await until(isPlanned(studio), studio);
    const { plan } = studio;
    const facts = plan.value;
    studio.commit('Bad', (present) => ({
      ...present,
      stack: writeOption(present.stack, 'volume', 'target.regions', { nobody: 2 }),
    }));
    await until(() => studio.planError.value !== '' && studio.busy.value === '', studio);
    expect(studio.planError.value).toMatch(/nobody/);
    expect(plan.value).toBe(facts);
    studio.history.undo();
    await until(() => studio.planError.value === '' && studio.busy.value === '', studio);
    studio.playback.playing.value = false;
  });
});

describe('createEngineClient', () => {
  it('answers in any order find their question, and errors keep their code', async () => {
    const client: EngineCalls = startEngine();
    const [facts, fault] = await Promise.all([
      client.open({ kind: 'demo', name: 'tube' }),
      client.open({ kind: 'demo', name: 'nobody' }).catch((error: unknown) => error),
    ]);
    expect(facts.vertexCount).toBe(createDemo('tube').surface.vertexCount);
    expect(fault).toMatchObject({ code: 'DEMO_UNKNOWN' });
  });

  it('what is asked when the engine is stopped is answered', async () => {
    const client = startEngine();
    const asked = client.open({ kind: 'demo', name: 'tube' });
    client.dispose();
    await expect(asked).rejects.toMatchObject({ code: 'ENGINE_STOPPED' });
  });
});

/** Volume of the corrected surface, from the triangles that the page draws. */
function volumeOf(studio: Studio): number {
  const x = studio.frame.value?.arrays.positions;
  const t = studio.character.value?.triangles;
  if (!x || !t || x.length === 0) return 0;
  let sum = 0;
  for (let i = 0; i < t.length; i += 3) {
    const [a, b, c] = [3 * t[i]!, 3 * t[i + 1]!, 3 * t[i + 2]!];
    sum += x[a]! * (x[b + 1]! * x[c + 2]! - x[b + 2]! * x[c + 1]!);
    sum += x[a + 1]! * (x[b + 2]! * x[c]! - x[b]! * x[c + 2]!);
    sum += x[a + 2]! * (x[b]! * x[c + 1]! - x[b + 1]! * x[c]!);
  }
  return sum / 6;
}
