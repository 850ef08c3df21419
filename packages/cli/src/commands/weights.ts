import { autoWeights, checkBudget, IsoskinError } from '@isoskin/core';
import type { Binding } from '@isoskin/core/mesh';
import {
  fitSkeleton,
  measureAgreement,
  VISIBILITIES,
  type VisibilityKind,
  WEIGHT_DEFAULTS,
  WEIGHT_METHODS,
  type WeightMethod,
} from '@isoskin/core/weights';
import { createDemo, demoNames } from '@isoskin/demos';
import { type ReadResult, type Rig, writeWeights } from '@isoskin/gltf';
import { readRig } from '@isoskin/gltf/node';
import { type Command, Option } from 'commander';
import { formatCount, formatShare } from '../format-number.js';
import { readInput } from '../load-input.js';
import { addLoadOptions, budgetOptions, type LoadOptions, loadOptions } from '../load-options.js';
import { plainText } from '../plain-text.js';
import { besideOf, print, printJson } from '../print.js';
import { readNumber } from '../read-number.js';
import { checkGlbName, refuseAllInputs, writeWhole } from '../write-whole.js';

interface Options extends LoadOptions {
  readonly skeleton?: string;
  readonly demoSkeleton?: string;
  readonly output: string;
  readonly method: WeightMethod;
  readonly power: number;
  readonly influences: number;
  readonly visibility: VisibilityKind;
  readonly lengths: boolean;
  readonly json?: boolean;
}

const EXAMPLES = `
Examples:
  $ isoskin weights statue.glb --skeleton walk.glb -o walking-statue.glb
  $ isoskin weights hand.glb --demo-skeleton hand -o bound.glb
  $ isoskin weights character.glb -o better.glb            new weights for its own skeleton`;

export function addWeights(program: Command): void {
  const command = program
    .command('weights')
    .description('Bind a mesh to a skeleton, or weigh a skinned character anew.')
    .argument('<mesh>', 'a .glb, .gltf or .vrm file, with or without a skin, or - for stdin')
    .requiredOption('-o, --output <file>', 'the .glb or .vrm to write, or - for stdout')
    .option('--skeleton <file>', 'take the skeleton and clips of this .glb or .gltf (default: the mesh’s own)')
    .addOption(new Option('--demo-skeleton <name>', 'take that of a demo').choices(demoNames).conflicts('skeleton'))
    .addOption(new Option('--method <name>', 'how to weigh').choices(WEIGHT_METHODS).default(WEIGHT_DEFAULTS.method))
    .option('--power <number>', 'fall-off of bone and visible', readNumber, WEIGHT_DEFAULTS.power)
    .option('--influences <count>', 'most bones per vertex', readNumber, WEIGHT_DEFAULTS.influences)
    .addOption(
      new Option('--visibility <test>', 'how to see whether a bone is inside')
        .choices(VISIBILITIES)
        .default(WEIGHT_DEFAULTS.visibility),
    )
    .option('--no-lengths', 'visible: do not favour long bones');
  addLoadOptions(command)
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (path: string, options: Options) => {
      const facts = await bindMesh(path, options);
      const beside = besideOf(options.output);
      if (options.json) printJson(facts, beside);
      else print(formatFacts(facts), beside);
    });
}

type Facts = Awaited<ReturnType<typeof bindMesh>>;

async function bindMesh(path: string, options: Options) {
  checkGlbName(options.output);
  await refuseAllInputs([options.output], [path, options.skeleton]);
  const mesh = await readInput(path, loadOptions(options), { unskinned: true });
  const rig = await chooseRig(mesh, options);
  const { surface } = mesh.character;
  const skeleton = rig?.skeleton ?? mesh.character.skeleton;
  checkBudget(mesh.character, { bones: skeleton.boneCount, ...budgetOptions(options) });
  const { method, power, influences, visibility, lengths } = options;
  const settings = { method, power, influences, visibility, lengths };
  const weights = autoWeights(surface, skeleton, { ...settings, ...(!rig && { bonesOfGroup: mesh.bonesOfGroup }) });
  await writeWhole(options.output, await writeWeights(mesh, weights, rig));
  return {
    model: path,
    output: options.output,
    ...settings,
    vertices: surface.vertexCount,
    bones: skeleton.boneCount,
    usedBones: new Set(weights.bones).size,
    meanInfluences: weights.weights.length / surface.vertexCount,
    unreached: weights.unreached,
    clips: (rig ?? mesh.character).clips.map(({ name }) => name),
    ...(!rig && { agreement: measureAgreement(mesh.character.binding, weights satisfies Binding, skeleton) }),
    warnings: mesh.character.warnings,
  };
}

async function chooseRig(mesh: ReadResult, options: Options): Promise<Rig | undefined> {
  const { skeleton, demoSkeleton } = options;
  if (!skeleton && !demoSkeleton) {
    if (mesh.isSkinned) return undefined;
    const message = 'The mesh has no skeleton of its own: name one with --skeleton or --demo-skeleton.';
    throw new IsoskinError('SKELETON_MISSING', message);
  }
  const rig = skeleton ? await readRig(skeleton, loadOptions(options)) : createDemo(demoSkeleton!);
  return { skeleton: fitSkeleton(rig.skeleton, mesh.character.surface), clips: rig.clips };
}

function formatFacts(facts: Facts): string {
  const lines = [
    `${plainText(facts.output)}: ${formatCount(facts.vertices)} vertices on ${facts.usedBones} of ${facts.bones} bones, ` +
      `${facts.meanInfluences.toFixed(2)} each (method ${facts.method}).`,
  ];
  if (facts.unreached > 0) {
    const how = facts.method === 'heat' ? 'take their weights along the skin' : 'follow their closest bone';
    lines.push(`${formatCount(facts.unreached)} vertices see no bone and ${how}.`);
  }
  if (facts.agreement) {
    const { same, near } = facts.agreement;
    lines.push(`Leading bone as before: ${formatShare(same)}; or its parent or child: ${formatShare(near)}.`);
  }
  if (facts.clips.length > 0) lines.push(`Clips: ${plainText(facts.clips.join(', '))}.`);
  for (const { message, place } of facts.warnings)
    lines.push(`! ${plainText(place ? `${message} (${place})` : message)}`);
  return lines.join('\n');
}
