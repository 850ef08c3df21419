/**
 * C17. What the amounts of a component are asked to minimise: every region close to its volume, none worse than plain skinning leaves it,
 * and no shape pushed further than it earns.
 *
 *   E(λ) = Σ_s q_s r_s² + Σ_s P_s (|r_s| − b_s)₊² + Σ_s C_s β(λ_s)          over −Λ⁻ ≤ λ ≤ Λ⁺
 *
 *   r_s = (V_s − V̄_s)/w_s                                  w_s  scale of the region (component-search.ts)
 *   q_s = 1, or 0 where Λ_s = 0: a region without a shape asks for nothing, but its neighbours may not make it worse
 *   b_s = |r_s(x)| + WORSE_SLACK |V̄_s|/w_s                the error that plain skinning x leaves, and a little: what leaks into a
 *                                                          region that cannot help itself does not hold back its neighbours
 *   P_s = WORSE_PENALTY · clamp((w_s/V̄_s)², 1, 100)        small regions count as much as large ones, relative to themselves
 *   C_s = PUSH_PRICE · (V̄_s/w_s)²                          relative volume against relative push: the same for an ear and a trunk
 *   β(λ) = ((|λ|/Λ − f_s)₊ / (1 − f_s))³                   C², free up to a share f_s of the ceiling (plan-shapes.ts), 1 at the ceiling
 *
 * There is no row for the total: where every region is met the total is, and where one is held back its loss must not go to regions that lost
 * nothing. Without a ceiling (Λ = ∞) nothing is paid and every region is exact. The price makes λ smooth in the pose where a hard
 * ceiling alone would switch sides.
 */

/** Weight of an error beyond plain skinning's own. */
export const WORSE_PENALTY = 1000;
/** A region may end this much further from its volume than under plain skinning, as a share of its volume. */
export const WORSE_SLACK = 2e-3;
/** Price of a push at its ceiling, as a squared relative volume error. */
export const PUSH_PRICE = 0.04;

/** Values of all regions that the parts of a solver share. */
export interface AmountState {
  readonly lambda: Float64Array;
  /** λ of the best surface so far, and the step from there. */
  readonly accepted: Float64Array;
  readonly delta: Float64Array;
  /** w and r of the surface last evaluated. */
  readonly scales: Float64Array;
  readonly residual: Float64Array;
  /** Λ⁺ and Λ⁻. */
  readonly outward: Float64Array;
  readonly inward: Float64Array;
  /** f: share of its ceiling up to which a push is free. */
  readonly ease: Float64Array;
  /** b, P and C of the frame. */
  readonly bounds: Float64Array;
  readonly penalties: Float64Array;
  readonly prices: Float64Array;
}

/** P_s and C_s of a region whose target is V̄_s. */
export function measurePrices(state: AmountState, s: number, target: number): void {
  const share = Math.abs(target) / state.scales[s]!;
  state.penalties[s] = WORSE_PENALTY * Math.min(100, Math.max(1, 1 / (share * share)));
  state.prices[s] = PUSH_PRICE * share * share;
}

/** b_s from the error of plain skinning. */
export function measureBound(state: AmountState, s: number, target: number): void {
  state.bounds[s] = Math.abs(state.residual[s]!) + (WORSE_SLACK * Math.abs(target)) / state.scales[s]!;
}

/** q_s. */
export function asks({ outward }: AmountState, s: number): 0 | 1 {
  return outward[s]! > 0 ? 1 : 0;
}

/** (|λ|/Λ − f)₊ / (1 − f) with the sign of λ. */
export function measurePush({ outward, inward, ease }: AmountState, s: number, amount: number): number {
  const share = amount >= 0 ? amount / outward[s]! : amount / inward[s]!;
  const beyond = Math.abs(share) - ease[s]!; // of an infinite ceiling: below 0
  return beyond > 0 ? (Math.sign(share) * beyond) / (1 - ease[s]!) : 0;
}

/** ½ C_s β′(λ_s). */
export function measureSlope(state: AmountState, s: number, amount: number): number {
  const push = measurePush(state, s, amount);
  return push === 0 ? 0 : (1.5 * state.prices[s]! * push * Math.abs(push)) / measureWidth(state, s, amount);
}

/** ½ C_s β″(λ_s). */
export function measureCurvature(state: AmountState, s: number, amount: number): number {
  const push = Math.abs(measurePush(state, s, amount));
  return push === 0 ? 0 : (3 * state.prices[s]! * push) / measureWidth(state, s, amount) ** 2;
}

/** Amounts between where a push begins to be paid and its ceiling. */
function measureWidth({ outward, inward, ease }: AmountState, s: number, amount: number): number {
  return (1 - ease[s]!) * (amount >= 0 ? outward[s]! : inward[s]!);
}

/** E of the regions in `block` at errors `residual` and amounts `lambda`, both of all regions. */
export function measureEnergy(
  state: AmountState,
  block: Uint32Array,
  residual: Float64Array,
  lambda: Float64Array,
): number {
  const { bounds, penalties, prices } = state;
  let sum = 0;
  for (let i = 0; i < block.length; i++) {
    const s = block[i]!;
    const r = residual[s]!;
    const worse = Math.abs(r) - bounds[s]!;
    const push = Math.abs(measurePush(state, s, lambda[s]!));
    sum += asks(state, s) * r * r + prices[s]! * push * push * push;
    if (worse > 0) sum += penalties[s]! * worse * worse;
  }
  return sum;
}
