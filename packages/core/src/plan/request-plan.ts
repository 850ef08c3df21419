/**
 * A plan from a worker, so that a page goes on while a character is planned; where no worker starts (Node, a page's policy, a bundler that does not know
 * them) the same planner runs here. It is loaded when it is first asked for.
 */
import type { CharacterInput } from '../character/character.js';
import { IsoskinError } from '../error.js';
import type { VolumeLayerOptions } from '../stack/volume-layer.js';
import { loadPlan } from './load-plan.js';
import { measurePlanKey } from './measure-plan-key.js';

export interface PlanJob {
  readonly id: number;
  readonly input: CharacterInput;
  readonly options: VolumeLayerOptions;
}

export type PlanAnswer = { readonly id: number } & (
  | { readonly bytes: Uint8Array }
  | { readonly error: { readonly code?: string; readonly message: string; readonly place?: string } }
);

export interface RequestOptions {
  /** Keeps plans in the browser's database and finds them there again. */
  readonly cache?: boolean | undefined;
}

/** What a page has and Node has not. */
interface PageWorker {
  onmessage: (event: { readonly data: PlanAnswer | 'hello' }) => void;
  onerror: (event: { preventDefault(): void }) => void;
  postMessage(job: PlanJob): void;
  terminate(): void;
}
declare const Worker: new (url: URL, options: { type: 'module' }) => PageWorker;
declare function setTimeout(run: () => void, wait: number): unknown;
declare class URL {
  constructor(path: string, base: string);
}
/** Written out, so that bundlers see `new URL('…', import.meta.url)`. */
type Here = ImportMeta & { readonly url: string };

interface Waiting {
  readonly job: PlanJob;
  readonly resolve: (bytes: Uint8Array | Promise<Uint8Array>) => void;
  readonly reject: (error: unknown) => void;
}

/** Milliseconds that a worker has to load: something else may stand at its address, and say nothing. */
const PATIENCE = 10_000;

const waiting = new Map<number, Waiting>();
let worker: PageWorker | undefined;
let canStart = true;
let jobs = 0;

export async function requestPlan(
  input: CharacterInput,
  options: VolumeLayerOptions = {},
  { cache }: RequestOptions = {},
): Promise<Uint8Array> {
  if (!cache) return plan(input, options);
  const { readStoredPlan, storePlan } = await import('./plan-store.js');
  const key = measurePlanKey(input, options, input.clips);
  const stored = await readStoredPlan(key);
  if (stored) {
    try {
      loadPlan(stored, measurePlanKey(input, options));
      return stored;
    } catch {} // of another version, or damaged: planned again
  }
  const bytes = await plan(input, options);
  await storePlan(key, bytes);
  return bytes;
}

function plan(input: CharacterInput, options: VolumeLayerOptions): Promise<Uint8Array> {
  const job = { id: jobs++, input, options };
  worker ??= startWorker();
  const own = worker;
  if (!own) return planHere(job);
  return new Promise((resolve, reject) => {
    waiting.set(job.id, { job, resolve, reject });
    own.postMessage(job);
  });
}

async function planHere({ input, options }: PlanJob): Promise<Uint8Array> {
  const { planCharacter } = await import('./plan-character.js');
  return planCharacter(input, options);
}

function startWorker(): PageWorker | undefined {
  if (!canStart || typeof Worker === 'undefined') return undefined;
  try {
    const started = new Worker(new URL('./plan-worker.js', (import.meta as Here).url), { type: 'module' });
    let isThere = false;
    started.onmessage = ({ data }) => {
      isThere = true;
      if (data !== 'hello') take(data);
    };
    setTimeout(() => {
      if (!isThere && worker === started) giveUp();
    }, PATIENCE);
    started.onerror = (event) => {
      event.preventDefault();
      giveUp();
    };
    return started;
  } catch {
    canStart = false;
    return undefined;
  }
}

/** The worker could not be loaded, or broke: what waits is planned here. */
function giveUp(): void {
  canStart = false;
  stop();
  for (const { job, resolve } of waiting.values()) resolve(planHere(job));
  waiting.clear();
}

function take(answer: PlanAnswer): void {
  const asked = waiting.get(answer.id);
  waiting.delete(answer.id);
  if (waiting.size === 0) stop(); // its memory is worth more than its start
  if ('bytes' in answer) return asked?.resolve(answer.bytes);
  const { code, message, place } = answer.error;
  asked?.reject(code ? Object.assign(new IsoskinError(code, message), { place }) : new Error(message));
}

function stop(): void {
  worker?.terminate();
  worker = undefined;
}
