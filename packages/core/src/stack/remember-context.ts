/**
 * `planContext` with a memory: what it finds out depends on the character and on how it is cut and mapped, not on limits, targets or harmonics. A
 * change of those plans nothing of it again, one of the map neither cut nor directions nor smoothing, and a page may keep the drafts (`listDrafts`) and put them back when the same character is opened again.
 */
import type { Body } from '../body/plan-body.js';
import { SHAPE_DEFAULTS } from '../correction/plan-shapes.js';
import type { SolverContext } from '../correction/volume-solver.js';
import type { NameRegions } from '../regions/name-regions.js';
import { type Keep, type PlanDraft, planContext } from './plan-context.js';
import { SHAPE_MAP } from './presets.js';
import type { VolumeLayerOptions } from './volume-layer.js';

/** Drafts that a body remembers. */
const MOST = 4;

/** What a draft belongs to; empty where none is kept: directional control changes what it would hold. */
export function measureDraftKey({ method, shape, directions, map, regions, options }: VolumeLayerOptions): string {
  if (shape || (method ?? 'shapes') !== 'shapes') return '';
  const { smoothing } = { ...SHAPE_DEFAULTS, ...options };
  return JSON.stringify([directions ?? {}, map ?? SHAPE_MAP, regions ?? {}, smoothing]);
}

const memories = new WeakMap<Body, Map<string, PlanDraft>>();

/** What is remembered of a body's plans, by key: the latest last. */
export function listDrafts(body: Body): Map<string, PlanDraft> {
  const drafts = memories.get(body) ?? new Map<string, PlanDraft>();
  memories.set(body, drafts);
  return drafts;
}

/** Of this session: the regions too. */
const contexts = new WeakMap<PlanDraft, SolverContext>();

const parts = new WeakMap<Body, Map<string, unknown>>();

/** The latest of every kind: a slider changes one at a time. */
function createKeep(body: Body): Keep {
  const kept = parts.get(body) ?? new Map<string, unknown>();
  parts.set(body, kept);
  return <T>(name: string, make: () => T): T => {
    if (kept.has(name)) return kept.get(name) as T;
    const [kind] = name.split(' ', 1);
    for (const other of kept.keys()) if (other.startsWith(`${kind} `)) kept.delete(other);
    const made = make();
    kept.set(name, made);
    return made;
  };
}

export function rememberContext(body: Body, options: VolumeLayerOptions, nameRegions?: NameRegions): SolverContext {
  const key = measureDraftKey(options);
  if (key === '') return planContext(body, options, nameRegions);
  const drafts = listDrafts(body);
  const { room } = [...drafts.values()][0] ?? {}; // of the body, whatever is done with it
  const draft = drafts.get(key) ?? (room ? { room } : {});
  const context = contexts.get(draft) ?? planContext(body, options, nameRegions, draft, createKeep(body));
  contexts.set(draft, context);
  drafts.delete(key);
  drafts.set(key, draft);
  for (const old of [...drafts.keys()].slice(0, -MOST)) drafts.delete(old);
  // Shapes are scaled in place.
  const { bases, ...shapes } = context.draft!;
  return { ...context, draft: { ...shapes, bases: { ...bases, values: bases.values.slice() } } };
}
