/**
 * A5. Weights for a surface and a skeleton that stands in it, from nothing but their rest shape.
 *
 * Any surface will do: open, of several components, with flat cards. All methods normalise, keep the strongest `influences`
 * bones of every vertex and drop what is below `prune`. The result depends on nothing but the input and moves with it.
 */
import type { Binding } from '../character/character.js';
import { IsoskinError } from '../error.js';
import type { Surface } from '../mesh/surface.js';
import type { Skeleton } from '../skeleton/skeleton.js';
import { createBoneProbe } from './create-bone-probe.js';
import { createInfluences } from './create-influences.js';
import { planVisibility, VISIBILITIES, type VisibilityKind } from './plan-visibility.js';
import { planWeightsBody } from './plan-weights-body.js';
import { weighByDistance } from './weigh-by-distance.js';
import { weighByHeat } from './weigh-by-heat.js';

export const WEIGHT_METHODS = ['bone', 'visible', 'heat'] as const;
export type WeightMethod = (typeof WEIGHT_METHODS)[number];

export interface WeightOptions {
  /** `bone`: A5(a), distance alone; `visible`: A5(b), bone length and visibility; `heat`: A5(c), diffusion. */
  readonly method?: WeightMethod;
  /** α of `bone` and `visible`. */
  readonly power?: number;
  /** c of `heat`: 4 bends within half a limb's thickness, as flesh does; 1, the classic, within a whole one. */
  readonly locality?: number;
  /** Whether `visible` gives long bones more, as the article does; on real characters it is far better without. */
  readonly lengths?: boolean;
  /** Most bones per vertex. */
  readonly influences?: number;
  /** How `visible` and `heat` find out whether a vertex sees a bone. */
  readonly visibility?: VisibilityKind;
  /** Smaller weights are dropped. */
  readonly prune?: number;
  /** Bones that may move each group (glTF node) of the surface; default: all. */
  readonly bonesOfGroup?: readonly (readonly number[])[];
}

export const WEIGHT_DEFAULTS = {
  method: 'heat',
  power: 4,
  locality: 4,
  lengths: true,
  influences: 4,
  visibility: 'rays',
  prune: 0.01,
} as const satisfies WeightOptions;

/** A `Binding` for the surface's vertices, and how many of them no bone reached (rigid, or warmed by their neighbours). */
export interface AutoWeights extends Binding {
  readonly unreached: number;
}

/** Distances below this share of the body count as this: a vertex on a bone does not weigh infinitely much. */
const LEAST_DISTANCE = 1e-4;

/** Weights of a mesh from its skeleton alone: by nearest bone, by visible bone or by heat. */
export function autoWeights(surface: Surface, skeleton: Skeleton, options: WeightOptions = {}): AutoWeights {
  const chosen = { ...WEIGHT_DEFAULTS, ...options };
  checkOptions(chosen, skeleton);
  const { method, power, influences, prune } = chosen;
  const body = planWeightsBody(surface, skeleton.boneCount, options.bonesOfGroup);
  const probe = createBoneProbe(skeleton, LEAST_DISTANCE * body.size);
  const out = createInfluences(surface.vertexCount, influences);
  const rule = { power, limit: influences, prune };
  let unreached: number;
  if (method === 'bone') unreached = weighByDistance(out, body, probe, { ...rule, lengths: false });
  else {
    const visibility = planVisibility(chosen.visibility, surface, body.size);
    unreached =
      method === 'heat'
        ? weighByHeat(out, body, probe, visibility, chosen.locality)
        : weighByDistance(out, body, probe, { ...rule, lengths: chosen.lengths, visibility });
  }
  return { ...out.finish(prune), unreached };
}

function checkOptions(options: Required<Omit<WeightOptions, 'bonesOfGroup'>>, skeleton: Skeleton): void {
  const { method, power, locality, influences, visibility, prune } = options;
  const refuse = (message: string, place: string) => new IsoskinError('WEIGHT_OPTION', message, place);
  if (!WEIGHT_METHODS.includes(method)) {
    throw refuse(`There is no method “${method}” for weights; use ${WEIGHT_METHODS.join(', ')}.`, 'method');
  }
  if (!VISIBILITIES.includes(visibility)) {
    throw refuse(`There is no visibility test “${visibility}”; use ${VISIBILITIES.join(' or ')}.`, 'visibility');
  }
  if (!(power > 0 && power <= 64)) {
    throw refuse(`The power ${power} is not a number above 0 and up to 64; 4 is usual.`, 'power');
  }
  if (!(locality > 0 && locality <= 1000)) {
    throw refuse(`The locality ${locality} is not a number above 0 and up to 1000; 4 is usual.`, 'locality');
  }
  if (!(Number.isInteger(influences) && influences >= 1 && influences <= 64)) {
    throw refuse(`${influences} influences are not a whole number from 1 to 64; 4 is usual.`, 'influences');
  }
  if (!(prune >= 0 && prune < 0.5)) {
    throw refuse(`Weights below ${prune} cannot be dropped; use a number from 0 to 0.5.`, 'prune');
  }
  if (skeleton.boneCount === 0) {
    throw new IsoskinError('NO_BONES', 'The skeleton has no bone to hang the skin on; give one with joints.');
  }
}
