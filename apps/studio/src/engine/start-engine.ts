import { createEngineClient, type EngineClient } from './engine-client.js';

/** An engine in a worker of its own. */
export function startEngine(): EngineClient {
  return createEngineClient(new Worker(new URL('./engine.worker.ts', import.meta.url), { type: 'module' }));
}
