/**
 * `planContext` with a memory: what it finds out depends on the character and on how it is cut and mapped, not on limits, targets or harmonics. A change of
 * those plans nothing of it again, one of the map neither cut nor directions nor smoothing nor patches of skin, and a page may keep the drafts (`listDrafts`)
 * and put them back when the same character is opened again: then nothing of it is planned at all.
 */
import type { Body } from '../body/plan-body.js';
import { SHAPE_DEFAULTS, type ShapeDraft } from '../correction/plan-shapes.js';
import type { SolverContext } from '../correction/volume-solver.js';
import type { NameRegions } from '../regions/name-regions.js';
import type { RegionVolumes } from '../volume/plan-region-volumes.js';
import { type Keep, planContext } from './plan-context.js';
import { SHAPE_MAP } from './presets.js';
import type { VolumeLayerOptions } from './volume-layer.js';

/** What is found out, as data alone. The closed surface is the body's own. */
export interface PlanDraft extends Omit<SolverContext, 'character' | 'clusters' | 'planGiven' | 'volumes'> {
  readonly volumes: Omit<RegionVolumes, 'closed'>;
  readonly draft: ShapeDraft;
}

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
  const keep = createKeep(body);
  keep('room', () => [...drafts.values()][0]?.room ?? body.room); // whatever is done with the body
  const draft = drafts.get(key) ?? planDraft(planContext(body, options, nameRegions, keep));
  drafts.delete(key);
  drafts.set(key, draft);
  for (const old of [...drafts.keys()].slice(0, -MOST)) drafts.delete(old);
  const { bases, ...shapes } = draft.draft;
  return {
    ...draft,
    character: body.character,
    volumes: { ...draft.volumes, closed: body.closed },
    draft: { ...shapes, bases: { ...bases, values: bases.values.slice() } }, // shapes are scaled in place
  };
}

function planDraft({
  character: _,
  clusters: __,
  volumes: { closed: ___, ...volumes },
  draft,
  ...rest
}: SolverContext): PlanDraft {
  return { ...rest, volumes, draft: draft! };
}
