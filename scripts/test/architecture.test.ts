/** The way of a vertex in ARCHITECTURE.md is true: at most twelve functions each, and every one is there. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const sources = ['packages', 'apps']
  .flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(root, folder, name, 'src')))
  .flatMap((folder) => listSources(folder));

function listSources(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => readFileSync(join(folder, name), 'utf8'));
  } catch {
    return [];
  }
}

describe('the way of a vertex', () => {
  const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
  const section = text.slice(text.indexOf('### The way of a vertex'), text.indexOf('## Rooms'));
  const rows = [...section.matchAll(/^\| (measure|bake|three\.js|studio) \|.*$/gm)];

  it('is drawn for measure, bake, three.js and the studio', () => {
    expect(rows.map((row) => row[1])).toEqual(['measure', 'bake', 'three.js', 'studio']);
  });

  it.each(rows.map((row) => [row[1]!, row[0]] as const))(
    '%s: at most twelve functions, all of them there',
    (_, row) => {
      const names = [...row.matchAll(/`(\w+)`/g)].map((match) => match[1]!);
      expect(names.length).toBeGreaterThan(5);
      expect(names.length).toBeLessThanOrEqual(12);
      const missing = names.filter(
        (name) =>
          !sources.some((source) => source.includes(`function ${name}(`) || source.includes(`function ${name}<`)),
      );
      expect(missing).toEqual([]);
    },
  );
});
