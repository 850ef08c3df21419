import type { Character } from '@isoskin/core';
import type { Command } from 'commander';
import { formatCount, formatNumber } from '../format-number.js';
import { formatTable } from '../format-table.js';
import { readInput } from '../load-input.js';
import { addLoadOptions, type LoadOptions, loadOptions } from '../load-options.js';
import { formatWarning, plainText } from '../plain-text.js';
import { answer } from '../print.js';

export function addInspect(program: Command): void {
  const command = program
    .command('inspect')
    .description('Say what a model holds: surface, skeleton, clips, rest volume, and what was mended.')
    .argument('<model>', 'a .glb, .gltf or .vrm file, or - for stdin');
  addLoadOptions(command)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ isoskin inspect model.glb --json')
    .action(async (path: string, options: LoadOptions & { json?: boolean }) => {
      const { character } = await readInput(path, loadOptions(options));
      const facts = inspectCharacter(path, character);
      answer(facts, formatFacts, options);
    });
}

type Facts = ReturnType<typeof inspectCharacter>;

function inspectCharacter(model: string, character: Character) {
  const { surface, skeleton, binding, parts, clips, morphs, warnings } = character;
  const { boundaryLoops, boundaryEdges, nonManifoldEdges } = surface.defects;
  return {
    model,
    vertices: { source: parts.reduce((sum, part) => sum + part.vertexCount, 0), welded: surface.vertexCount },
    triangles: surface.triangles.length / 3,
    rest: surface.components.reduce((sum, { volume }) => sum + volume, 0),
    components: surface.components.map(({ name, vertexCount, triangleCount, boundaryLoops, volume, solid }) => {
      return { name, vertices: vertexCount, triangles: triangleCount, boundaryLoops, rest: volume, solid };
    }),
    boundaryLoops,
    boundaryEdges,
    nonManifoldEdges,
    influences: binding.maxInfluences,
    weightSumError: binding.weightSumError,
    joints: new Set(skeleton.boneNodes).size,
    clips: clips.map(({ name, duration }) => ({ name, duration })),
    morphTargets: morphs.map(({ name }) => name),
    warnings,
  };
}

/** Longer lists are cut in the terminal; the JSON has everything. */
const MOST_ROWS = 24;

function formatFacts(facts: Facts): string {
  const { vertices, components, clips, morphTargets, warnings } = facts;
  const lines: [string, string][] = [
    ['vertices', `${formatCount(vertices.welded)} welded from ${formatCount(vertices.source)}`],
    ['triangles', formatCount(facts.triangles)],
    ['components', formatCount(components.length)],
    ['boundary loops', formatCount(facts.boundaryLoops)],
    ['non-manifold edges', formatCount(facts.nonManifoldEdges)],
    ['joints', formatCount(facts.joints)],
    ['influences', `at most ${facts.influences} per vertex`],
    ['weight-sum error', formatNumber(facts.weightSumError)],
    ['clips', clips.map(({ name, duration }) => `${name} (${duration.toFixed(2)} s)`).join(', ') || 'none'],
    ['morph targets', morphTargets.join(', ') || 'none'],
    ['rest volume', `${formatNumber(facts.rest)} (bind shape × the joints’ common scale)`],
  ];
  const width = Math.max(...lines.map(([name]) => name.length));
  const blocks = [
    plainText(facts.model),
    lines.map(([name, value]) => `  ${name.padEnd(width)}  ${plainText(value)}`).join('\n'),
  ];
  if (components.length > 1) blocks.push(formatComponents(components));
  const words = warnings.map((warning) => `  ${formatWarning(warning)}`);
  blocks.push(words.length > 0 ? `Warnings\n${words.join('\n')}` : 'No warnings.');
  return blocks.join('\n\n');
}

function formatComponents(components: Facts['components']): string {
  const rows = components.map(({ name, vertices, triangles, boundaryLoops, rest, solid }) => [
    name,
    formatCount(vertices),
    formatCount(triangles),
    formatCount(boundaryLoops),
    solid ? formatNumber(rest) : 'flat',
  ]);
  const more = rows.length > MOST_ROWS ? `\n  … and ${rows.length - MOST_ROWS} more` : '';
  const columns = [{ left: 'component' }, 'vertices', 'triangles', 'loops', 'rest volume'];
  return formatTable(columns, rows.slice(0, MOST_ROWS)) + more;
}
