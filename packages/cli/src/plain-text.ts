import type { Warning } from '@isoskin/core';

/**
 * What a terminal would obey instead of showing: control characters (line breaks, commands), marks that turn the direction of
 * writing, breaks of lines and paragraphs, invisible tags, and halves of characters.
 */
const COMMANDS = /[\p{Cc}\p{Bidi_Control}\p{Cs}\u2028\u2029\ufeff\u{e0000}-\u{e007f}]/gu;

/** Names come from files: what is no text in them is shown as a dot. */
export function plainText(text: string): string {
  return text.replace(COMMANDS, '·');
}

/** The same for a text of several lines. */
export function plainLines(text: string): string {
  return text.split('\n').map(plainText).join('\n');
}

/** JSON that says the same and holds none of them. */
export function plainJson(value: unknown, space?: number): string {
  const quote = (part: string) =>
    part === '\n' ? part : Array.from({ length: part.length }, (_, i) => `\\u${hex(part.charCodeAt(i))}`).join('');
  return JSON.stringify(value, null, space).replace(COMMANDS, quote);
}

const hex = (code: number): string => code.toString(16).padStart(4, '0');

/** What was mended or left out, and where. */
export function formatWarning({ message, place }: Warning): string {
  return `! ${plainText(place ? `${message} (${place})` : message)}`;
}
