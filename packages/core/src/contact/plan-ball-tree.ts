/**
 * Balls around points that lie together at rest, a binary tree per component, and the pairs of leaves that come near each other.
 *
 * Leaves hold up to LEAF points, numbered in a row; a node's children stand behind it. Balls are measured anew in every frame,
 * O(#S); the search for near leaves goes down two trees at once.
 */
import { measureLength } from '../mesh/measure-length.js';

export interface BallTree {
  readonly nodeCount: number;
  /** Points of node n: starts[n] … ends[n] − 1. */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  /** Second child (the first is n + 1), 0 for a leaf. */
  readonly seconds: Uint32Array;
  /** Roots of the components. */
  readonly roots: Uint32Array;
  /** Centre and radius of every node in this frame, ×4. */
  readonly balls: Float64Array;
  /** Nodes still to be looked at, in pairs. */
  readonly stack: Uint32Array;
}

/** Few enough that most pairs of a near leaf are near, enough that the tree is small. */
const LEAF = 16;

/** The tree, and the order in which it numbers the points. */
export function planBallTree(vertices: Uint32Array, x: Float64Array, groups: Uint32Array) {
  const order = Uint32Array.from(vertices.keys());
  const starts: number[] = [];
  const ends: number[] = [];
  const seconds: number[] = [];
  const split = (from: number, to: number): void => {
    const node = starts.length;
    starts.push(from);
    ends.push(to);
    seconds.push(0);
    if (to - from <= LEAF) return;
    const list = order.subarray(from, to);
    const axis = findLongestSide(list, vertices, x);
    list.sort((a, b) => x[3 * vertices[a]! + axis]! - x[3 * vertices[b]! + axis]! || a - b);
    const middle = (from + to) >> 1;
    split(from, middle);
    seconds[node] = starts.length;
    split(middle, to);
  };
  order.sort((a, b) => groups[vertices[a]!]! - groups[vertices[b]!]! || a - b);
  const roots: number[] = [];
  for (let from = 0, to = 0; from < order.length; from = to) {
    while (to < order.length && groups[vertices[order[to]!]!] === groups[vertices[order[from]!]!]) to++;
    roots.push(starts.length);
    split(from, to);
  }
  const nodeCount = starts.length;
  const tree: BallTree = {
    nodeCount,
    starts: Uint32Array.from(starts),
    ends: Uint32Array.from(ends),
    seconds: Uint32Array.from(seconds),
    roots: Uint32Array.from(roots),
    balls: new Float64Array(4 * nodeCount),
    stack: new Uint32Array(1024),
  };
  return { tree, order };
}

function findLongestSide(list: Uint32Array, vertices: Uint32Array, x: Float64Array): number {
  let best = 0;
  let longest = -1;
  for (let r = 0; r < 3; r++) {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (const s of list) {
      low = Math.min(low, x[3 * vertices[s]! + r]!);
      high = Math.max(high, x[3 * vertices[s]! + r]!);
    }
    if (high - low > longest) [best, longest] = [r, high - low];
  }
  return best;
}

/** Balls of all nodes around the points (#S×3): of leaves around their mean, of others around their children's balls. */
export function measureBalls({ nodeCount, starts, ends, seconds, balls }: BallTree, points: Float64Array): void {
  for (let n = nodeCount - 1; n >= 0; n--) {
    if (seconds[n] === 0) {
      const from = 3 * starts[n]!;
      const to = 3 * ends[n]!;
      let x = 0;
      let y = 0;
      let z = 0;
      for (let i = from; i < to; i += 3) {
        x += points[i]!;
        y += points[i + 1]!;
        z += points[i + 2]!;
      }
      const share = 3 / (to - from);
      x *= share;
      y *= share;
      z *= share;
      let far = 0;
      for (let i = from; i < to; i += 3) {
        const dx = points[i]! - x;
        const dy = points[i + 1]! - y;
        const dz = points[i + 2]! - z;
        const square = dx * dx + dy * dy + dz * dz;
        if (square > far) far = square;
      }
      balls[4 * n] = x;
      balls[4 * n + 1] = y;
      balls[4 * n + 2] = z;
      balls[4 * n + 3] = Math.sqrt(far);
    } else {
      const a = 4 * n + 4;
      const b = 4 * seconds[n]!;
      const x = 0.5 * (balls[a]! + balls[b]!);
      const y = 0.5 * (balls[a + 1]! + balls[b + 1]!);
      const z = 0.5 * (balls[a + 2]! + balls[b + 2]!);
      const half = Math.sqrt((balls[a]! - x) ** 2 + (balls[a + 1]! - y) ** 2 + (balls[a + 2]! - z) ** 2);
      balls[4 * n] = x;
      balls[4 * n + 1] = y;
      balls[4 * n + 2] = z;
      balls[4 * n + 3] = half + Math.max(balls[a + 3]!, balls[b + 3]!);
    }
  }
}

