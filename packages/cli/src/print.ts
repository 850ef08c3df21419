import { PIPE } from './load-input.js';
import { plainJson, plainLines } from './plain-text.js';

/** Commands answer once, at the very end, so that an error never leaves half an answer behind. */
export function print(text: string, stream: NodeJS.WritableStream = process.stdout): void {
  stream.write(`${plainLines(text)}\n`);
}

export function printJson(value: unknown, stream: NodeJS.WritableStream = process.stdout): void {
  stream.write(`${plainJson(value, 2)}\n`);
}

/** What a command has to say: as JSON where that was asked for, else in words. */
export function answer<Facts>(
  facts: Facts,
  format: (facts: Facts) => string,
  { json }: { readonly json?: boolean },
  stream?: NodeJS.WritableStream,
): void {
  if (json) printJson(facts, stream);
  else print(format(facts), stream);
}

/** Where the answer goes beside what is written: to stderr when a file itself goes to stdout. */
export function besideOf(...outputs: readonly (string | undefined)[]): NodeJS.WritableStream {
  return outputs.includes(PIPE) ? process.stderr : process.stdout;
}
