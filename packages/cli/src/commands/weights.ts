import { autoWeights, checkBudget, IsoskinError } from '@isoskin/core';
import type { Binding } from '@isoskin/core/mesh';
import {
  fitSkeleton,
  measureAgreement,
  REFINE_DEFAULTS,
  refineWeights,
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
import { formatChange, formatCount, formatShare } from '../format-number.js';
import { readInput } from '../load-input.js';
import { addLoadOptions, budgetOptions, type LoadOptions, loadOptions } from '../load-options.js';
import { formatWarning, plainText } from '../plain-text.js';
import { answer, besideOf } from '../print.js';
import { readNumber, readShare } from '../read-number.js';
import { checkGlbName, refuseAllInputs, writeWhole } from '../write-whole.js';

interface Options extends LoadOptions {
  readonly skeleton?: string;
  readonly demoSkeleton?: string;
  readonly output: string;
  readonly method: WeightMethod;
  readonly power: number;
  readonly locality: number;
  readonly influences: number;
  readonly visibility: VisibilityKind;
  readonly lengths: boolean;
  readonly refine?: boolean;
  readonly bound: number;
  readonly json?: boolean;
}

const EXAMPLES = `
Examples:
  $ isoskin weights statue.glb --skeleton walk.glb -o walking-statue.glb
  $ isoskin weights hand.glb --demo-skeleton hand -o bound.glb
  $ isoskin weights character.glb -o better.glb            new weights for its own skeleton
  $ isoskin weights character.glb --refine -o better.glb   its own weights, changed to lose less volume in its clips`;

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
    .option('--locality <number>', 'heat: larger blends over less of the skin', readNumber, WEIGHT_DEFAULTS.locality)
    .option('--influences <count>', 'most bones per vertex', readNumber, WEIGHT_DEFAULTS.influences)
    .addOption(
      new Option('--visibility <test>', 'how to see whether a bone is inside')
        .choices(VISIBILITIES)
        .default(WEIGHT_DEFAULTS.visibility),
    )
    .option('--no-lengths', 'visible: do not favour long bones')
    .option(
      '--refine',
      'change the weights so that the clips lose less flesh under plain skinning; the file’s own ones, unless --method is given',
    )
    .option(
      '--bound <share>',
      'refine: how far a vertex may move, as a share of the size',
      readShare,
      REFINE_DEFAULTS.bound,
    );
  addLoadOptions(command)
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (path: string, options: Options) => {
      const facts = await bindMesh(path, options, command.getOptionValueSource('method') !== 'default');
      answer(facts, formatFacts, options, besideOf(options.output));
    });
}

type Facts = Awaited<ReturnType<typeof bindMesh>>;

/** @param chosen whether a method was asked for: then even refined weights begin with automatic ones */
async function bindMesh(path: string, options: Options, chosen: boolean) {
  checkGlbName(options.output);
  await refuseAllInputs([options.output], [path, options.skeleton]);
  const mesh = await readInput(path, loadOptions(options), { unskinned: true });
  const rig = await chooseRig(mesh, options);
  const { surface } = mesh.character;
  const skeleton = rig?.skeleton ?? mesh.character.skeleton;
  const { clips } = rig ?? mesh.character;
  const { method, power, locality, influences, visibility, lengths, refine, bound } = options;
  checkBudget(mesh.character, {
    bones: skeleton.boneCount,
    ...(refine && { clips, rate: REFINE_DEFAULTS.fps }),
    ...budgetOptions(options),
  });
  const settings = { method, power, locality, influences, visibility, lengths };
  const automatic = rig || chosen || !refine;
  const begun = automatic
    ? autoWeights(surface, skeleton, { ...settings, ...(!rig && { bonesOfGroup: mesh.bonesOfGroup }) })
    : { ...mesh.character.binding, unreached: 0 };
  const refined =
    refine && refineWeights({ ...mesh.character, skeleton, clips, binding: begun }, { influences, bound });
  const weights = refined || begun;
  await writeWhole(options.output, await writeWeights(mesh, weights, rig));
  return {
    model: path,
    output: options.output,
    ...settings,
    method: automatic ? method : 'own',
    vertices: surface.vertexCount,
    bones: skeleton.boneCount,
    usedBones: new Set(weights.bones).size,
    meanInfluences: weights.weights.length / surface.vertexCount,
    unreached: begun.unreached,
    clips: clips.map(({ name }) => name),
    ...(!rig && { agreement: measureAgreement(mesh.character.binding, weights satisfies Binding, skeleton) }),
    ...(refined && { refined: { before: refined.before, after: refined.after, farthest: refined.farthest } }),
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
      `${facts.meanInfluences.toFixed(2)} each (${facts.method === 'own' ? 'its own weights' : `method ${facts.method}`}).`,
  ];
  if (facts.unreached > 0) {
    const how = facts.method === 'heat' ? 'take their weights along the skin' : 'follow their closest bone';
    lines.push(`${formatCount(facts.unreached)} vertices see no bone and ${how}.`);
  }
  if (facts.agreement) {
    const { same, near } = facts.agreement;
    lines.push(`Leading bone as before: ${formatShare(same)}; or its parent or child: ${formatShare(near)}.`);
  }
  if (facts.refined) {
    const { before, after, farthest } = facts.refined;
    lines.push(
      `Volume under plain skinning, worst frame: ${formatChange(before)} → ${formatChange(after)}; ` +
        `no vertex is farther than ${formatShare(farthest)} of the size from where it was.`,
    );
  }
  if (facts.clips.length > 0) lines.push(`Clips: ${plainText(facts.clips.join(', '))}.`);
  return [...lines, ...facts.warnings.map(formatWarning)].join('\n');
}
