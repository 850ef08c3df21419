import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkStack } from '@isoskin/core';
import { REGION_DEFAULTS } from '@isoskin/core/mesh';
import {
  AXIS_DEFAULTS,
  FIELD_DEFAULTS,
  LAPLACIAN_DEFAULTS,
  NORMAL_DEFAULTS,
  REGIONS_EXACT_DEFAULTS,
  REGIONS_LINEAR_DEFAULTS,
  SMALL_STEP_DEFAULTS,
} from '@isoskin/core/methods';
import { MAP_DEFAULTS, SHAPE_DEFAULTS } from '@isoskin/core/stack';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const listPages = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));
const methods = join(root, 'docs/methods');
const guides = ['docs', 'docs/guides', 'docs/decisions'].flatMap((folder) => listPages(join(root, folder)));
const pages = [...listPages(root), ...guides, ...listPages(methods)];

const NORMAL = { ...NORMAL_DEFAULTS, ...FIELD_DEFAULTS };
const DEFAULTS: Record<string, object> = {
  'plan-axis-linear': { ...AXIS_DEFAULTS, ...FIELD_DEFAULTS },
  'plan-axis-exact': { ...AXIS_DEFAULTS, ...FIELD_DEFAULTS },
  'plan-normal-linear': NORMAL,
  'plan-normal-exact': NORMAL,
  'plan-small-steps': { ...SMALL_STEP_DEFAULTS, ...FIELD_DEFAULTS },
  'plan-laplacian': { ...LAPLACIAN_DEFAULTS, ...FIELD_DEFAULTS },
  'plan-regions-linear': { ...REGIONS_LINEAR_DEFAULTS, ...NORMAL },
  'plan-regions-exact': { ...REGIONS_EXACT_DEFAULTS, ...NORMAL },
  'measure-map': MAP_DEFAULTS,
  'plan-regions': REGION_DEFAULTS,
  'plan-shapes': SHAPE_DEFAULTS,
};

describe('the documentation', () => {
  it.each(pages.map((page) => relative(root, page)))('%s: its links and pictures lead somewhere', (page) => {
    const text = readFileSync(join(root, page), 'utf8');
    const links = [...text.matchAll(/\]\(([^)#\s]+)(#[^)]*)?\)/g)].map((match) => match[1]!);
    const broken = links.filter((link) => !link.includes('://') && !existsSync(join(root, dirname(page), link)));
    expect(broken).toEqual([]);
  });

  it('every stack in it is accepted', () => {
    const blocks = pages.flatMap((page) =>
      [...readFileSync(page, 'utf8').matchAll(/```json\n([\s\S]*?)```/g)].map((match) => match[1]!),
    );
    const stacks = blocks.filter(
      (block) => /^ *"?(skin|volume|flesh|contact|wrinkles)"?:/m.test(block) || /^\{ "(skin|volume)"/.test(block),
    );
    expect(stacks.length).toBeGreaterThan(14);
    for (const stack of stacks) expect(() => checkStack(JSON.parse(stack)), stack).not.toThrow();
  });

  it.each(Object.keys(DEFAULTS))('docs/methods/%s.md names the defaults of the source', (name) => {
    const text = readFileSync(join(methods, `${name}.md`), 'utf8');
    const rows = [...text.matchAll(/^\| `([\w, ]+)` *\| `(.+?)` *\|/gm)].flatMap(([, names, values]) => {
      const list = names!.split(', ');
      return list.map((option, n) => [option, list.length > 1 ? values!.split(', ')[n]! : values!] as const);
    });
    const known = new Map<string, unknown>(Object.entries(DEFAULTS[name]!));
    const checked = rows.filter(([option]) => known.has(option));
    expect(checked.length).toBeGreaterThan(1);
    for (const [option, value] of checked)
      expect({ [option]: JSON.parse(value) }).toEqual({ [option]: known.get(option) });
  });

  it('docs/cli.md says which commands take --json', () => {
    const folder = join(root, 'packages/cli/src/commands');
    const commands = readdirSync(folder).filter((name) => /^[a-z-]+\.ts$/.test(name));
    const taking = commands.filter((name) => /\b(printJson|answer)\(/.test(readFileSync(join(folder, name), 'utf8')));
    const text = readFileSync(join(root, 'docs/cli.md'), 'utf8');
    const sections = text.split(/^## /m);
    const saying = sections
      .filter((section) => /```sh\n[^`]*--json/.test(section))
      .flatMap((section) => section.split('\n', 1)[0]!.split(', '));
    expect(saying.sort()).toEqual(taking.map((name) => name.replace('.ts', '')).sort());
  });

  it('ARCHITECTURE.md draws the walk of a vertex in functions that exist, at most twelve each', () => {
    const rooms = ['packages', 'apps'].flatMap((parent) =>
      readdirSync(join(root, parent)).map((name) => join(root, parent, name, 'src')),
    );
    const sources = rooms
      .filter((room) => existsSync(room))
      .flatMap((room) =>
        (readdirSync(room, { recursive: true }) as string[])
          .filter((name) => /\.tsx?$/.test(name))
          .map((name) => readFileSync(join(room, name), 'utf8')),
      );
    const all = sources.join('\n');
    const rows =
      readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8').match(/^\| (?:measure|bake|three\.js|studio) \|.*$/gm) ?? [];
    expect(rows).toHaveLength(4);
    for (const row of rows) {
      const names = [...row.matchAll(/`(\w+)`/g)].map((match) => match[1]!);
      expect(names.length).toBeLessThanOrEqual(12);
      const missing = names.filter(
        (name) => !new RegExp(`\\b(function|const|class) ${name}\\b|\\b${name}\\(`).test(all),
      );
      expect(missing).toEqual([]);
    }
  });
});
