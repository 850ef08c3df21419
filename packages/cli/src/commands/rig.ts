import { autoWeights, checkBudget, IsoskinError } from '@isoskin/core';
import { rigMesh } from '@isoskin/core/weights';
import { writeWeights } from '@isoskin/gltf';
import type { Command } from 'commander';
import { formatCount } from '../format-number.js';
import { readInput } from '../load-input.js';
import { addLoadOptions, budgetOptions, type LoadOptions, loadOptions } from '../load-options.js';
import { formatWarning, plainText } from '../plain-text.js';
import { answer, besideOf } from '../print.js';
import { checkGlbName, refuseAllInputs, writeWhole } from '../write-whole.js';

interface Options extends LoadOptions {
  readonly output: string;
  readonly json?: boolean;
}

const EXAMPLES = `
Examples:
  $ isoskin rig statue.glb -o rigged.glb          a skeleton and weights for a bare mesh
  $ isoskin weights rigged.glb -o smoother.glb --locality 1   other weights for the same skeleton`;

export function addRig(program: Command): void {
  const command = program
    .command('rig')
    .description('Give a bare mesh a skeleton: joints where limbs begin, bend and end, and weights.')
    .argument('<mesh>', 'a .glb or .gltf file without a skin, or - for stdin')
    .requiredOption('-o, --output <file>', 'the .glb to write, or - for stdout');
  addLoadOptions(command)
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (path: string, options: Options) => {
      const facts = await rigFile(path, options);
      answer(facts, formatFacts, options, besideOf(options.output));
    });
}

async function rigFile(path: string, options: Options) {
  checkGlbName(options.output);
  await refuseAllInputs([options.output], [path]);
  const mesh = await readInput(path, loadOptions(options), { unskinned: true });
  if (mesh.isSkinned) {
    const message = 'The file has a skeleton already; for other weights on it use “isoskin weights”.';
    throw new IsoskinError('RIG_SKINNED', message);
  }
  const { surface, warnings } = mesh.character;
  const skeleton = rigMesh(surface);
  checkBudget(mesh.character, { bones: skeleton.boneCount, ...budgetOptions(options) });
  const binding = autoWeights(surface, skeleton);
  await writeWhole(options.output, await writeWeights(mesh, binding, { skeleton, clips: [] }));
  return {
    model: path,
    output: options.output,
    vertices: surface.vertexCount,
    joints: skeleton.names.map((name, j) => ({ name, parent: skeleton.names[skeleton.parents[j]!] ?? null })),
    unreached: binding.unreached,
    warnings,
  };
}

function formatFacts({ output, vertices, joints, warnings }: Awaited<ReturnType<typeof rigFile>>): string {
  const limbs = new Map<string, number>();
  for (const { name } of joints) {
    const limb = name.replace(/\.(\d+|tip)$/, '');
    limbs.set(limb, (limbs.get(limb) ?? 0) + 1);
  }
  const list = [...limbs].map(([name, count]) => (count > 1 ? `${name} (${count})` : name)).join(', ');
  return [
    `${plainText(output)}: ${formatCount(vertices)} vertices on ${joints.length} joints: ${list}.`,
    ...warnings.map(formatWarning),
  ].join('\n');
}
