/** What a person is told of a file that was opened, or was not. */
import type { Studio } from './studio.js';
import type { Source } from './studio-document.js';

/** A mesh without a skin can be given one. */
export function sayFault(studio: Studio, source: Source, error: unknown): void {
  if ((error as { code?: string } | null)?.code === 'NO_SKIN') {
    studio.bare.value = studio.findData(source)!;
    studio.dialog.value = 'bind';
  } else studio.notices.show('error', `“${source.name}” could not be opened`, error);
}

export function sayMended(studio: Studio, { name }: Source): void {
  const [first, ...rest] = studio.character.peek()!.warnings;
  const more = rest.length > 0 ? ` And ${rest.length} more.` : '';
  if (first) studio.notices.show('info', `${name}: mended while reading`, first.message + more);
}
