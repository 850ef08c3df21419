/**
 * Names for joints, by symmetry and shape; joints on both sides of a symmetric body become mirror images of each other.
 *
 * The plane of symmetry is the one through the middle, across x or z, that mirrors most of the inside onto itself. y is up; a body that is symmetric across x looks
 * along +z, as glTF wants it, so that its left is +x; one that is symmetric across z looks to where its head is.
 *
 *   head  the highest limb in the plane      tail, limb  others there
 *   leg   a pair that stands on the ground (fore and hind where there are two)      arm  the longest other pair      ear  pairs further up or shorter
 *   finger  limbs of a body without symmetry, if there are five or more and one of them is clearly the widest: the wrist
 */
import type { Point } from './plan-branches.js';
import type { Interior } from './plan-interior.js';
import { distance, type Joint } from './plan-joints.js';

/** Share of the inside that lies on its mirror image, at least. */
const SYMMETRIC = 0.85;
/** Share of the size within which two tips are each other's mirror image, or a tip lies in the plane. */
const SAME = 0.06;
/** Share of the height within which a tip stands on the ground. */
const GROUND = 0.12;
/** A wrist is this many times as wide as a finger. */
const WIDER = 1.3;

interface Limb {
  /** Joints from the body to the tip. */
  readonly joints: readonly number[];
  readonly tip: Point;
  readonly length: number;
  readonly radius: number;
}

/** Names and, of a symmetric body, places that are symmetric too. */
export function nameLimbs(
  planned: readonly Joint[],
  interior: Interior,
  size: number,
): { names: string[]; points: Point[] } {
  const plane = findPlane(interior);
  const joints = plane
    ? adoptArms(planned, ({ point }) => Math.abs(point[plane.axis]! - plane.at) > SAME * size)
    : planned;
  const points = joints.map(({ point }) => point);
  const limbs = listLimbs(joints);
  const names = joints.map(() => '');
  joints.forEach(({ limb, parent }, j) => {
    if (limb < 0)
      names[j] =
        parent < 0 ? (plane ? 'hips' : 'root') : `spine.${joints.slice(0, j).filter((one) => one.limb < 0).length}`;
  });
  const give = (limb: Limb, name: string): void =>
    limb.joints.forEach((j, n) => void (names[j] = n + 1 < limb.joints.length ? `${name}.${n + 1}` : `${name}.tip`));
  const count = new Map<string, number>();
  const unique = (name: string): string => {
    const n = (count.get(name) ?? 0) + 1;
    count.set(name, n);
    return n > 1 ? `${name} ${n}` : name;
  };
  if (!plane) {
    const byWidth = [...limbs].sort((a, b) => b.radius - a.radius);
    const isHand = limbs.length > 4 && byWidth[0]!.radius > WIDER * byWidth[1]!.radius;
    if (isHand) give(byWidth[0]!, 'wrist');
    const others = isHand ? limbs.filter((limb) => limb !== byWidth[0]) : limbs;
    others.forEach((limb, n) => void give(limb, `${isHand ? 'finger' : 'limb'} ${n + 1}`));
    return { names, points };
  }
  const mirror = (point: Point): Point => {
    const out: [number, number, number] = [...point];
    out[plane.axis] = 2 * plane.at - point[plane.axis]!;
    return out;
  };
  const { pairs, middle } = sortLimbs(limbs, mirror, SAME * size);
  const [low, high] = measureHeights(points);
  const root = points[0]!;
  const forward = plane.axis === 0 ? 2 : 0;
  const head = [...middle].sort((a, b) => b.tip[1] - a.tip[1])[0];
  const ahead = plane.axis === 0 || !head || head.tip[forward]! >= root[forward]! ? 1 : -1;
  for (const limb of middle) {
    const isBehind = ahead * (limb.tip[forward]! - root[forward]!) < 0;
    give(limb, unique(limb === head && !isBehind ? 'head' : isBehind ? 'tail' : 'limb'));
  }
  const standing = pairs.filter(([{ tip }]) => tip[1] < low + GROUND * (high - low));
  const others = pairs.filter((pair) => !standing.includes(pair)).sort(([a], [b]) => b.length - a.length);
  standing.sort(([a], [b]) => ahead * (b.tip[forward]! - a.tip[forward]!));
  const legs = standing.length === 2 ? ['fore', 'hind'] : standing.map(() => 'leg');
  // Left is up × ahead: +x of a body that looks along +z.
  const left = plane.axis === 0 ? 1 : -ahead;
  const name = (pair: readonly [Limb, Limb], kind: string): void => {
    const word = unique(kind);
    for (const limb of pair) give(limb, `${word}.${left * (limb.tip[plane.axis]! - plane.at) > 0 ? 'L' : 'R'}`);
    mirrorPair(points, pair, mirror);
  };
  standing.forEach((pair, n) => void name(pair, legs[n]!));
  others.forEach((pair, n) => void name(pair, n === 0 && standing.length < 2 ? 'arm' : 'ear'));
  for (const j of [
    ...middle.flatMap((limb) => limb.joints),
    ...joints.flatMap(({ limb }, j) => (limb < 0 ? [j] : [])),
  ]) {
    points[j] = midpoint(points[j]!, mirror(points[j]!));
  }
  const single = limbs.filter((limb) => !middle.includes(limb) && !pairs.flat().includes(limb));
  for (const limb of single) give(limb, unique('limb'));
  return { names, points };
}

