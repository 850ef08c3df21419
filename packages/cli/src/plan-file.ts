import { presetStack, type StackSpec } from '@isoskin/core';
import { writePlans } from '@isoskin/gltf';
import { readLoadedModel } from '@isoskin/gltf/node';
import { type BakeFileOptions, measureModel } from './bake-file.js';
import { formatBytes } from './format-number.js';
import { loadInput } from './load-input.js';
import { loadOptions } from './load-options.js';
import { formatWarning, plainText } from './plain-text.js';
import { readStack } from './stack-options.js';
import { checkGlbName, refuseAllInputs, writeWhole } from './write-whole.js';

export type PlanFacts = Awaited<ReturnType<typeof planFile>>;

/** `bake --plan`: the file itself, with the plans of its bodies for runtimes that solve. */
export async function planFile(path: string, options: BakeFileOptions) {
  const { output, compress } = options;
  checkGlbName(output);
  await refuseAllInputs([output], [path, options.stack]);
  const stack: StackSpec = await readStack(options, presetStack());
  const start = performance.now();
  const model = await loadInput(path, loadOptions(options));
  const read = await readLoadedModel(model);
  const { glb, plans } = await writePlans(read, stack, compress);
  await writeWhole(output, glb);
  const seconds = (performance.now() - start) / 1000;
  const sizes = { input: measureModel(model), output: glb.length };
  return { model: path, output, sizes, seconds, plans, stack, warnings: read.character.warnings };
}

export function formatPlan({ model, output, sizes, seconds, plans, warnings }: PlanFacts): string {
  const blocks = [`${plainText(model)} → ${plainText(output)}`];
  const lines = plans.map(
    ({ name, vertices, bytes }) => `  ${plainText(name)}: ${vertices} vertices, a plan of ${formatBytes(bytes)}`,
  );
  const ratio = sizes.input > 0 ? ` (${(sizes.output / sizes.input).toFixed(2)}× of ${formatBytes(sizes.input)})` : '';
  lines.push(`  ${formatBytes(sizes.output)}${ratio}, ${seconds.toFixed(1)} s`);
  lines.push('  Clips are as they were: a runtime corrects them (preserveVolume of @isoskin/three).');
  blocks.push(lines.join('\n'));
  if (warnings.length > 0) blocks.push(warnings.map((warning) => `  ${formatWarning(warning)}`).join('\n'));
  return blocks.join('\n\n');
}
