import { plainText } from './plain-text.js';

/** The heading of a column, whose cells keep to the right if nothing else is said. */
export type Column = string | { readonly left: string };

/** Lines of a table: headings, a rule, rows; two spaces between columns. */
export function formatTable(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const cells = [columns.map((column) => (typeof column === 'string' ? column : column.left)), ...rows].map((row) =>
    row.map(plainText),
  );
  const widths = columns.map((_, c) => Math.max(...cells.map((row) => lengthOf(row[c] ?? ''))));
  const lines = cells.map((row) =>
    columns
      .map((column, c) => {
        const cell = row[c] ?? '';
        const space = ' '.repeat(widths[c]! - lengthOf(cell));
        return typeof column === 'string' ? space + cell : cell + space;
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
