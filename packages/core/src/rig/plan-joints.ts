/**
 * Joints along the branches of a body: where branches meet, where they bend, and where a bone would be too long.
 *
 * What lies between two meetings is the spine; what leads from the last meeting of a branch to its tip is a limb. A limb has a joint where it begins, one at every
 * bend, at least one between its ends, and one at its tip.
 */
import type { Branch, Point } from './plan-branches.js';

export interface Joint {
  readonly point: Point;
  /** −1 for the root. */
  readonly parent: number;
  /** Limb that it belongs to, or −1: the spine. */
  readonly limb: number;
  /** Radius of the body where branches meet, mean radius of a limb. */
  readonly radius: number;
}

/** A curve bends where it is this share of its length, and of the size, away from the straight line. */
const BEND = 0.08;
const LEAST_BEND = 0.015;
/** A bone is no longer than this share of the size. */
const LONGEST = 0.15;

/** @param size diagonal of the body */
export function planJoints(branches: readonly Branch[], size: number): Joint[] {
  const joints: Joint[] = [];
  let limb = 0;
  const add = (point: Point, parent: number, of: number, radius: number): number =>
    joints.push({ point, parent, limb: of, radius }) - 1;
  /** Joints along points, on from `parent`; the last one stands at the last point. */
  const addChain = (points: readonly Point[], parent: number, of: number, radius: number): number => {
    let last = parent;
    for (const point of splitChain(points, size, of < 0 ? 1 : 2)) last = add(point, last, of, radius);
    return last;
  };
  const grow = (b: number, parent: number): void => {
    const { points, radii } = branches[b]!;
    const children = branches.flatMap(({ elder, at }, c) => (elder === b ? [{ at, c }] : []));
    children.sort((one, other) => one.at - other.at);
    let node = parent;
    let from = 0;
    for (let n = 0; n < children.length; ) {
      // Meetings that are closer to each other than the body is wide there are one.
      const first = children[n]!.at;
      let end = n + 1;
      while (end < children.length && distance(points[first]!, points[children[end]!.at]!) < radii[first]!) end++;
      const at = Math.round((first + children[end - 1]!.at) / 2);
      // What meets a branch at its very beginning meets its elder.
      const isNear =
        node >= 0 &&
        (at < 2 || distance(points[at]!, joints[node]!.point) < Math.max(radii[at]!, joints[node]!.radius));
      if (!isNear) {
        const way = points.slice(from, at + 1);
        node =
          node < 0
            ? add(points[at]!, -1, -1, radii[at]!)
            : addChain([joints[node]!.point, ...way], node, -1, radii[at]!);
      }
      for (const { c } of children.slice(n, end)) grow(c, node);
      from = children[end - 1]!.at + 1;
      n = end;
    }
    if (node < 0) node = add(points[0]!, -1, -1, radii[0]!);
    // The limb itself begins where it has come out of the body.
    const start = points.findIndex(
      (point, i) => i >= from && distance(point, joints[node]!.point) > Math.min(0.5 * radii[i]!, 0.1 * size),
    );
    const rest = points.slice(start < 0 ? from : start);
    if (rest.length < 2) return;
    const width = radii.slice(-rest.length).reduce((sum, one) => sum + one, 0) / rest.length;
    addChain(rest, add(rest[0]!, node, limb, width), limb, width);
    limb++;
  };
  grow(
    branches.findIndex(({ elder }) => elder < 0),
    -1,
  );
  return joints;
}

/** Points that cut a curve into bones, without its first: its bends, and what else it takes to have `least` of them and none too long. */
function splitChain(points: readonly Point[], size: number, least: number): Point[] {
  const smooth = points.map((point, i) =>
    i === 0 || i === points.length - 1 ? point : mean(points.slice(i - 1, i + 2)),
  );
  const bends = findBends(smooth, 0, smooth.length - 1, LEAST_BEND * size);
  const out: Point[] = [];
  bends.slice(1).forEach((end, n) => {
    const piece = smooth.slice(bends[n], end + 1);
    const pieces = Math.max(Math.ceil(measureLength(piece) / (LONGEST * size) - 0.5), bends.length === 2 ? least : 1);
    for (let k = 1; k <= pieces; k++) out.push(pointAlong(piece, k / pieces));
  });
  return out;
}

/** Both ends, and between them where the curve is farthest from the chord, if it bends there. */
function findBends(points: readonly Point[], from: number, to: number, least: number): number[] {
  const [a, b] = [points[from]!, points[to]!];
  const chord = distance(a, b);
  let most = Math.max(BEND * chord, least);
  let bend = -1;
  for (let i = from + 1; i < to; i++) {
    const away = distanceToLine(points[i]!, a, b);
    if (away <= most) continue;
    most = away;
    bend = i;
  }
  if (bend < 0) return [from, to];
  return [...findBends(points, from, bend, least), ...findBends(points, bend, to, least).slice(1)];
}

export function distance(a: Point, b: Point): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

function distanceToLine(point: Point, a: Point, b: Point): number {
  const chord = distance(a, b);
  if (chord === 0) return distance(point, a);
  const along = [0, 1, 2].reduce((sum, r) => sum + (point[r]! - a[r]!) * (b[r]! - a[r]!), 0) / chord;
  return Math.sqrt(Math.max(0, distance(point, a) ** 2 - along ** 2));
}

function mean(points: readonly Point[]): Point {
  const [x, y, z] = [0, 1, 2].map((r) => points.reduce((sum, point) => sum + point[r]!, 0) / points.length);
  return [x!, y!, z!];
}

function measureLength(points: readonly Point[]): number {
  return points.slice(1).reduce((sum, point, n) => sum + distance(points[n]!, point), 0);
}

function pointAlong(points: readonly Point[], share: number): Point {
  let left = share * measureLength(points);
  for (let n = 1; n < points.length; n++) {
    const [a, b] = [points[n - 1]!, points[n]!];
    const length = distance(a, b);
    if (left <= length && length > 0) {
      const [x, y, z] = [0, 1, 2].map((r) => a[r]! + (left / length) * (b[r]! - a[r]!));
      return [x!, y!, z!];
    }
    left -= length;
  }
  return points.at(-1)!;
}
