/** Names from files on a terminal: shown, never obeyed (A15). */
import { IsoskinError } from '@isoskin/core';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { describeError } from '../src/describe-error.js';
import { plainJson, plainText } from '../src/plain-text.js';
import { print, printJson } from '../src/print.js';
import { createProgress } from '../src/progress.js';

const EVIL = 'a\x1b]0;title\x07\u009b2J\u202eb\u2066c\u200f\u061c\u2028\u{e0041}\ud800';
const OBEYED = /[\p{Cc}\p{Bidi_Control}\p{Cs}\u2028\u{e0000}-\u{e007f}]/u;
afterEach(() => {
  vi.restoreAllMocks();
});

/** What was written, less the line breaks and what isoskin itself says to the terminal. */
function record(stream: NodeJS.WriteStream, act: () => void): string {
  let text = '';
  vi.spyOn(stream, 'write').mockImplementation((part) => {
    text += part;
    return true;
  });
  act();
  return text.replaceAll('\n', '').replaceAll('\r\x1b[2K', '');
}

describe('what comes from files', () => {
  it('is shown as text: names of other scripts and signs stay as they are', () => {
    expect(plainText(EVIL)).not.toMatch(OBEYED);
    for (const name of ['Zoë', 'लड़की', 'نعم', '家族 👨‍👩‍👧', 'x – y']) expect(plainText(name)).toBe(name);
  });

  it('in progress lines', () => {
    const stream = { isTTY: true, write: () => true } as unknown as NodeJS.WriteStream;
    const text = record(stream, () => createProgress(stream).update(`measuring ${EVIL}`, 1, 2));
    expect(text).toContain('measuring a');
    expect(text).not.toMatch(OBEYED);
  });

  it('with --verbose, causes and all', () => {
    const cause = new Error(EVIL);
    const text = describeError(new IsoskinError('CODE', `No ${EVIL}\nsecond`, EVIL, { cause }), true);
    expect(text).toContain('caused by');
    expect(text.replaceAll('\n', '')).not.toMatch(OBEYED);
  });

  it('in answers, also as JSON, which says the same', () => {
    expect(record(process.stdout, () => print(`x ${EVIL}`))).not.toMatch(OBEYED);
    const json = record(process.stdout, () => printJson({ [EVIL]: [EVIL] }));
    expect(json).not.toMatch(OBEYED);
    expect(JSON.parse(json)).toEqual({ [EVIL]: [EVIL] });
    expect(JSON.parse(plainJson({ a: ['b\n', '\\u202e'] }))).toEqual({ a: ['b\n', '\\u202e'] });
  });
});
