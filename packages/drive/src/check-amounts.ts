/** The door of a player: an extension that is whole, and belongs to this file, or a sentence that says what is wrong. */
import { type Amounts, EXTENSION, listPlaces } from './amounts.js';

/**
 * @param value what the file holds as `ISOSKIN_amounts`
 * @param listTargets names of the morph targets of a node's mesh; undefined where there is no such node
 */
export function checkAmounts(
  value: unknown,
  listTargets: (node: number) => readonly (string | undefined)[] | undefined,
): Amounts {
  if (value === undefined) fail('the file has none: bake it with isoskin bake --drive');
  const amounts = value as Amounts;
  const { version, inputs, shapes, certificate } = amounts ?? {};
  if (version !== 1) fail(`version ${version} is not known here: update @isoskin/drive`);
  if (!Array.isArray(inputs) || !Array.isArray(shapes) || !certificate) truncated();
  for (const input of inputs) {
    const { rest, weight, reach = Math.PI } = input as { rest?: unknown; weight?: number; reach?: number };
    const targets = listTargets(input.node);
    if (!targets) foreign(`node ${input.node} is not there`);
    if (rest === undefined ? !Number.isInteger(weight) : !isNumbers(rest, 4, 4) || !(reach > 0)) truncated();
    if (rest === undefined && weight! >= targets.length) foreign(`node ${input.node} has no weight ${weight}`);
  }
  if (shapes.length === 0) fail('it drives no shape: bake the file again');
  const places = listPlaces(amounts).at(-1)!;
  for (const { name, targets, range, terms } of shapes) {
    if (!Array.isArray(targets) || !Array.isArray(terms) || !isNumbers(range, 2, 2)) truncated();
    for (const target of targets) {
      if (!isNumbers(target, 3, 4)) truncated();
      const [node, place, unit] = target as [number, number, number];
      const expected = `isoskin ${unit === 0 ? 'offset' : name}`;
      if (listTargets(node)?.[place] !== expected)
        foreign(`node ${node} has no morph target "${expected}" in place ${place}`);
    }
    for (const term of terms) {
      if (!isNumbers(term, 1, 4)) truncated();
      if (term.slice(1).some((place: number) => !(Number.isInteger(place) && place >= 0 && place < places)))
        truncated();
    }
  }
  return amounts;
}

function isNumbers(value: unknown, least: number, most: number): value is number[] {
  return Array.isArray(value) && value.length >= least && value.length <= most && value.every(Number.isFinite);
}

function truncated(): never {
  fail('it is cut short or not as documented: bake the file again');
}

function foreign(reason: string): never {
  fail(`it belongs to another file, ${reason}: bake this one`);
}

function fail(reason: string): never {
  throw new Error(`${EXTENSION}: ${reason}.`);
}
