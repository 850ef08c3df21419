/** The schema of the stack: described once, written out as docs/stack-options.md (`npx vitest run stack-schema -u` writes it anew). */
import { describeOption, LAYER_NAMES, STACK_SCHEMA, VOLUME_METHODS } from '@isoskin/core/stack';
import { describe, expect, it } from 'vitest';
import type { CheckTable } from '../../src/check-json.js';

const show = (initial: unknown) => (initial === undefined ? '' : `\`${JSON.stringify(initial)}\``);

/** A table, then the tables of options that hold options. */
function listTables(title: string, table: CheckTable): string[] {
  const options = Object.entries(table).filter(([name, { says }]) => says !== undefined && name !== 'enabled');
  const rows = options.map(([name, { says, initial }]) => `| \`${name}\` | ${show(initial)} | ${says} |`);
  if (rows.length === 0) return [];
  const own = ['', `## ${title}`, '', '| option | default | meaning |', '|---|---|---|', ...rows];
  const inner = options.flatMap(([name, { table: held }]) => (held ? listTables(`${title}.${name}`, held) : []));
  return [...own, ...inner];
}

describe('the schema of the stack', () => {
  it('is docs/stack-options.md', async () => {
    const lines = [
      '# Options of the stack',
      '',
      'Written by a test from the schema that the command, the library and the studio check stacks with (`packages/core/src/stack/stack-schema.ts`).',
      'What is not given is the default; without one, it is none. Every layer takes `enabled` as well: `false` switches it off and keeps its settings.',
      ...LAYER_NAMES.flatMap((name) => listTables(name, STACK_SCHEMA[name])),
      ...listTables('volume.options of the method shapes', VOLUME_METHODS.shapes.options),
      '',
    ];
    await expect(lines.join('\n')).toMatchFileSnapshot('../../../../docs/stack-options.md');
  });

  it('finds options at any depth, with their defaults', () => {
    expect(describeOption('volume', 'map.a')).toMatchObject({ initial: 2 });
    expect(describeOption('flesh', 'frequency').says).toMatch(/Hz/);
    expect(describeOption('volume', 'map.nothing')).toEqual({ says: '', initial: undefined });
  });
});
