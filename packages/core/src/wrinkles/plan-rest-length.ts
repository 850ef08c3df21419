import type { Character } from '../character/character.js';
import { sampleCurve } from '../correction/plan-target-volumes.js';
import { refuseTool } from './refuse-tool.js';
import type { RestLength } from './wrinkle-tool.js';

/** ℓ of a tool over time. */
export interface RestLengthPlan {
  /** Largest that it can become. */
  readonly most: number;
  measure(time: number, morphWeights: Float64Array): number;
}

export function planRestLength(
  character: Character,
  rest: RestLength | undefined,
  placed: number,
  factor: number,
  place: string,
): RestLengthPlan {
  const check = (value: number): number => {
    if (value > 0 && Number.isFinite(value)) return value;
    return refuseTool(`A rest length of ${value} makes no sense: give a number above 0`, `${place}.restLength`);
  };
  if (rest === undefined || typeof rest === 'number') {
    const length = rest === undefined ? placed : factor * check(rest);
    return { most: length, measure: () => length };
  }
  if ('keys' in rest) {
    if (rest.keys.length === 0)
      refuseTool('The keys of the rest length are empty: give [seconds, length]', `${place}.restLength`);
    const { keys } = rest;
    const most = factor * Math.max(...keys.map(([, length]) => check(length)));
    return { most, measure: (time) => factor * sampleCurve(keys, time) };
  }
  const morph = character.morphs.findIndex(({ name }) => name === rest.morph);
  if (morph < 0) {
    const names = character.morphs.map(({ name }) => `“${name}”`).join(', ') || 'none';
    refuseTool(`There is no morph target “${rest.morph}”: choose among ${names}`, `${place}.restLength.morph`);
  }
  const from = rest.from === undefined ? placed : factor * check(rest.from);
  const to = factor * check(rest.to);
  return {
    most: Math.max(from, to),
    measure(_, weights) {
      const weight = weights[morph]!;
      return from + (to - from) * (weight > 0 ? Math.min(1, weight) : 0);
    },
  };
}
