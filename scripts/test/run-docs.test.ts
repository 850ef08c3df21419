/**
 * What the README and the first guide say is done, block by block (scripts/run-docs.mjs). `npm run release:dry-run` does it for all
 * pages, with packages that are installed by name.
 */
import { describe, expect, it } from 'vitest';
import { listBlocks, listJourneys, runPage } from '../run-docs.mjs';

describe('code blocks', () => {
  it('are found with their language, words and line', () => {
    const page = 'Text\n\n```js main.js\nlet a;\n```\n\n```sh skip\nls\n```\n';
    expect(listBlocks(page)).toEqual([
      { language: 'js', words: ['main.js'], code: 'let a;\n', line: 3 },
      { language: 'sh', words: ['skip'], code: 'ls\n', line: 7 },
    ]);
  });

  it('are run of every guide and of every package', () => {
    const pages = listJourneys();
    expect(pages.filter((page) => page.startsWith('docs/guides/'))).toHaveLength(4);
    expect(pages).toContain('packages/three/README.md');
  });

  it.each(['README.md', 'docs/guides/web.md', 'docs/pipelines.md'])(
    '%s: they do what they say',
    { timeout: 600_000 },
    async (page) => {
      expect(await runPage(page)).toBeGreaterThan(0);
    },
  );
});
