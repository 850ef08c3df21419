/**
 * The brush for the weights of a joint. Every dab mixes the rows of the vertices under it, w ← (1 − t) w + t w':
 *
 *   paint   w' = the joint has the weight v, all others together 1 − v, in their shares; what has no other goes to the joint's parent
 *   smooth  w' = the mean of the neighbours' rows, of all joints
 *   erase   w' = the row of the file
 *
 * t  strength × how far under the tip. Mirrored, the row of the vertex on the other side is the same with opposite joints.
 */
import type { SkinFacts } from '../engine/protocol.js';
import type { BrushSettings } from './brush.js';
import type { BrushTip, Dab } from './brush-tip.js';
import { mixRows, readRow, type SkinWeights, writeRow } from './skin-weights.js';

type Row = Map<number, number>;

export interface WeightBrush {
  /** Changes `skin` in place. */
  dab(
    skin: SkinWeights,
    joint: number,
    positions: Float32Array,
    normals: Float32Array,
    settings: BrushSettings,
    dab: Dab,
  ): void;
}

/**
 * @param oppositeOf joint on the other side of the body, itself in the middle
 * @param parentOf the joint above, −1 for none
 */
export function createWeightBrush(
  tip: BrushTip,
  facts: SkinFacts,
  oppositeOf: (joint: number) => number,
  parentOf: (joint: number) => number,
): WeightBrush {
  const { boneNodes, vertexGroup, boneOfNode } = facts;
  const boneAt = (k: number, joint: number) => boneOfNode[vertexGroup[k]!]?.[joint] ?? -1;

  return {
    dab(skin, joint, positions, normals, { mode, strength, weight, mirror }, dab) {
      const rows = tip.touch(positions, normals, dab).map((k) => {
        const own = readRow(skin, k);
        const target =
          mode === 'erase' ? readRow(facts.weights, k) : mode === 'smooth' ? mean(skin, k, own) : undefined;
        return [k, mixRows(own, target ?? give(own, k, joint, weight), strength * tip.shares[k]!)] as const;
      });
      for (const [k, row] of rows) {
        writeRow(skin, k, row);
        const other = mirror ? tip.opposite(k) : -1;
        if (other >= 0 && other !== k) writeRow(skin, other, turnOver(row, other));
      }
    },
  };

  function give(row: Row, k: number, joint: number, weight: number): Row {
    const bone = boneAt(k, joint);
    if (bone < 0) return row; // a mesh that does not hang on this skeleton
    const others = [...row].filter(([one]) => one !== bone);
    const sum = others.reduce((all, [, share]) => all + share, 0);
    if (sum > 0)
      return new Map([...others.map(([one, w]) => [one, (w * (1 - weight)) / sum] as const), [bone, weight]]);
    let above = parentOf(joint);
    while (above >= 0 && boneAt(k, above) < 0) above = parentOf(above);
    return above < 0
      ? row
      : new Map([
          [bone, weight],
          [boneAt(k, above), 1 - weight],
        ]);
  }

  function mean(skin: SkinWeights, k: number, own: Row): Row {
    const list = tip.around(k);
    const out: Row = new Map();
    for (const j of list) {
      for (const [bone, weight] of readRow(skin, j)) out.set(bone, (out.get(bone) ?? 0) + weight / list.length);
    }
    return out.size > 0 ? out : own;
  }

  /** The same row with the joints of the other side. */
  function turnOver(row: Row, k: number): Row {
    const out: Row = new Map();
    for (const [bone, weight] of row) {
      const mirrored = boneAt(k, oppositeOf(boneNodes[bone]!));
      const into = mirrored >= 0 ? mirrored : bone;
      out.set(into, (out.get(into) ?? 0) + weight);
    }
    return out;
  }
}
