/**
 * Normals that a player shows, against the core's on the vertices of the file: n = a N + b T + c N×T, as the runtime for three.js draws them.
 * An independent reading of the baked bytes: accessors, weights and blends, without any code of the fit.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createFrameSource, createPose, frameTimes, planBody, samplePose } from '@isoskin/core';
import { createDemo } from '@isoskin/demos';
import { bakeCharacter, planSourceSkin, type ReadResult, readCharacterFromBytes, writeCharacter } from '@isoskin/gltf';
import { readCharacter } from '@isoskin/gltf/node';
import { describe, expect, it } from 'vitest';

type Vector = [number, number, number];
const dot = (a: Vector, b: Vector) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const unit = (a: Vector): Vector => {
  const length = Math.hypot(...a) || 1;
  return [a[0] / length, a[1] / length, a[2] / length];
};
const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const at = (x: ArrayLike<number>, i: number): Vector => [x[3 * i]!, x[3 * i + 1]!, x[3 * i + 2]!];
const sum = (a: Vector, b: Vector, f: number): Vector => [a[0] + f * b[0], a[1] + f * b[1], a[2] + f * b[2]];

function readVectors(accessor: { getCount(): number; getElement(i: number, out: number[]): number[] }): Vector[] {
  return Array.from({ length: accessor.getCount() }, (_, i) => accessor.getElement(i, []) as Vector);
}

/** The neighbour across the normal that is farthest, and the frame of a vertex that it gives. */
function planFrames({ character: { surface } }: ReadResult, normals: ArrayLike<number>) {
  const { triangles, positions, vertexCount } = surface;
  const far = Int32Array.from({ length: vertexCount }, (_, v) => v);
  const longest = new Float64Array(vertexCount);
  for (let t = 0; t < triangles.length; t++) {
    const i = triangles[t]!;
    for (const j of triangles.subarray(t - (t % 3), t - (t % 3) + 3)) {
      const edge = sum(at(positions, j), at(positions, i), -1);
      const length = Math.hypot(...sum(edge, at(normals, i), -dot(edge, at(normals, i))));
      if (length > longest[i]!) [longest[i], far[i]] = [length, j];
    }
  }
  return (N: ArrayLike<number>, x: ArrayLike<number>, v: number): [Vector, Vector, Vector] => {
    const normal = at(N, v);
    const edge = sum(at(x, far[v]!), at(x, v), -1);
    const T = unit(sum(edge, normal, -dot(edge, normal)));
    return [normal, T, cross(normal, T)];
  };
}

/** Angles in degrees, sorted: as baked, and as plain skinning shows the corrected surface. */
async function measureNormals(read: ReadResult, fps: number) {
  const { character } = read;
  const result = await bakeCharacter(read);
  const baked = await read.reopen(result.glb);
  const stack = createFrameSource(planBody(character));
  const player = planSourceSkin(baked);
  const pose = createPose(baked.character);
  const [points, blends] = [new Float64Array(3 * player.pointCount), new Float64Array(9 * player.pointCount)];
  const rest = restNormals(read);
  const frameOf = planFrames(read, rest);
  const parts = baked.character.parts.flatMap((part, p) => {
    const { primitive } = baked.sources[p]!;
    const base = primitive.getAttribute('NORMAL');
    if (!base) return [];
    const targets = primitive.listTargets().map((target) => readVectors(target.getAttribute('NORMAL')!));
    const first = baked.character.morphs.findIndex(({ group }) => group === part.group);
    const mirror = part.scale < 0 ? -1 : 1;
    return [{ base: readVectors(base), targets, first, mirror, welded: part.welded, own: player.partPoints[p]! }];
  });
  const angles: { baked: number[]; plain: number[] } = { baked: [], plain: [] };
  for (const [c, clip] of character.clips.entries()) {
    for (const time of frameTimes(clip, fps)) {
      samplePose(pose, baked.character, baked.character.clips[c], time);
      player.apply(points, blends, pose);
      const { normals, positions } = stack.seek(clip, time);
      for (const { base, targets, first, mirror, welded, own } of parts) {
        base.forEach((given, v) => {
          const stands = frameOf(rest, character.surface.positions, welded[v]!).map(
            (axis) => mirror * dot(given, axis),
          );
          const frame = frameOf(normals, positions, welded[v]!);
          const goal = frame.reduce<Vector>((out, axis, r) => sum(out, axis, stands[r]!), [0, 0, 0]);
          const skin = (n: Vector): Vector =>
            [0, 1, 2].map((r) => [0, 1, 2].reduce((x, k) => x + blends[9 * own[v]! + 3 * k + r]! * n[k]!, 0)) as Vector;
          const morphed = targets.reduce((n, target, k) => sum(n, target[v]!, pose.morphWeights[first + k]!), given);
          for (const [kind, n] of [['baked', skin(morphed)] as const, ['plain', skin(given)] as const]) {
            const cosine = dot(unit(n), unit(goal));
            angles[kind].push((180 / Math.PI) * Math.acos(Math.max(-1, Math.min(1, cosine))));
          }
        });
      }
    }
  }
  const percentile = (list: number[]) => list.sort((a, b) => a - b)[Math.floor(0.99 * list.length)]!;
  return { baked: percentile(angles.baked), plain: percentile(angles.plain), targets: result.targets };
}

/** Area-weighted unit normals of the rest surface. */
function restNormals({ character: { surface } }: ReadResult): Float64Array {
  const { triangles, positions, vertexCount } = surface;
  const out = new Float64Array(3 * vertexCount);
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => at(positions, triangles[t + k]!)) as [Vector, Vector, Vector];
    const area = cross(sum(b, a, -1), sum(c, a, -1));
    for (let k = 0; k < 3; k++) for (let r = 0; r < 3; r++) out[3 * triangles[t + k]! + r]! += area[r]!;
  }
  for (let v = 0; v < vertexCount; v++) out.set(unit(at(out, v)), 3 * v);
  return out;
}

describe('baked normals', () => {
  it.each(['tube', 'finger', 'toy', 'elephant'])(
    '%s: within 5° of the core’s at the 99th percentile, with few targets of normals alone',
    async (name) => {
      const { baked, plain, targets } = await measureNormals(
        await readCharacterFromBytes(await writeCharacter(createDemo(name))),
        7,
      );
      expect(plain).toBeGreaterThan(20);
      expect(baked).toBeLessThan(5);
      for (const { count, turns } of targets) expect(turns).toBeLessThan(count / 2);
    },
    180_000,
  );

  const folder = fileURLToPath(new URL('../../../../../shared/models/', import.meta.url));
  it
    .skipIf(!existsSync(folder))
    .each(['RiggedFigure.glb', 'CesiumMan.glb', 'Ghost.glb', 'RobotExpressive.glb', 'aframe_leftHand.glb'])(
    '%s: within 5° at the 99th percentile (skipped without ../shared/models)',
    async (name) => {
      const { baked, plain } = await measureNormals(await readCharacter(`${folder}${name}`), 5);
      expect(plain).toBeGreaterThan(20);
      expect(baked).toBeLessThan(5);
    },
    120_000,
  );
});
