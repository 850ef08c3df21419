/** What a player of any engine does every frame: rotations and weights in, weights of the shapes out. */
import { type Amounts, EXTENSION } from './amounts.js';
import { checkAmounts } from './check-amounts.js';
import { createDriver, type Driver } from './create-driver.js';

export interface Quaternion {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly w: number;
}

/** A node of the file in an engine. */
export interface PlayedNode {
  rotation(): Quaternion;
  /** Names of the morph targets of its mesh. */
  readonly targets: readonly (string | undefined)[];
  getWeight(target: number): number;
  setWeight(target: number, weight: number): void;
}

export interface Player {
  readonly amounts: Amounts;
  readonly driver: Driver;
  /** Call it when the pose of the frame stands, before it is drawn. */
  update(): void;
}

export function play(
  json: { readonly extensions?: object | undefined } | undefined,
  findNode: (node: number) => PlayedNode | undefined,
): Player {
  const found = new Map<number, PlayedNode | undefined>();
  const nodeOf = (n: number) => {
    if (!found.has(n)) found.set(n, findNode(n));
    return found.get(n);
  };
  const value = (json?.extensions as Record<string, unknown> | undefined)?.[EXTENSION];
  const amounts = checkAmounts(value, (n) => nodeOf(n)?.targets);
  const driver = createDriver(amounts);
  return {
    amounts,
    driver,
    update() {
      amounts.inputs.forEach((input, i) => {
        const node = nodeOf(input.node)!;
        const { x, y, z, w } = node.rotation();
        if ('weight' in input) driver.weigh(i, node.getWeight(input.weight));
        else driver.turn(i, x, y, z, w);
      });
      const values = driver.measure();
      amounts.shapes.forEach(({ targets }, s) => {
        for (const [node, target, unit, bias = 0] of targets)
          nodeOf(node!)!.setWeight(target!, Math.max(0, values[s]! * unit! + bias));
      });
    },
  };
}
