/** Why a wrinkle folds, or does not, in the pose that is shown. */
import type { StackSpec } from '@isoskin/core';
import type { WrinkleState } from '@isoskin/core/wrinkles';
import { isOn } from './edit-stack.js';
import { listWrinkles } from './edit-wrinkles.js';

/** Below this share of its length nothing is seen. */
const SEEN = 1e-3;

/** @param states of the wrinkles that are on, in their order; absent before the first frame */
export function explainWrinkle(
  stack: StackSpec,
  index: number,
  states: readonly WrinkleState[] | undefined,
): { readonly folds: boolean; readonly words: string } {
  const tools = listWrinkles(stack);
  const tool = tools[index];
  const no = (words: string) => ({ folds: false, words });
  if (!tool) return no('');
  if (!isOn(stack, 'wrinkles')) return no('Nothing folds: the wrinkles layer is off. Switch it on in the stack.');
  if (tool.enabled === false) return no('Nothing folds: this wrinkle is off.');
  if (tool.strength === 0) return no('Nothing folds: its strength is 0.');
  const state = states?.[tools.slice(0, index).filter((one) => one.enabled !== false).length];
  if (!state || !(state.length > 0)) return no('');
  const { length, distance, lost } = state;
  const percent = (share: number) => `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`;
  if (lost > SEEN * length) {
    const coarse = stack.wrinkles?.refine === 0 ? ' Detail is 0: the mesh may be too coarse to show them.' : '';
    return {
      folds: true,
      words: `Folds: the skin here is ${percent(lost / length)} shorter than its rest length.${coarse}`,
    };
  }
  const how = distance > (1 + SEEN) * length ? `${percent(distance / length - 1)} longer than` : 'about as long as';
  return no(
    `Nothing folds in this pose: the skin here is ${how} its rest length. Go to a pose that pushes it together, draw across the folds, or raise Rest length.`,
  );
}
