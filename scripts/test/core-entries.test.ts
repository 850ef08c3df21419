/** What a user of the library sees first stays small, and says what it is: at most 45 names, a doc comment at each declaration. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const index = fileURLToPath(new URL('../../packages/core/src/index.ts', import.meta.url));

describe('the root entry of @isoskin/core', () => {
  const names = [...readFileSync(index, 'utf8').matchAll(/export (?:type )?\{([^}]*)\} from '([^']+)'/g)].flatMap(
    (match) =>
      match[1]!
        .split(',')
        .map((name) => name.replace('type ', '').trim())
        .filter(Boolean)
        .map((name) => [name, match[2]!.replace('.js', '.ts')] as const),
  );

  it('has at most 45 names', () => {
    expect(names.length).toBeGreaterThan(30);
    expect(names.length).toBeLessThanOrEqual(45);
  });

  it.each(names)('%s says what it is', (name, file) => {
    const text = readFileSync(join(dirname(index), file), 'utf8');
    expect(text).toMatch(new RegExp(`\\*/\\nexport (async )?(function|const|interface|type|class) ${name}\\b`));
  });
});
