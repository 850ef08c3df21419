/**
 * Threads that help with phases: Node's worker threads or Web Workers, both from a few lines of text, so that no bundler has
 * to find a file. A worker spins while frames run and sleeps in `Atomics.wait` when nothing has come for a while; it
 * returns to its event loop only to be told of slabs that open and close.
 *
 * The caller never waits for a worker that did not take part: a phase is done when its blocks are done.
 */
import { findNodeModule } from './detect-features.js';
import { CONTROL, CONTROL_DONE } from './layout.js';
import type { Slab } from './open-slabs.js';

export interface Workers {
  /** How many have started. */
  readonly count: number;
  open(slab: Slab): void;
  close(slab: Slab): void;
  /** One phase on blocks `from` … `to` − 1 of a frame, with at most `threads` threads, the caller included. */
  run(slab: Slab, frame: number, phase: number, flags: number, from: number, to: number, threads: number): void;
  stop(): void;
}

/** Words that the caller and the workers share. */
const WAKE = 0;
const SLAB = 1;
const MESSAGES = 2;
const SLEEPING = 3;
const STARTED = 4;
const STOP = -1;

/** Looks for work before a worker sleeps, about half a millisecond: it stays awake between the phases of a frame. */
const WORKER_PATIENCE = 400_000;
/** Looks for the end of a phase before the caller sleeps: a worker whose processor was taken away may need the caller's. */
const CALLER_PATIENCE = 40_000;

/** What a worker runs, in Node and in pages. */
const PROGRAM = `
const port = typeof require === 'function' ? require('node:worker_threads').parentPort : self;
const slabs = new Map();
let module, control, me, received = 0;
const listen = ({ data }) => {
  received++;
  if (data.control) ({ module, control, me } = data);
  if (data.open) slabs.set(data.open, new WebAssembly.Instance(module, { env: { memory: data.memory } }).exports);
  if (data.close) slabs.delete(data.close);
  if (data.control) Atomics.add(control, ${STARTED}, 1);
  for (;;) {
    const seen = Atomics.load(control, ${WAKE});
    const id = Atomics.load(control, ${SLAB});
    if (id === ${STOP}) return port.close();
    if (received < Atomics.load(control, ${MESSAGES})) return;
    slabs.get(id)?.work(me, ${WORKER_PATIENCE});
    Atomics.add(control, ${SLEEPING}, 1);
    Atomics.wait(control, ${WAKE}, seen);
    Atomics.sub(control, ${SLEEPING}, 1);
  }
};
if (port.on) port.on('message', (data) => listen({ data })); else port.onmessage = listen;
`;

interface AnyWorker {
  postMessage(message: unknown): void;
  terminate(): void;
  unref?(): void;
}
type NodeThreads = { Worker: new (program: string, options: { eval: true }) => AnyWorker };

/** Starts `count` workers; throws what the engine says when it will have none. */
export function startWorkers(count: number, module: WebAssembly.Module): Workers {
  const control = new Int32Array(new SharedArrayBuffer(64));
  const workers = Array.from({ length: count }, startWorker);
  const waits = canWait(control);
  const tell = (message: (me: number) => object): void => {
    Atomics.add(control, MESSAGES, 1);
    wake();
    workers.forEach((worker, i) => void worker.postMessage(message(i + 1)));
  };
  const wake = (): void => {
    Atomics.add(control, WAKE, 1);
    Atomics.notify(control, WAKE);
  };
  tell((me) => ({ control, module, me }));

  return {
    get count() {
      return Atomics.load(control, STARTED);
    },
    open: ({ id, memory }) => tell(() => ({ open: id, memory })),
    close: ({ id }) => tell(() => ({ close: id })),
    run({ id, code, memory }, frame, phase, flags, from, to, threads) {
      code.openPhase(frame, phase, flags, from, to, Math.min(threads, count + 1));
      const asleep = Atomics.load(control, SLEEPING) > 0;
      if (Atomics.load(control, SLAB) !== id) Atomics.store(control, SLAB, id);
      if (asleep) wake();
      code.takeBlocks(0);
      while (!code.awaitBlocks(to - from, CALLER_PATIENCE)) if (waits) waitForBlocks(memory, to - from);
    },
    stop() {
      Atomics.store(control, SLAB, STOP);
      wake();
      for (const worker of workers) worker.terminate();
    },
  };
}

/** Sleeps until the last block is done, or for a moment: then the caller looks again. */
function waitForBlocks({ buffer }: WebAssembly.Memory, count: number): void {
  const words = new Int32Array(buffer, CONTROL, 16);
  const done = Atomics.load(words, CONTROL_DONE >> 2);
  if (done !== count) Atomics.wait(words, CONTROL_DONE >> 2, done, 1);
}

/** A page's main thread may not wait. */
function canWait(control: Int32Array): boolean {
  try {
    Atomics.wait(control, WAKE, -1, 0);
    return true;
  } catch {
    return false;
  }
}

function startWorker(): AnyWorker {
  const threads = findNodeModule<NodeThreads>('node:worker_threads');
  if (threads) {
    const worker = new threads.Worker(PROGRAM, { eval: true });
    worker.unref?.(); // a program may end while workers sleep
    return worker;
  }
  const url = URL.createObjectURL(new Blob([PROGRAM], { type: 'text/javascript' }));
  const worker = new Worker(url);
  URL.revokeObjectURL(url);
  return worker;
}
