import { existsSync } from 'node:fs';
import { IsoskinError } from '@isoskin/core';
import { createDemo, createThesisTube } from '@isoskin/demos';
import type { Command } from 'commander';
import { formatCount, formatPercent } from '../format-number.js';
import { formatTable } from '../format-table.js';
import { type CylinderErrors, measureCylinder } from '../measure-cylinder.js';
import { type BeforeAfter, type DemoMeasure, type MethodMeasure, measureDemo } from '../measure-demo.js';
import { print, printJson } from '../print.js';
import { createProgress } from '../progress.js';
import {
  CHARACTER_FIGURES,
  type CharacterName,
  CYLINDER_ANGLES,
  CYLINDER_FIGURES,
  SOURCES,
} from '../published-figures.js';

export function addTables(program: Command): void {
  program
    .command('tables')
    .description('Print the volume errors and frame costs of the literature beside what isoskin reaches.')
    .option('--json', 'print JSON (errors in per cent)')
    .option('--physics <folder>', 'compare with the finite-element cases of a folder, beside the methods of others')
    .action(async (options: { json?: boolean; physics?: string }) => {
      const progress = createProgress();
      if (options.physics !== undefined) {
        const { measurePeers, COLUMNS } = await loadPeers();
        const { cases, rows } = await measurePeers(options.physics, progress.update);
        progress.clear();
        const names = [...cases, ...COLUMNS];
        if (options.json) printJson({ columns: ['method', ...names], rows });
        else print(formatTable([{ left: 'method' }, ...names], rows));
        return;
      }
      const names = Object.keys(CHARACTER_FIGURES) as CharacterName[];
      const cylinder = measureCylinder(createDemo('tube'));
      const thesisTube = measureCylinder(createThesisTube());
      const characters = names.map((name, n) => {
        progress.update(`measuring ${name}`, n + 1, names.length + 1);
        return measureDemo(name);
      });
      progress.clear();
      if (options.json) {
        const literature = {
          cylinder: { angles: CYLINDER_ANGLES, ...CYLINDER_FIGURES },
          characters: CHARACTER_FIGURES,
          sources: SOURCES,
        };
        const angles = CYLINDER_ANGLES;
        printJson({
          cylinder: { angles, ...cylinder },
          thesisTube: { angles, ...thesisTube },
          characters,
          literature,
        });
      } else
        print([formatCylinder(cylinder, thesisTube), formatErrors(characters), formatCosts(characters)].join('\n\n'));
    });
}

/** benchmarks/peers of the repository: methods that are measured, and not part of the product. */
interface Peers {
  measurePeers(
    folder: string,
    progress: (name: string, done: number, all: number) => void,
  ): Promise<{ readonly cases: readonly string[]; readonly rows: readonly (readonly string[])[] }>;
  readonly COLUMNS: readonly string[];
}

async function loadPeers(): Promise<Peers> {
  const url = new URL('../../../../benchmarks/peers/measure-peers.mjs', import.meta.url);
  if (existsSync(url)) return import(url.href);
  const message =
    'The methods of others are in the repository of isoskin (benchmarks/peers), not in its package: run the command there';
  throw new IsoskinError('PEERS_MISSING', message);
}

const METHODS: Record<keyof CylinderErrors, string> = {
  none: 'linear skinning, no correction',
  axisLinear: 'C1  three axes, linearised',
  axisExact: 'C2  three axes, exact',
  normalLinear: 'C5  along the normals, linearised',
  normalExact: 'C6  along the normals, exact',
  regionsExact: 'C11 every region exact',
};

function formatCylinder(cylinder: CylinderErrors, thesisTube: CylinderErrors): string {
  const rows = (Object.keys(METHODS) as (keyof CylinderErrors)[]).flatMap((key) => {
    const printed = key in CYLINDER_FIGURES ? CYLINDER_FIGURES[key as keyof typeof CYLINDER_FIGURES] : undefined;
    return [
      [METHODS[key], 'isoskin, its tube', ...cylinder[key].map(formatPercent)],
      ['', 'isoskin, the thesis’ tube', ...thesisTube[key].map(formatPercent)],
      ...(printed ? [['', 'as printed', ...printed.map(formatPercent)]] : []),
    ];
  });
  const angles = CYLINDER_ANGLES.map((angle) => `${angle}°`);
  const table = formatTable([{ left: 'method' }, { left: '' }, ...angles], rows);
  return `Volume error of a cylinder bent by one joint
${SOURCES.thesis}, tables 4.1 (C1, C2) and 4.2 (C5)
${SOURCES.gtmg}, table 1 (as 4.2)
${table}
Its tube: 258 vertices, bones of 3.3 radii, weights d⁻⁴ to the bones, fitted to the first printed row.
The thesis’ tube: 25 × 25 vertices and two in the caps, weights d⁻² to the joints at its ends; bones of 6 radii, as no proportions are given.
Which map was used is not printed; here γ = 1. The printed row of C5 is not what its formula leaves on either tube.`;
}

function formatErrors(characters: readonly DemoMeasure[]): string {
  const arrow = ({ before, after }: BeforeAfter) => `${formatPercent(before)} → ${formatPercent(after)}`;
  const rows = characters.flatMap(({ name, vertices, misplaced, article, isoskin }) => {
    const [before, after] = CHARACTER_FIGURES[name as CharacterName].error;
    const row = (first: string, method: string, own: MethodMeasure, printed: string) => [
      first,
      method,
      String(own.regions),
      arrow(own.total),
      arrow(own.region),
      arrow({ before: misplaced, after: own.misplaced }),
      printed,
    ];
    return [
      row(`${name}, ${formatCount(vertices)} vertices`, 'article’s (C10)', article, arrow({ before, after })),
      row('', 'isoskin’s (C15)', isoskin, ''),
    ];
  });
  const names = ['regions', 'total', 'worst region', 'misplaced flesh', 'printed, for its own character'];
  const table = formatTable([{ left: 'character' }, { left: 'method' }, ...names], rows);
  return `Volume error of isoskin’s characters over all clips, linear skinning → corrected
${SOURCES.local}, table 2
${table}
C10: linearised, regions of the strongest bone, changes estimated by prisms, map a = b = 2 that ends at borders. C15: preset natural.
Total and region: worst frame; a region is one of those that the method keeps. Misplaced: mean of the frames, by cuts that neither knows.`;
}

function formatCosts(characters: readonly DemoMeasure[]): string {
  const rows = characters.map(({ name, framesPerSecond: { before, after }, costRatio }) => {
    const printed = CHARACTER_FIGURES[name as CharacterName].framesPerSecond;
    return [
      name,
      `${formatCount(Math.round(before))} → ${formatCount(Math.round(after))}`,
      `× ${costRatio.toFixed(2)}`,
      `${printed[0]} → ${printed[1]}`,
      `× ${(printed[0] / printed[1]).toFixed(2)}`,
    ];
  });
  const names = ['frames per second', 'cost', 'article, with drawing', 'cost'];
  const table = formatTable([{ left: 'character' }, ...names], rows);
  return `Skin and normals alone → with the volume kept (preset natural); this machine, one thread\n${SOURCES.local}, table 1\n${table}`;
}
