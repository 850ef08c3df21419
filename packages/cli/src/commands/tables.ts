import { existsSync } from 'node:fs';
import { IsoskinError } from '@isoskin/core';
import type { Command } from 'commander';
import { formatCount, formatPercent } from '../format-number.js';
import { formatTable } from '../format-table.js';
import { type CylinderErrors, measureCylinder } from '../measure-cylinder.js';
import { type DemoMeasure, measureDemo } from '../measure-demo.js';
import { print, printJson } from '../print.js';
import { createProgress } from '../progress.js';
import { CHARACTER_FIGURES, type CharacterName, CYLINDER_ANGLES, CYLINDER_FIGURES } from '../published-figures.js';

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
        else print(formatTable([{ name: 'method', align: 'left' }, ...names.map((name) => ({ name }))], rows));
        return;
      }
      const names = Object.keys(CHARACTER_FIGURES) as CharacterName[];
      const cylinder = measureCylinder();
      const characters = names.map((name, n) => {
        progress.update(`measuring ${name}`, n + 1, names.length + 1);
        return measureDemo(name);
      });
      progress.clear();
      if (options.json) {
        const literature = {
          cylinder: { angles: CYLINDER_ANGLES, ...CYLINDER_FIGURES },
          characters: CHARACTER_FIGURES,
        };
        printJson({ cylinder: { angles: CYLINDER_ANGLES, ...cylinder }, characters, literature });
      } else print(`${formatCylinder(cylinder)}\n\n${formatErrors(characters)}\n\n${formatCosts(characters)}`);
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

function formatCylinder(cylinder: CylinderErrors): string {
  const rows = (Object.keys(METHODS) as (keyof CylinderErrors)[]).flatMap((key) => {
    const printed = key in CYLINDER_FIGURES ? CYLINDER_FIGURES[key as keyof typeof CYLINDER_FIGURES] : undefined;
    return [
      [METHODS[key], 'isoskin', ...cylinder[key].map(formatPercent)],
      ...(printed ? [['', 'print', ...printed.map(formatPercent)]] : []),
    ];
  });
  const angles = CYLINDER_ANGLES.map((angle) => ({ name: `${angle}°` }));
  const table = formatTable([{ name: 'method', align: 'left' }, { name: '', align: 'left' }, ...angles], rows);
  return `Volume error of a cylinder bent by one joint (Rohmer 2007, tables 4.1 and 4.2; Rohmer, Hahmann, Cani, GTMG 2008, table 1)\n${table}`;
}

function formatErrors(characters: readonly DemoMeasure[]): string {
  const arrow = (before: number, after: number) => `${formatPercent(before)} → ${formatPercent(after)}`;
  const rows = characters.map(({ name, vertices, regions, total, region }) => {
    const [before, after] = CHARACTER_FIGURES[name as CharacterName].error;
    return [
      name,
      formatCount(vertices),
      String(regions),
      arrow(total.before, total.after),
      arrow(region.before, region.after),
      arrow(before, after),
    ];
  });
  const names = ['vertices', 'regions', 'total', 'worst region', 'article (its own character)'];
  const table = formatTable([{ name: 'character', align: 'left' }, ...names.map((name) => ({ name }))], rows);
  return `Worst volume error over all clips, before → after, preset organic (Rohmer, Hahmann, Cani 2008, table 2)\n${table}`;
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
  const table = formatTable([{ name: 'character', align: 'left' }, ...names.map((name) => ({ name }))], rows);
  return `Skin and normals alone → with the volume kept; this machine, one thread (Rohmer, Hahmann, Cani 2008, table 1)\n${table}`;
}
