/**
 * The other side of a body: which joint is opposite to which, by their names, and what a turn of one is for the other.
 *
 *   D = W t W⁻¹,   D' = D mirrored in the plane between both joints,   t' = W'⁻¹ D' W'
 *
 * t, t'  turns in the frames of the joints;  W, W'  their rotations at rest;  a rotation (x, y, z, w) mirrored along the axis e keeps w and its
 * component along e, and turns the others round.
 */
import type { CharacterFacts, JointFacts } from '../engine/protocol.js';
import type { Quaternion } from './studio-document.js';

type Facts = Pick<CharacterFacts, 'joints' | 'restNodes'>;

/** Left ↔ right, as Mixamo, VRM, Rigify, Unreal, Biped and people write it. */
const SIDES: readonly (readonly [RegExp, string])[] = [
  [/left/i, 'right'],
  [/right/i, 'left'],
  [/(^|[\W_])l(?=$|[\W_])/i, 'r'],
  [/(^|[\W_])r(?=$|[\W_])/i, 'l'],
];

/** The joint opposite to one; undefined for what lies in the middle. */
export function findOpposite(joints: readonly JointFacts[], node: number): JointFacts | undefined {
  const name = joints.find((joint) => joint.node === node)?.name;
  if (name === undefined) return undefined;
  for (const [side, other] of SIDES) {
    const swapped = name.replace(side, (found: string) => matchCase(found, other));
    const opposite = swapped === name ? undefined : joints.find((joint) => joint.name === swapped);
    if (opposite) return opposite;
  }
  return undefined;
}

/** “.L” → “.R”, “Left” → “Right”: what stands before the letter stays. */
function matchCase(found: string, other: string): string {
  const letters = other.length === 1 ? found.slice(-1) : found;
  const before = found.slice(0, found.length - letters.length);
  if (letters === letters.toUpperCase()) return before + other.toUpperCase();
  return (
    before +
    (letters.charAt(0) === letters.charAt(0).toUpperCase() ? other.charAt(0).toUpperCase() : other.charAt(0)) +
    other.slice(1)
  );
}

export function mirrorTurn({ restNodes }: Facts, from: number, to: number, turn: Quaternion): Quaternion {
  const [own, other] = [readRotation(restNodes, from), readRotation(restNodes, to)];
  const apart = [12, 13, 14].map((k) => Math.abs(restNodes[16 * from + k]! - restNodes[16 * to + k]!));
  const axis = apart.indexOf(Math.max(...apart));
  const world = multiply(multiply(own, turn), invert(own));
  const mirrored = world.map((x, k) => (k === axis || k === 3 ? x : -x)) as unknown as Quaternion;
  return multiply(multiply(invert(other), mirrored), other);
}

/** Rotation of a 4×4 by columns, whatever it scales by. */
function readRotation(nodes: Float32Array, node: number): Quaternion {
  const column = (c: number) => {
    const own = nodes.subarray(16 * node + 4 * c, 16 * node + 4 * c + 3);
    const length = Math.hypot(...own) || 1;
    return Array.from(own, (x) => x / length);
  };
  const [[a, b, c], [d, e, f], [g, h, i]] = [column(0), column(1), column(2)] as [number[], number[], number[]];
  // The largest of the four is found without a difference of large numbers.
  const squares = [1 + a! - e! - i!, 1 - a! + e! - i!, 1 - a! - e! + i!, 1 + a! + e! + i!];
  const most = squares.indexOf(Math.max(...squares));
  const raw = [
    [squares[0]!, b! + d!, g! + c!, f! - h!],
    [b! + d!, squares[1]!, f! + h!, g! - c!],
    [g! + c!, f! + h!, squares[2]!, b! - d!],
    [f! - h!, g! - c!, b! - d!, squares[3]!],
  ][most]!;
  const length = Math.hypot(...raw) || 1;
  return raw.map((x) => x / length) as unknown as Quaternion;
}

function invert([x, y, z, w]: Quaternion): Quaternion {
  return [-x, -y, -z, w];
}

function multiply([ax, ay, az, aw]: Quaternion, [bx, by, bz, bw]: Quaternion): Quaternion {
  return [
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz,
  ];
}
