/**
 * Normals that a player shows, before it skins them: the file's own, turned as far as the targets turn the rest surface. An independent reading of the
 * baked bytes: accessors, weights and the surface that the pushed vertices make.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createPose, frameTimes, samplePose } from '@isoskin/core';
import { createDemo } from '@isoskin/demos';
import { bakeCharacter, type ReadResult, readCharacterFromBytes, writeCharacter } from '@isoskin/gltf';
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
const ZERO: Vector = [0, 0, 0];
const at = (x: ArrayLike<number>, i: number): Vector => [x[3 * i]!, x[3 * i + 1]!, x[3 * i + 2]!];
const sum = (a: Vector, b: Vector, f: number): Vector => [a[0] + f * b[0], a[1] + f * b[1], a[2] + f * b[2]];

function readVectors(accessor: { getCount(): number; getElement(i: number, out: number[]): number[] }): Vector[] {
  return Array.from({ length: accessor.getCount() }, (_, i) => accessor.getElement(i, []) as Vector);
}

/** Area-weighted unit normals. */
function measureNormals(triangles: Uint32Array, x: ArrayLike<number>): Vector[] {
  const out = Array.from({ length: x.length / 3 }, (): Vector => [0, 0, 0]);
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [triangles[t]!, triangles[t + 1]!, triangles[t + 2]!];
    const area = cross(sum(at(x, b), at(x, a), -1), sum(at(x, c), at(x, a), -1));
    for (const k of [a, b, c]) out[k] = sum(out[k]!, area, 1);
  }
  return out.map(unit);
}

/** n turned by the shortest rotation from `from` to `to`. */
function turn(n: Vector, from: Vector, to: Vector): Vector {
  const c = cross(from, to);
  const cn = cross(c, n);
  return sum(sum(n, cn, 1), cross(c, cn), 1 / (1 + dot(from, to)));
}

/** Angles in degrees, 99th percentile: of what the targets make of the normals, and of the file's own, to those that turn with the pushed rest surface. */
async function measureAngles(read: ReadResult, fps: number) {
  const result = await bakeCharacter(read);
  const baked = await read.reopen(result.glb);
  const { character } = baked;
  const { surface } = character;
  const pose = createPose(character);
  const rest = measureNormals(surface.triangles, surface.positions);
  const areaOf = (x: ArrayLike<number>, t: number): Vector => {
    const [a, b, c] = [0, 1, 2].map((i) => at(x, surface.triangles[t + i]!)) as [Vector, Vector, Vector];
    return cross(sum(b, a, -1), sum(c, a, -1));
  };
  const fans = Array.from(rest, (): number[] => []);
  surface.triangles.forEach((k, c) => void fans[k]!.push(c - (c % 3)));
  /** Triangles around k whose normal is `n`, to 2°. */
  const findFacet = (k: number, n: Vector): number[] =>
    fans[k]!.filter((t) => dot(unit(areaOf(surface.positions, t)), unit(n)) > Math.cos((2 * Math.PI) / 180));
  const parts = character.parts.flatMap((part, p) => {
    const { primitive } = baked.sources[p]!;
    const base = primitive.getAttribute('NORMAL');
    if (!base) return [];
    const first = character.morphs.findIndex(({ group }) => group === part.group);
    const read = (semantic: string) =>
      primitive.listTargets().map((target) => readVectors(target.getAttribute(semantic)!));
    return [{ part, base: readVectors(base), first, moves: read('POSITION'), turns: read('NORMAL') }];
  });
  const angles: { baked: number[]; plain: number[] } = { baked: [], plain: [] };
  for (const clip of character.clips) {
    for (const time of frameTimes(clip, fps)) {
      samplePose(pose, character, clip, time);
      const blend = (own: Vector, list: readonly Vector[][], first: number, v: number) =>
        list.reduce((n, target, k) => sum(n, target[v]!, pose.morphWeights[first + k]!), own);
      const pushed = surface.positions.slice();
      for (const { part, first, moves } of parts) {
        part.welded.forEach((k, v) => {
          pushed.set(sum(at(surface.positions, k), blend([0, 0, 0], moves, first, v), part.scale), 3 * k);
        });
      }
      const now = measureNormals(surface.triangles, pushed);
      for (const { part, base, first, turns } of parts) {
        part.welded.forEach((k, v) => {
          // Where the file is shaded flat, a vertex turns with its own facet, else with the smooth surface.
          const facet = dot(rest[k]!, base[v]!) < Math.cos((5 * Math.PI) / 180) ? findFacet(k, base[v]!) : [];
          const [before, after] =
            facet.length > 0
              ? [surface.positions, pushed].map((x) => unit(facet.reduce((n, t) => sum(n, areaOf(x, t), 1), ZERO)))
              : [rest[k]!, now[k]!];
          if (!(dot(before!, after!) > -0.5)) return; // turned inside out: no shortest rotation
          const goal = unit(turn(base[v]!, before!, after!));
          for (const [kind, n] of [
            ['baked', blend(base[v]!, turns, first, v)] as const,
            ['plain', base[v]!] as const,
          ]) {
            angles[kind].push((180 / Math.PI) * Math.acos(Math.max(-1, Math.min(1, dot(unit(n), goal)))));
          }
        });
      }
    }
  }
  const percentile = (list: number[]) => list.sort((a, b) => a - b)[Math.floor(0.99 * list.length)]!;
  return { baked: percentile(angles.baked), plain: percentile(angles.plain) };
}

describe('baked normals turn with the rest surface that the targets push', () => {
  it.each(['tube', 'finger', 'toy', 'hand'])('%s', async (name) => {
    const read = await readCharacterFromBytes(await writeCharacter(createDemo(name, { vertices: 1000 })));
    const { baked, plain } = await measureAngles(read, 7);
    expect(plain).toBeGreaterThan(6);
    // Sums of turns to first order: some degrees where many large pushes meet.
    expect(baked).toBeLessThan(4);
  });

  const folder = fileURLToPath(new URL('../../../../../shared/models/', import.meta.url));
  it.skipIf(!existsSync(folder)).each(['CesiumMan.glb', 'Ghost.glb', 'RobotExpressive.glb', 'aframe_leftHand.glb'])(
    '%s (skipped without ../shared/models)',
    async (name) => {
      const { baked } = await measureAngles(await readCharacter(`${folder}${name}`), 5);
      // Sums of turns to first order: some degrees where many large pushes meet.
      expect(baked).toBeLessThan(4);
    },
  );
});
