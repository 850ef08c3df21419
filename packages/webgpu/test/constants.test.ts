/** The iteration of C17 has its constants in core; the shaders must have the same, and no other place may write them down. */
import { readdirSync, readFileSync } from 'node:fs';
import { AMOUNT_SOLVER_CONSTANTS } from '@isoskin/core/kernels';
import { expect, it } from 'vitest';
import { prelude } from '../src/wgsl/prelude.js';

it('stand in the shaders as in the TypeScript solver, and are written once', () => {
  const shader = prelude({});
  const folders = ['../src/', '../../wasm/src/', '../../core/src/correction/', '../../core/src/volume/'].map(
    (path) => new URL(path, import.meta.url),
  );
  const sources = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(new URL(name, folder), 'utf8')),
  );
  expect(Object.keys(AMOUNT_SOLVER_CONSTANTS)).toEqual(
    expect.arrayContaining(['SOFTNESS', 'LEAST_SOFTNESS', 'REGION_FLOOR', 'PUSH_PRICE']),
  );
  for (const [name, value] of Object.entries(AMOUNT_SOLVER_CONSTANTS)) {
    expect(Number(new RegExp(`const ${name}: f32 = (\\S+);`).exec(shader)?.[1]), name).toBe(value);
    const definitions = sources.flatMap((source) => [
      ...source.matchAll(new RegExp(`\\b${name}\\b *[:=] *[\\d.]`, 'g')),
    ]);
    expect(definitions.length, name).toBe(1);
  }
});
