import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { fillFigures, listFigurePages, listLooseTables } from '../docs-figures.mjs';

describe('figures of the documentation', () => {
  it('are written between their markers, in a line and as a block', () => {
    const page =
      'It is **<!-- figure: a -->old<!-- /figure -->** large.\n\n<!-- figure: b -->\nold\n<!-- /figure -->\n';
    const filled = fillFigures(page, { a: '5 kB', b: '| x |' });
    expect(filled).toBe(
      'It is **<!-- figure: a -->5 kB<!-- /figure -->** large.\n\n<!-- figure: b -->\n\n| x |\n\n<!-- /figure -->\n',
    );
    expect(fillFigures(filled, { a: '5 kB', b: '| x |' })).toBe(filled);
    expect(() => fillFigures(page, { a: '5 kB' })).toThrow('“b”');
  });

  it('finds tables of measurements that have no source', () => {
    const rows = '| hand | 8.6 % | 12 ms |\n| hero | 6.6 % | 14 ms |\n';
    const measured = `Text\n\n| model | lost | time |\n|---|---|---|\n${rows}`;
    expect(listLooseTables(measured)).toEqual([3]);
    expect(listLooseTables(`<!-- figure: x -->\n${measured}<!-- /figure -->\n`)).toEqual([]);
    expect(listLooseTables(`\`\`\`\n${measured}\`\`\`\n`)).toEqual([]);
    expect(listLooseTables(`| option | default | most |\n|---|---|---|\n${rows}`)).toEqual([]);
    expect(listLooseTables('| page | what |\n|---|---|\n| a | b |\n| c | d |\n')).toEqual([]);
  });

  it('looks at all pages', () => {
    const pages = listFigurePages();
    for (const page of ['README.md', 'docs/bake.md', 'docs/methods/plan-harmonics.md', 'docs/guides/web.md'])
      expect(pages).toContain(page);
  });

  it('say what their sources say, and cheap models still measure the same', { timeout: 300_000 }, () => {
    const script = fileURLToPath(new URL('../docs-figures.mjs', import.meta.url));
    const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(status).toBe(0);
  });
});