/** What leads to a limb away from the plane is part of it: an arm that ends in fingers is no spine. */
function adoptArms(joints: readonly Joint[], isAway: (joint: Joint) => boolean): Joint[] {
  const out = [...joints];
  // A child comes after its parent; the last limb beyond a joint is the one that its branch ends in.
  for (let j = joints.length - 1; j > 0; j--) {
    const { parent, limb } = out[j]!;
    const above = out[parent]!;
    if (limb >= 0 && above.limb < 0 && above.parent >= 0 && isAway(above)) out[parent] = { ...above, limb };
  }
  return out;
}

function listLimbs(joints: readonly Joint[]): Limb[] {
  const lists: number[][] = [];
  joints.forEach(({ limb }, j) => {
    if (limb >= 0) (lists[limb] ??= []).push(j);
  });
  return lists.map((list) => ({
    joints: list,
    tip: joints[list.at(-1)!]!.point,
    radius: joints[list.at(-1)!]!.radius,
    length: list.slice(1).reduce((sum, j, n) => sum + distance(joints[j]!.point, joints[list[n]!]!.point), 0),
  }));
}

function findPlane({ inside, shape, origin, h, count }: Interior): { axis: 0 | 2; at: number } | undefined {
  const [nx, ny, nz] = shape;
  const found = ([0, 2] as const).map((axis) => {
    const indexOf = (i: number) => (axis === 0 ? i % nx : Math.floor(i / (nx * ny)));
    let sum = 0;
    inside.forEach((one, i) => void (sum += one * indexOf(i)));
    const twice = Math.round((2 * sum) / count);
    const stride = axis === 0 ? 1 : nx * ny;
    let same = 0;
    inside.forEach((one, i) => {
      const other = twice - indexOf(i);
      if (one && other >= 0 && other < (axis === 0 ? nx : nz)) same += inside[i + stride * (other - indexOf(i))]!;
    });
    return { axis, at: origin[axis] + (h * twice) / 2, share: same / count };
  });
  const best = found[0]!.share >= found[1]!.share ? found[0]! : found[1]!;
  return best.share >= SYMMETRIC ? best : undefined;
}

function sortLimbs(limbs: readonly Limb[], mirror: (point: Point) => Point, same: number) {
  const middle: Limb[] = [];
  const pairs: [Limb, Limb][] = [];
  const left = new Set(limbs);
  for (const limb of limbs) {
    if (!left.has(limb)) continue;
    const image = mirror(limb.tip);
    const partner = limbs
      .filter((other) => other !== limb && left.has(other) && distance(other.tip, image) < same)
      .sort((a, b) => distance(a.tip, image) - distance(b.tip, image))[0];
    if (
      distance(limb.tip, image) < 2 * same &&
      !(partner && distance(partner.tip, image) < distance(limb.tip, image))
    ) {
      middle.push(limb);
      left.delete(limb);
    } else if (partner) {
      pairs.push([limb, partner]);
      left.delete(limb);
      left.delete(partner);
    }
  }
  return { pairs, middle };
}

/** Both limbs become the mean of themselves and the other's mirror image, where they have as many joints. */
function mirrorPair(points: Point[], [a, b]: readonly [Limb, Limb], mirror: (point: Point) => Point): void {
  if (a.joints.length !== b.joints.length) return;
  a.joints.forEach((j, n) => {
    const k = b.joints[n]!;
    points[j] = midpoint(points[j]!, mirror(points[k]!));
    points[k] = mirror(points[j]!);
  });
}

function midpoint(a: Point, b: Point): Point {
  return [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2];
}

function measureHeights(points: readonly Point[]): [number, number] {
  const heights = points.map(([, y]) => y);
  return [Math.min(...heights), Math.max(...heights)];
}
