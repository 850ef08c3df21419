/** Damages for the mutator that runs millions of times: the same as fast-check's (mutate-json.ts), from a small seeded generator. */
import { BYTE_KINDS, type ByteDamage, NUMBERS } from './mutate-bytes.js';
import { type Damage, KEYS_OF_INTEREST, KINDS, ODD } from './mutate-json.js';

export type Random = () => number;

/** 0 ≤ x < 1, equal for equal seeds (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** As `applyByteDamages` takes them. */
export function randomByteDamages(random: Random): ByteDamage[] {
  return Array.from({ length: 1 + Math.floor(3 * random()) }, () => ({
    at: Math.floor(random() * 2 ** 31),
    kind: BYTE_KINDS[Math.floor(random() * BYTE_KINDS.length)]!,
    value: random() < 0.7 ? NUMBERS[Math.floor(random() * NUMBERS.length)]! : Math.floor(random() * 2 ** 31),
  }));
}

export function randomDamages(random: Random): Damage[] {
  const below = (count: number) => Math.floor(random() * count);
  const value = (): unknown => {
    const kind = random();
    if (kind < 0.7) return ODD[below(ODD.length)];
    if (kind < 0.9) return (random() - 0.5) * 10 ** (below(40) - 20);
    return KEYS_OF_INTEREST[below(KEYS_OF_INTEREST.length)];
  };
  return Array.from({ length: 1 + below(4) }, () => ({
    at: below(2 ** 31),
    kind: KINDS[below(KINDS.length)]!,
    value: value(),
    from: below(2 ** 31),
  }));
}
