const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Markup that is safe to put into a page. */
export interface Html {
  readonly markup: string;
}

type Part = Html | string | number | readonly Part[];

/**
 * Builds markup: whatever is put between the literal parts is escaped, unless it was built by `html` itself. So a name from a
 * file can never become markup.
 */
export function html(literals: TemplateStringsArray, ...parts: readonly Part[]): Html {
  let markup = literals[0]!;
  parts.forEach((part, i) => {
    markup += markupOf(part) + literals[i + 1]!;
  });
  return { markup };
}

function markupOf(part: Part): string {
  if (typeof part === 'string') return part.replace(/[&<>"']/g, (c) => ENTITIES[c]!);
  if (typeof part === 'number') return String(part);
  return 'markup' in part ? part.markup : part.map(markupOf).join('');
}
