import { plainText } from './plain-text.js';

/** A column: its heading, and which side its cells keep to. */
export interface Column {
  readonly name: string;
  readonly align?: 'left' | 'right';
}

/** Lines of a table: headings, a rule, rows; two spaces between columns. */
export function formatTable(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const cells = [columns.map(({ name }) => name), ...rows].map((row) => row.map(plainText));
  const widths = columns.map((_, c) => Math.max(...cells.map((row) => lengthOf(row[c] ?? ''))));
  const lines = cells.map((row) =>
    columns
      .map(({ align = 'right' }, c) => {
        const cell = row[c] ?? '';
        const space = ' '.repeat(widths[c]! - lengthOf(cell));
        return align === 'left' ? cell + space : space + cell;
      })
      .join('  ')
      .trimEnd(),
  );
  lines.splice(1, 0, widths.map((width) => '─'.repeat(width)).join('──'));
  return lines.map((line) => `  ${line}`).join('\n');
}

function lengthOf(text: string): number {
  return [...text].length;
}
