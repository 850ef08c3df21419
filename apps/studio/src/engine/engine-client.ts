/** The page's side of the engine: calls become messages, answers become promises, errors keep their code. */
import type { EngineAnswer, EngineCalls, EngineMessage, PlanFacts } from './protocol.js';

export class EngineError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.name = 'EngineError';
    this.code = code;
  }
}

export interface EngineClient extends EngineCalls {
  /** Ends the worker; what is still asked is answered with an error. */
  dispose(): void;
}

/** The part of a Worker that is needed, so that tests can use a message channel. */
export interface MessagePeer {
  postMessage(message: unknown, transfer: Transferable[]): void;
  addEventListener(type: 'message' | 'error', listener: (event: MessageEvent | ErrorEvent) => void): void;
  terminate?(): void;
}

export function createEngineClient(peer: MessagePeer): EngineClient {
  const waiting = new Map<number, { resolve(value: never): void; reject(error: Error): void }>();
  let last = 0;
  let known: PlanFacts | undefined;

  const failAll = (error: Error) => {
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  peer.addEventListener('message', (event) => {
    const answer = (event as MessageEvent<EngineAnswer>).data;
    const entry = waiting.get(answer.id);
    waiting.delete(answer.id);
    if ('error' in answer) entry?.reject(new EngineError(answer.error.code, answer.error.message));
    else entry?.resolve(answer.result as never);
  });
  peer.addEventListener('error', (event) => {
    const reason = (event as ErrorEvent).message || 'the worker could not start';
    failAll(new EngineError('ENGINE_CRASHED', `The engine stopped (${reason}): reload the page.`));
  });

  function call<K extends keyof EngineCalls>(
    name: K,
    request: Parameters<EngineCalls[K]>[0],
    transfer: Transferable[] = [],
  ): ReturnType<EngineCalls[K]> {
    const id = ++last;
    const answer = new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
    const message: EngineMessage = { id, call: name, request };
    peer.postMessage(message, transfer);
    return answer as ReturnType<EngineCalls[K]>;
  }

  return {
    open: (source) => call('open', source),
    plan: async (request) => {
      known = ((await call('plan', request)) as PlanFacts | null) ?? known!;
      return known;
    },
    pick: (request) => call('pick', request),
    placeWrinkle: (request) => call('placeWrinkle', request),
    measure: (request) => call('measure', request),
    measureLosses: (request) => call('measureLosses', request),
    frame: (request) =>
      call('frame', request, request.recycle ? Object.values(request.recycle).map((array) => array.buffer) : []),
    dispose() {
      peer.terminate?.();
      failAll(new EngineError('ENGINE_STOPPED', 'The engine was stopped.'));
    },
  };
}
