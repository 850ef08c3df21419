/** The engine behind messages: requests are answered one after the other, in the order they come. */
import { IsoskinError } from '@isoskin/core';
import { createEngine } from './create-engine.js';
import type { EngineAnswer, EngineFault, EngineMessage } from './protocol.js';

const scope = globalThis as unknown as {
  onmessage: ((event: MessageEvent<EngineMessage>) => void) | null;
  postMessage(answer: EngineAnswer, transfer: Transferable[]): void;
};
const engine = createEngine();
/** The facts of the last plan: those that stay are not sent twice. */
let sent: unknown;
let queue: Promise<void> = Promise.resolve();

scope.onmessage = ({ data }) => {
  queue = queue.then(() => answer(data));
};

async function answer({ id, call, request }: EngineMessage): Promise<void> {
  try {
    const result = await engine[call](request as never);
    const isKnown = call === 'plan' && result === sent;
    if (call === 'plan') sent = result;
    scope.postMessage({ id, result: isKnown ? null : result }, engine.listTransfers(result));
  } catch (cause) {
    scope.postMessage({ id, error: describeFault(cause) }, []);
  }
}

function describeFault(cause: unknown): EngineFault {
  if (cause instanceof IsoskinError) return { code: cause.code, message: cause.message };
  if (cause instanceof RangeError) {
    return { code: 'MEMORY', message: 'The browser has not enough memory for this character: try a smaller one.' };
  }
  return { code: 'INTERNAL', message: cause instanceof Error ? cause.message : String(cause) };
}
