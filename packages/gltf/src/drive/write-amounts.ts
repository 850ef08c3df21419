/** Puts taught amounts into the file: the extension `ISOSKIN_amounts` at its root, in numbers of its nodes and targets. */
import { IsoskinError } from '@isoskin/core';
import { type AmountInput, type Amounts, EXTENSION, listPlaces, type RotationInput } from '@isoskin/drive';
import type { GroupBake } from '../bake/baked-group.js';
import type { SourceSkin } from '../bake/plan-source-skin.js';
import type { WrittenGroup } from '../bake/write-morphs.js';
import { countTargets } from '../patch/add-targets.js';
import { declareExtension, type GltfFile } from '../patch/gltf-file.js';
import type { ReadResult } from '../read-character-from-bytes.js';
import type { TaughtAmounts } from './teach-amounts.js';

export function writeAmounts(
  file: GltfFile,
  read: ReadResult,
  source: SourceSkin,
  { amounts, nodes, morphs }: TaughtAmounts,
  groups: readonly GroupBake[],
  places: readonly WrittenGroup[],
): Amounts {
  const carriers = groups.flatMap(({ group, used = [] }) => {
    const { node, mesh } = places[group]!;
    const first = countTargets(file.json.meshes![mesh]!) - used.length;
    return used.map(({ amount, unit, bias }, k) => ({
      shape: amount,
      target: [node, first + k, ...(bias === 0 ? [round(unit)] : [round(unit), round(bias)])],
    }));
  });
  const shapes = amounts.shapes
    .map((shape, s) => ({
      ...shape,
      targets: carriers.filter((one) => one.shape === s).map(({ target }) => target),
    }))
    // A shape that stays at 0 still cancels what the offset adds for it.
    .filter(
      ({ targets, terms }) => targets.some(({ length }) => length > 3) || (targets.length > 0 && terms.length > 0),
    );
  const offsets = carriers.filter(({ shape }) => shape < 0).map(({ target }) => target);
  if (shapes.length > 0) shapes[0] = { ...shapes[0]!, targets: [...shapes[0]!.targets, ...offsets] };
  if (shapes.every(({ terms }) => terms.length === 0)) {
    const message =
      'No shape ever has to move, so there is nothing to drive: bake without --drive, or give a larger --range';
    throw new IsoskinError('DRIVE_NO_SHAPES', message);
  }
  const inputs: AmountInput[] = [
    ...nodes.map((n, i) => ({ ...(amounts.inputs[i] as RotationInput), node: read.nodeIndices[n]! })),
    ...morphs.map((m) => {
      const { group } = read.character.morphs[m]!;
      return { node: places[group]!.node, weight: m - source.morphs[group]!.first };
    }),
  ];
  const written = dropUnused({ ...amounts, inputs, shapes });
  file.json.extensions = { ...file.json.extensions, [EXTENSION]: written };
  declareExtension(file, EXTENSION, false);
  return written;
}

function round(value: number): number {
  return Number(value.toPrecision(6));
}

/** Without the inputs that no term asks for. */
function dropUnused(amounts: Amounts): Amounts {
  const asked = new Set(amounts.shapes.flatMap(({ terms }) => terms.flatMap((term) => term.slice(1))));
  const before = listPlaces(amounts);
  const kept = [...amounts.inputs.keys()].filter((i) => {
    for (let place = before[i]!; place < before[i + 1]!; place++) if (asked.has(place)) return true;
    return false;
  });
  const inputs = kept.map((i) => amounts.inputs[i]!);
  const after = listPlaces({ inputs });
  const moved = new Map(
    kept.flatMap((i, n) =>
      Array.from({ length: before[i + 1]! - before[i]! }, (_, k) => [before[i]! + k, after[n]! + k] as const),
    ),
  );
  const shapes = amounts.shapes.map((shape) => ({
    ...shape,
    terms: shape.terms.map(([c, ...places]) => [c!, ...places.map((place) => moved.get(place)!)]),
  }));
  return { ...amounts, inputs, shapes };
}
