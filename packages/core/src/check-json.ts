/**
 * A little language for doors through which JSON comes: a table says what every field may be, and what is wrong is said with
 * the field's path and what would be right.
 *
 *   const tool = object({ name: text, width: number(0, 10), kind: oneOf(['fold', 'crease']) }, ['width']);
 *   checkJson(value, list(tool), 'TOOLS', 'tools');    // IsoskinError TOOLS: There is no “widht” here; … (tools: [2].widht)
 */
import { IsoskinError } from './error.js';
import { findNearestName } from './find-nearest-name.js';

/** Returns, or calls `fail`. */
export interface Check {
  (value: unknown, path: string): void;
  /** Of an `option`: what it means, and what it is when it is not given. */
  readonly says?: string;
  readonly initial?: unknown;
  /** Of an `object`, or of those in a `list`. */
  readonly table?: CheckTable;
}
export type CheckTable = Readonly<Record<string, Check>>;

/** A check that knows what the value means and what it is when it is not given: for documentation and panels. */
export function option(check: Check, says: string, initial?: unknown): Check {
  const own: Check = (value, path) => check(value, path);
  return Object.assign(own, { says, initial, table: check.table });
}

/** A fault on its way to `checkJson`, which knows what kind of file it is in. */
class Fault extends Error {
  constructor(
    message: string,
    readonly path: string,
  ) {
    super(message);
  }
}

/** Throws an `IsoskinError` of this code whose place is the path of the first wrong field, after the word `root`. */
export function checkJson(value: unknown, check: Check, code: string, root: string): void {
  try {
    check(value, '');
  } catch (fault) {
    if (!(fault instanceof Fault)) throw fault;
    throw new IsoskinError(code, fault.message, fault.path ? `${root}: ${fault.path}` : root);
  }
}

/** Inside `checkJson` only: this is wrong, at this path. */
export function fail(message: string, path: string): never {
  throw new Fault(message, path);
}

/** An object with fields of the table only. */
export function object(table: CheckTable, required: readonly string[] = []): Check {
  const names = Object.keys(table);
  const check: Check = (value, path) => {
    if (!isRecord(value)) fail(`Expected an object with ${names.join(', ')}; found ${show(value)}.`, path);
    for (const [key, inner] of Object.entries(value)) {
      const at = joinPath(path, key);
      if (!Object.hasOwn(table, key)) {
        const advice = `did you mean “${findNearestName(shorten(key), names)}”? Known are ${names.join(', ')}.`;
        fail(`There is no “${shorten(key)}” here; ${advice}`, at);
      }
      if (inner !== undefined) table[key]!(inner, at);
    }
    for (const key of required) {
      if (!Object.hasOwn(value, key)) fail(`“${key}” is missing; add it.`, path);
    }
  };
  return Object.assign(check, { table });
}

/** Any keys, one check for the values. */
export function dictionary(check: Check): Check {
  return (value, path) => {
    if (!isRecord(value)) fail(`Expected an object; found ${show(value)}.`, path);
    for (const [key, inner] of Object.entries(value)) check(inner, joinPath(path, key));
  };
}

export function list(check: Check, least = 0, most = Number.POSITIVE_INFINITY): Check {
  const each: Check = (value, path) => {
    if (!Array.isArray(value)) fail(`Expected a list; found ${show(value)}.`, path);
    if (value.length < least || value.length > most) {
      const range = most < Number.POSITIVE_INFINITY ? `${least} to ${most}` : `at least ${least}`;
      fail(`Expected a list of ${range} entries; found ${value.length}.`, path);
    }
    for (const [i, item] of value.entries()) check(item, `${path}[${i}]`);
  };
  return Object.assign(each, { table: check.table });
}

/** A list of exactly `length` values. */
export function tuple(check: Check, length: number): Check {
  const each = list(check);
  return (value, path) => {
    if (!Array.isArray(value) || value.length !== length) {
      fail(`Expected a list of ${length} values; found ${show(value)}.`, path);
    }
    each(value, path);
  };
}

/** Finite, least ≤ value ≤ most; above least where `open`. */
export function number(least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY, open = false): Check {
  return (value, path) => {
    const isNumber = typeof value === 'number' && Number.isFinite(value);
    if (isNumber && value <= most && (open ? value > least : value >= least)) return;
    fail(`Expected a number${describeRange(least, most, open)}; found ${show(value)}.`, path);
  };
}

export function index(value: unknown, path: string): void {
  if (!Number.isInteger(value) || (value as number) < 0) {
    fail(`Expected a whole number of at least 0; found ${show(value)}.`, path);
  }
}

export function oneOf(names: readonly string[]): Check {
  return (value, path) => {
    if (typeof value === 'string' && names.includes(value)) return;
    const advice = typeof value === 'string' ? ` Did you mean “${findNearestName(shorten(value), names)}”?` : '';
    fail(`${show(value)} is not one of ${names.join(', ')}.${advice}`, path);
  };
}

export function text(value: unknown, path: string): void {
  if (typeof value !== 'string') fail(`Expected a text; found ${show(value)}.`, path);
}

export function flag(value: unknown, path: string): void {
  if (typeof value !== 'boolean') fail(`Expected true or false; found ${show(value)}.`, path);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value in a sentence, never long. */
export function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? showList(value) : 'an object';
  return shorten(typeof value === 'string' ? JSON.stringify(value) : String(value));
}

export function shorten(words: string): string {
  return words.length > 60 ? `${words.slice(0, 57)}…` : words;
}

export function joinPath(path: string, key: string): string {
  return path ? `${path}.${shorten(key)}` : shorten(key);
}

/** Lists of plain values are shown, others (they may be deep, or contain themselves) are only named. */
function showList(value: readonly unknown[]): string {
  return value.every((item) => typeof item !== 'object' || item === null)
    ? shorten(`[${value.slice(0, 60).map(show).join(', ')}]`)
    : 'a list';
}

function describeRange(least: number, most: number, open: boolean): string {
  if (open) return ` above ${least}${Number.isFinite(most) ? ` and at most ${most}` : ''}`;
  if (Number.isFinite(most)) return ` between ${least} and ${most}`;
  return Number.isFinite(least) ? ` of at least ${least}` : '';
}
