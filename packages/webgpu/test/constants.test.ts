/** The iteration of C11 has its constants in core; the copies that go into the shaders must be the same. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { AMOUNT } from '../src/constants.js';

it('agree with the TypeScript solver', () => {
  const folder = new URL('../../core/src/correction/', import.meta.url);
  const source = ['create-amount-solver.ts', 'create-region-system.ts']
    .map((name) => readFileSync(new URL(name, folder), 'utf8'))
    .join('\n');
  for (const [name, value] of Object.entries(AMOUNT)) {
    const found = new RegExp(`const ${name} = ([-+.e\\d]+);`).exec(source);
    expect(Number(found?.[1]), name).toBe(value);
  }
});
