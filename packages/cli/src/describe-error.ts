import { IsoskinError } from '@isoskin/core';
import { CommanderError } from 'commander';
import { plainLines, plainText } from './plain-text.js';

/** One sentence for the person at the terminal; `verbose` adds where it happened. */
export function describeError(error: unknown, verbose: boolean): string {
  const sentence = `isoskin: ${plainText(sentenceOf(error))}`;
  if (!verbose || !(error instanceof Error)) return sentence;
  const code = error instanceof IsoskinError ? `code ${error.code}\n` : '';
  const cause = error.cause instanceof Error ? `\ncaused by ${error.cause.stack}` : '';
  return `${sentence}\n${plainLines(`${code}${error.stack}${cause}`)}`;
}

function sentenceOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof IsoskinError) return message;
  if (error instanceof CommanderError) {
    const text = message.replace(/^error: /, '').replaceAll('\n', ' ');
    return `${text}${/[.?)]$/.test(text) ? '' : '.'} See isoskin --help.`;
  }
  return `something went wrong inside isoskin (${message}); run it again with --verbose and report what it shows.`;
}
