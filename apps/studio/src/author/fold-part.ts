/**
 * A primitive of the file where wrinkles fold it: the geometry of the part, refined as the surface is, each side of a seam for itself.
 *
 *   new vertex on the edge a b:   uv, colour ← mean of a and b;   normal, tangent, bones ← those of a, which turn to the fold's
 *
 * `author-material.ts` puts it where the engine says, so that what the bones of a new vertex are matters to its normal alone.
 */
import { type PartRefinement, planPartRefinement } from '@isoskin/core/wrinkles';
import { BufferAttribute, BufferGeometry, DynamicDrawUsage } from 'three';
import type { RefinedArrays } from '../engine/protocol.js';

export interface FoldedPart {
  readonly geometry: BufferGeometry;
  /** Takes a folded surface; what the part says of its own vertices (`isoNormal`, `isoFacts`) is taken from it. */
  setFrame(refined: RefinedArrays): void;
}

const MEAN = /^(uv|color|_)/;

/** @param flat the geometry of the part, with what `createAuthorPart` adds @param surface triangles of the surface ×3 */
export function foldPart(
  flat: BufferGeometry,
  welded: Uint32Array,
  surface: Uint32Array,
  plan: NonNullable<RefinedArrays['plan']>,
): FoldedPart {
  const own = flat.index?.array ?? welded.map((_, i) => i);
  const part = planPartRefinement(plan, surface, own.slice(0, own.length - (own.length % 3)), welded);
  const geometry = new BufferGeometry();
  const index = new BufferAttribute(new Uint32Array(part.capacity), 1).setUsage(DynamicDrawUsage);
  geometry.setIndex(index);
  for (const [name, attribute] of Object.entries(flat.attributes)) {
    geometry.setAttribute(name, widen(attribute as BufferAttribute, part, MEAN.test(name)));
  }
  for (const [name, list] of Object.entries(flat.morphAttributes)) {
    geometry.morphAttributes[name as 'position'] = list!.map((one) => widen(one as BufferAttribute, part, false));
  }
  geometry.morphTargetsRelative = flat.morphTargetsRelative;
  let written: unknown;
  return {
    geometry,
    setFrame({ positions, normals, values, levels, used }) {
      if (levels && used && levels !== written) {
        geometry.setDrawRange(0, part.write(index.array as Uint32Array, levels, used));
        index.needsUpdate = true;
        written = levels;
      }
      const [target, turned, before, facts] = ['isoTarget', 'isoTargetNormal', 'isoNormal', 'isoFacts'].map((name) => {
        const attribute = geometry.getAttribute(name) as BufferAttribute;
        attribute.needsUpdate = true;
        return attribute.array as Float32Array;
      }) as [Float32Array, Float32Array, Float32Array, Float32Array];
      before.set(flat.getAttribute('isoNormal').array);
      facts.set(flat.getAttribute('isoFacts').array);
      for (let i = 0; i < part.vertexCount; i++) {
        const v = part.toRefined[i]!;
        if (i >= part.baseCount) {
          const a = part.parents[2 * (i - part.baseCount)]!;
          before.copyWithin(3 * i, 3 * a, 3 * a + 3);
          facts.copyWithin(4 * i, 4 * a, 4 * a + 4);
        }
        if (facts[4 * i + 3] === 0) continue; // of no triangle
        for (let r = 0; r < 3; r++) {
          target[3 * i + r] = positions[3 * v + r]!;
          turned[3 * i + r] = normals[3 * v + r]!;
        }
        facts[4 * i] = values[v]!;
      }
    },
  };
}

/** An attribute with new vertices behind the old ones, as floats. */
function widen(attribute: BufferAttribute, { baseCount, vertexCount, parents }: PartRefinement, isMean: boolean) {
  const width = attribute.itemSize;
  const out = new BufferAttribute(new Float32Array(width * vertexCount), width);
  for (let i = 0; i < vertexCount; i++) {
    const at = 2 * (i - baseCount);
    for (let k = 0; k < width; k++) {
      const of = (n: number) => out.getComponent(parents[at + n]!, k);
      const isOld = i < baseCount;
      out.setComponent(i, k, isOld ? attribute.getComponent(i, k) : isMean ? (of(0) + of(1)) / 2 : of(0));
    }
  }
  return out.setUsage(DynamicDrawUsage);
}
