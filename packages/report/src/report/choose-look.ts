/** What the stills and the player agree on: colours and the side that is looked at. */
import { measureBox } from '@isoskin/core/mesh';
import type { ReportPart } from './bake-report-data.js';

/** Share of the light that white gives back: all of it would drown its own shading. */
const LIGHTEST = 0.75;

/** The light that every part gives back, linear; undefined, which is clay, where its picture cannot be shown and where no part says what it looks like. */
export function chooseColors(
  parts: readonly ReportPart[],
  isShown: (texture: number) => boolean,
): (readonly number[] | undefined)[] {
  const isHidden = ({ texture }: ReportPart) => texture !== undefined && !isShown(texture);
  const says = (part: ReportPart) =>
    (part.texture !== undefined && !isHidden(part)) || part.colors || part.color.some((c) => c !== 1);
  const isClay = !parts.some(says);
  return parts.map((part) => (isClay || isHidden(part) ? undefined : part.color.slice(0, 3).map((c) => LIGHTEST * c)));
}

/** From the front and a little above, and from the side of the body that the region is on. A unit vector. */
export function chooseEye(focus: readonly number[], positions: ArrayLike<number>): [number, number, number] {
  const box = measureBox(positions);
  const size = Math.max(...[0, 1, 2].map((r) => box[r + 3]! - box[r]!)) || 1;
  const out = [0.25, 0.3, 0.8].map(
    (front, r) => front + (3 * ((focus[r]! + focus[r + 3]!) / 2 - (box[r]! + box[r + 3]!) / 2)) / size,
  );
  out[1] = Math.max(-0.6, Math.min(0.6, out[1]!));
  const length = Math.hypot(out[0]!, out[1]!, out[2]!) || 1;
  return [out[0]! / length, out[1]! / length, out[2]! / length];
}
