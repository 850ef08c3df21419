/**
 * What a character is made of, whatever is done with it: planned when first asked for, once, and shared by all that work on it.
 */
import type { Character } from '../character/character.js';
import { type Bvh, planBvh } from '../contact/bvh.js';
import { measureRoom } from '../correction/measure-room.js';
import { type Clusters, planCoarseClusters } from '../mesh/plan-clusters.js';
import { type ClosedSurface, planClosedSurface } from '../volume/plan-closed-surface.js';

/** What is true of a character whatever is done with it; each fact is planned when it is first asked for. */
export interface Body {
  readonly character: Character;
  /** The surface with its holes capped. */
  readonly closed: ClosedSurface;
  /** The triangles at rest, for rays and overlaps; `refitBvh` a copy, not this. */
  readonly bvh: Bvh;
  /** Absent where the vertices are few. */
  readonly clusters: Clusters | undefined;
  /** ℓ: how far each vertex may be pushed, #V (measure-room.ts). */
  readonly room: Float64Array;
}

/** The body of a character: a frame source, a volume plan and meters take it. */
export function planBody(character: Character): Body {
  const { surface } = character;
  let closed: ClosedSurface | undefined;
  let bvh: Bvh | undefined;
  let clusters: Clusters | undefined;
  let room: Float64Array | undefined;
  return {
    character,
    get closed() {
      return (closed ??= planClosedSurface(surface));
    },
    get bvh() {
      return (bvh ??= planBvh(surface.triangles, surface.positions));
    },
    get clusters() {
      return (clusters ??= planCoarseClusters(surface));
    },
    get room() {
      return (room ??= measureRoom(surface, this.bvh, this.clusters));
    },
  };
}
