import { plainJson, plainLines } from './plain-text.js';

/** Commands answer once, at the very end, so that an error never leaves half an answer behind. */
export function print(text: string): void {
  process.stdout.write(`${plainLines(text)}\n`);
}

export function printJson(value: unknown): void {
  process.stdout.write(`${plainJson(value, 2)}\n`);
}
