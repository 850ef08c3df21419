/**
 * Two engines that look like one: while the front one gives frames, the back one plans the changed stack, and then they trade
 * places. The animation never waits for a slider, and a slow plan that nobody wants any more is stopped. A large character
 * is opened once only, and then it does wait.
 */
import type { StackSpec } from '@isoskin/core';
import { measureDraftKey } from '@isoskin/core/stack';
import { writeOption } from '../state/edit-stack.js';
import { describeBase } from './create-folds.js';
import type { EngineClient } from './engine-client.js';
import type { EngineCalls, PlanRequest, SourceData } from './protocol.js';

/** Above this many vertices a second copy of the character is not worth its memory. */
const MOST_TWICE = 200_000;
/** Numbers that no plan of shapes depends on: a change of them alone takes a moment, in front. */
const QUICK = [
  'target',
  'options.strength',
  'options.limit',
  'options.limits',
  'options.harmonics',
  'options.twist',
  'options.crease',
];

function describeSlow(stack: StackSpec): string {
  if (!stack.volume || measureDraftKey(stack.volume) === '') return describeBase(stack);
  const { wrinkles: _, ...layers } = QUICK.reduce((rest, path) => writeOption(rest, 'volume', path, undefined), stack);
  return JSON.stringify(layers);
}

/** A plan that has run for less, in milliseconds, is sooner finished than begun anew in an engine that must open the character first. */
const PATIENCE = 2000;

export interface EnginePair extends EngineCalls {
  /** The plan that is being made is out of date: it may fail with `ENGINE_STOPPED`. */
  cancelPlan(): void;
  /** There is time: what the next plan needs besides is done beforehand, by planning what is shown once more behind it. */
  prepare(): void;
}

export function createEnginePair(create: () => EngineClient): EnginePair {
  let front = create();
  let back: EngineClient | undefined;
  let source: SourceData | undefined;
  /** What the back engine has open, or opens. */
  let behind: { readonly source: SourceData; readonly opening: Promise<unknown> } | undefined;
  let isPlanned = false;
  /** What the front engine has planned, without the wrinkles, and without what is quick to plan. */
  let planned: readonly unknown[] | undefined;
  let slow: readonly unknown[] | undefined;
  let isLarge = false;
  let last: PlanRequest | undefined;
  /** When the back engine began to plan. */
  let began = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const openBehind = async (wanted: SourceData): Promise<EngineClient> => {
    back ??= create();
    const engine = back;
    if (behind?.source !== wanted) behind = { source: wanted, opening: engine.open(wanted) };
    const own = behind;
    await own.opening.catch((cause: unknown) => {
      if (behind === own) behind = undefined;
      throw cause;
    });
    return engine;
  };

  return {
    async open(next) {
      const facts = await front.open(next);
      source = next;
      isPlanned = false;
      isLarge = facts.vertexCount > MOST_TWICE;
      return facts;
    },
    async plan(request) {
      const key = [describeBase(request.stack), request.paint, request.kernels] as const;
      if (isPlanned && key.every((value, n) => value === planned?.[n])) {
        return front.plan({ ...request, only: 'wrinkles' });
      }
      const ownSlow = [describeSlow(request.stack), request.paint, request.kernels] as const;
      const isQuick = ownSlow.every((value, n) => value === slow?.[n]) && isPlanned;
      if (!isPlanned || isLarge || !source || isQuick) {
        const facts = await front.plan(isQuick ? { ...request, only: 'amounts' } : request);
        isPlanned = true;
        last = request;
        [planned, slow] = [key, ownSlow];
        return facts;
      }
      const wanted = source;
      began = performance.now();
      try {
        const engine = await openBehind(wanted);
        const facts = await engine.plan(request);
        if (wanted === source) {
          [front, back] = [engine, front]; // what was in front has the same character open
          [planned, slow] = [key, ownSlow];
          last = request;
        }
        return facts;
      } finally {
        began = 0;
        clearTimeout(timer);
      }
    },
    prepare() {
      const [wanted, request] = [source, last];
      if (!wanted || isLarge || !isPlanned || !request || behind?.source === wanted) return;
      openBehind(wanted)
        .then((engine) => (began === 0 ? engine.plan({ ...request, isAhead: true }) : undefined))
        .catch(() => {}); // the plan that needs it says why
    },
    cancelPlan() {
      if (began === 0) return;
      clearTimeout(timer);
      const stop = () => {
        const stopped = back;
        back = undefined;
        behind = undefined;
        stopped?.dispose();
      };
      timer = setTimeout(stop, Math.max(0, PATIENCE - (performance.now() - began)));
    },
    frame: (request) => front.frame(request),
    pick: (request) => front.pick(request),
    placeWrinkle: (request) => front.placeWrinkle(request),
    measure: (request) => front.measure(request),
    measureLosses: (request) => front.measureLosses(request),
  };
}