/**
 * Calls `visit` with every pair of leaves whose balls, widened by the lesser of their reaches, meet.
 * @param reaches of every node: the largest of its points'
 * @param from pairs of nodes to go down from; default: every component with itself
 * @param far is called with the pairs at which the search ends because they do not meet: between them and the visited leaves lies every pair
 */
export function visitNearLeaves(
  tree: BallTree,
  reaches: Float64Array,
  visit: (a: number, b: number) => void,
  from: ArrayLike<number> = [...tree.roots].flatMap((root) => [root, root]),
  far?: (a: number, b: number) => void,
): void {
  const { seconds, balls, stack } = tree;
  for (let i = 0; i < from.length; i += 2) {
    let size = push(stack, 0, from[i]!, from[i + 1]!);
    while (size > 0) {
      const b = stack[--size]!;
      const a = stack[--size]!;
      if (!reachEachOther(tree, reaches, a, b)) {
        far?.(a, b);
        continue;
      }
      const secondA = seconds[a]!;
      const secondB = seconds[b]!;
      if (secondA === 0 && secondB === 0) visit(a, b);
      else if (a === b) {
        size = push(stack, size, a + 1, a + 1);
        size = push(stack, size, secondA, secondA);
        size = push(stack, size, a + 1, secondA);
      } else if (secondB === 0 || (secondA !== 0 && balls[4 * a + 3]! > balls[4 * b + 3]!)) {
        size = push(stack, size, a + 1, b);
        size = push(stack, size, secondA, b);
      } else {
        size = push(stack, size, a, b + 1);
        size = push(stack, size, a, secondB);
      }
    }
  }
}

/** Whether the balls of two nodes, widened by the lesser of their reaches, meet. */
function reachEachOther({ balls }: BallTree, reaches: Float64Array, a: number, b: number): boolean {
  const reach = balls[4 * a + 3]! + balls[4 * b + 3]! + Math.min(reaches[a]!, reaches[b]!);
  const dx = balls[4 * a]! - balls[4 * b]!;
  const dy = balls[4 * a + 1]! - balls[4 * b + 1]!;
  const dz = balls[4 * a + 2]! - balls[4 * b + 2]!;
  return dx * dx + dy * dy + dz * dz <= reach * reach;
}

/** Depth first, three pairs at most per level of two trees: 1 024 numbers are enough for 2⁸⁰ points. */
function push(stack: Uint32Array, size: number, a: number, b: number): number {
  stack[size] = a;
  stack[size + 1] = b;
  return size + 2;
}

/** The point nearest to (x, y, z), with balls that fit; −1 of none. */
export function findNearestPoint(tree: BallTree, points: Float64Array, x: number, y: number, z: number): number {
  const { roots, starts, ends, seconds, balls, stack } = tree;
  let best = -1;
  let least = Number.POSITIVE_INFINITY;
  let size = 0;
  for (let c = 0; c < roots.length; c++) {
    stack[size++] = roots[c]!;
    while (size > 0) {
      const n = stack[--size]!;
      const far = measureLength(balls[4 * n]! - x, balls[4 * n + 1]! - y, balls[4 * n + 2]! - z);
      if (far - balls[4 * n + 3]! > least) continue;
      if (seconds[n] !== 0) {
        stack[size++] = n + 1;
        stack[size++] = seconds[n]!;
        continue;
      }
      for (let i = starts[n]!; i < ends[n]!; i++) {
        const distance = measureLength(points[3 * i]! - x, points[3 * i + 1]! - y, points[3 * i + 2]! - z);
        if (distance < least) [best, least] = [i, distance];
      }
    }
  }
  return best;
}
