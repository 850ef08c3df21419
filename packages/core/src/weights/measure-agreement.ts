import type { Binding } from '../character/character.js';
import { planBoneSegments } from '../skeleton/plan-bone-segments.js';
import type { Skeleton } from '../skeleton/skeleton.js';

export interface Agreement {
  /** Share of the vertices whose strongest bone is the same. */
  readonly same: number;
  /** … the same, its parent or its child. */
  readonly near: number;
}

/** How far two bindings of the same vertices agree on the bone that leads each vertex. O(#V). */
export function measureAgreement(a: Binding, b: Binding, skeleton: Skeleton): Agreement {
  const { parents } = planBoneSegments(skeleton);
  const vertexCount = a.offsets.length - 1;
  let same = 0;
  let near = 0;
  for (let k = 0; k < vertexCount; k++) {
    const i = a.bones[a.offsets[k]!]!;
    const j = b.bones[b.offsets[k]!]!;
    if (i === j) same++;
    if (i === j || parents[i] === j || parents[j] === i) near++;
  }
  return { same: same / vertexCount, near: near / vertexCount };
}
