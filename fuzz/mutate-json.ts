/** Structure-aware damage: JSON trees changed at a random place in a way that a bug, a bad exporter or an attacker would. */
import fc from 'fast-check';

export interface Damage {
  /** Which place of the tree, counted modulo the number of places. */
  readonly at: number;
  readonly kind: (typeof KINDS)[number];
  readonly value: unknown;
  /** A second place, for damage that copies. */
  readonly from: number;
}

export const KINDS = ['replace', 'replace', 'nudge', 'delete', 'copy', 'repeat', 'add-key', 'rename'] as const;

/** Values that break things: sizes that lie, numbers at the edges of their types, names that mean something to JavaScript. */
export const ODD: readonly unknown[] = [
  -1,
  0,
  1,
  2,
  3,
  4,
  0.5,
  -0,
  127,
  255,
  65535,
  65536,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32 - 1,
  2 ** 53,
  1e-320,
  1e-30,
  1e30,
  1e38,
  1e308,
  -1e308,
  5120,
  5121,
  5123,
  5125,
  5126,
  null,
  true,
  false,
  '',
  'x',
  '../../secret',
  'data:,',
  'file:///x',
  '__proto__',
  'constructor',
  'toString',
  'SCALAR',
  'VEC3',
  'MAT4',
  'CUBICSPLINE',
  '\u0000',
  '<img src=x onerror=alert(1)>',
  'a'.repeat(5000),
  [],
  {},
  [[]],
  [null],
  [0],
  [1e308, 1e308, 1e308],
  { length: 1e9 },
  { polluted: 1 },
  Array.from({ length: 300 }, (_, i) => i),
];
export const KEYS_OF_INTEREST = [
  '__proto__',
  'constructor',
  'prototype',
  'extensions',
  'extras',
  'sparse',
  'byteStride',
  'byteOffset',
  'toJSON',
  '',
];

export const damage: fc.Arbitrary<Damage> = fc.record({
  at: fc.nat(),
  kind: fc.constantFrom(...KINDS),
  value: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...ODD) },
    { weight: 1, arbitrary: fc.double() },
    fc.jsonValue({ maxDepth: 2 }),
  ),
  from: fc.nat(),
});

/** One to four damages: more would only be refused sooner. */
export const damages = fc.array(damage, { minLength: 1, maxLength: 4 });

type Holder = Record<string, unknown> | unknown[];
interface Place {
  readonly holder: Holder;
  readonly key: string;
}

/** Changes `tree` in place. */
export function applyDamages(tree: unknown, list: readonly Damage[]): void {
  for (const one of list) {
    const places = listPlaces(tree);
    if (places.length === 0) return;
    applyDamage(places, one);
  }
}

function applyDamage(places: readonly Place[], { at, kind, value, from }: Damage): void {
  const { holder, key } = places[at % places.length]!;
  const target = holder as Record<string, unknown>;
  const present = target[key];
  if (kind === 'replace') put(target, key, structuredClone(value));
  if (kind === 'nudge')
    put(target, key, typeof present === 'number' ? present + (from % 2 ? 1 : -1) : structuredClone(value));
  if (kind === 'delete') {
    if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else delete target[key];
  }
  const other = places[from % places.length]!;
  if (kind === 'copy') put(target, key, structuredClone((other.holder as Record<string, unknown>)[other.key]));
  if (kind === 'repeat' && Array.isArray(holder))
    for (let n = from % 40; n >= 0; n--) holder.push(structuredClone(present));
  if (kind === 'add-key' && typeof present === 'object' && present !== null && !Array.isArray(present)) {
    put(present as Record<string, unknown>, KEYS_OF_INTEREST[from % KEYS_OF_INTEREST.length]!, structuredClone(value));
  }
  if (kind === 'rename' && !Array.isArray(holder)) {
    delete target[key];
    put(target, KEYS_OF_INTEREST[from % KEYS_OF_INTEREST.length]!, present);
  }
}

/** As JSON.parse would: `__proto__` becomes a key of its own. */
function put(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}

function listPlaces(tree: unknown): Place[] {
  const places: Place[] = [];
  const open: unknown[] = [tree];
  while (open.length > 0 && places.length < 20_000) {
    const holder = open.pop();
    if (typeof holder !== 'object' || holder === null) continue;
    for (const key of Object.keys(holder)) {
      places.push({ holder: holder as Holder, key });
      open.push((holder as Record<string, unknown>)[key]);
    }
  }
  return places;
}
