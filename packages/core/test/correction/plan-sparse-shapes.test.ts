/** The sparse form says what the morph targets say: the same pushes to 1e−5 of the size, the same turns on smooth skin. */
import { planBody, presetStack } from '@isoskin/core';
import { planPlayedGiven } from '@isoskin/core/harmonics';
import { createStillCharacter, planShapeTargets, planVolumeWith } from '@isoskin/core/kernels';
import { addSparsePush, planSparseShapes, type SparseShapes } from '@isoskin/core/sparse';
import { createDemoInput } from '@isoskin/demos';
import { expect, test } from 'vitest';

type Triple = [number, number, number];

for (const preset of ['organic', 'natural', 'anatomic'] as const) {
  for (const name of ['hand', 'tube']) {
    test(`${name}, ${preset}`, () => {
      const { targets, sparse, amounts, normals, count, size } = planBoth(name, preset);
      let [push, turn, bent] = [0, 0, 0];
      for (let v = 0; v < count; v++) {
        const expected: Triple = [0, 0, 0];
        const tilt: Triple = [0, 0, 0];
        for (const { shape, positions, normals: turns } of targets) {
          for (let r = 0; r < 3; r++) {
            expected[r]! += amounts[shape]! * positions[3 * v + r]!;
            tilt[r]! += amounts[shape]! * turns![3 * v + r]!;
          }
        }
        const found: Triple = [0, 0, 0];
        addSparsePush(found, v, sparse, amounts);
        push = Math.max(push, Math.hypot(...found.map((value, r) => value - expected[r]!)) / size);
        const n = Array.from(normals.subarray(3 * v, 3 * v + 3)) as Triple;
        const one = n.map((value, r) => value + tilt[r]!);
        const spin = cross(readTurn(sparse, v, amounts), n);
        const other = n.map((value, r) => value + spin[r]!);
        turn = Math.max(turn, measureAngle(one, other));
        bent = Math.max(bent, measureAngle(one, n));
      }
      const bytes = (sparse.vertices.byteLength + sparse.pairs.byteLength) / count;
      console.log(
        `${name}, ${preset}: ${targets.length} shapes, ${bytes.toFixed(1)} B per vertex, ${push.toExponential(1)} of the size, turns of ${bent.toFixed(1)}° differ by ${turn.toFixed(3)}°`,
      );
      expect(push).toBeLessThan(1e-5);
      expect(bent).toBeGreaterThan(5);
      expect(turn).toBeLessThan(0.5);
      if (preset === 'organic') expect(bytes).toBeLessThanOrEqual(40);
    });
  }
}

function planBoth(name: string, preset: 'organic' | 'natural' | 'anatomic') {
  const input = createDemoInput(name, { vertices: 3000 });
  const character = createStillCharacter(input);
  const volume = planVolumeWith({ planGiven: planPlayedGiven }, planBody(character), presetStack(preset).volume!);
  const plan = volume.framePlan();
  const { welded } = character.parts[0]!;
  const identity = [1, 0, 0, 0, 1, 0, 0, 0, 1];
  const normals = new Float32Array(3 * welded.length);
  const { surface } = character;
  for (let v = 0; v < welded.length; v++) {
    const sum: Triple = [0, 0, 0];
    for (let t = 0; t < surface.triangles.length; t += 3) {
      const corners = surface.triangles.subarray(t, t + 3);
      if (!corners.includes(welded[v]!)) continue;
      const [a, b, c] = Array.from(corners, (k) => Array.from(surface.positions.subarray(3 * k, 3 * k + 3)));
      const area = cross(b!.map((x, r) => x - a![r]!) as Triple, c!.map((x, r) => x - a![r]!) as Triple);
      for (let r = 0; r < 3; r++) sum[r]! += area[r]!;
    }
    normals.set(
      sum.map((x) => x / Math.hypot(...sum)),
      3 * v,
    );
  }
  const mesh = { welded, linear: identity, inverse: identity, normals };
  const amounts = Float64Array.from({ length: plan.shapes.shapeCount }, (_, s) => 0.2 * Math.sin(3 * s + 1));
  return {
    targets: planShapeTargets(plan, [mesh])[0]!,
    sparse: planSparseShapes(plan, [mesh])[0]!,
    amounts,
    normals,
    count: welded.length,
    size: Math.max(...surface.positions) - Math.min(...surface.positions),
  };
}

/** ω of a vertex, as a shader finds it. */
function readTurn({ vertices, pairs, steps }: SparseShapes, v: number, amounts: Float64Array): Triple {
  const length = Math.hypot(vertices[4 * v]!, vertices[4 * v + 1]!, vertices[4 * v + 2]!);
  const [x, y, z] = Array.from(vertices.subarray(4 * v, 4 * v + 3), (value) => value / length) as Triple;
  let [u, w] = [0, 0];
  for (let p = 2 * vertices[4 * v + 3]!; ; p += 2) {
    const shape = pairs[p]! & 0x7fff;
    const amount = steps[2 * shape + 1]! * amounts[shape]!;
    u += ((pairs[p + 1]! << 16) >> 16) * amount;
    w += (pairs[p + 1]! >> 16) * amount;
    if (pairs[p]! & 0x8000) break;
  }
  const side = z < 0 ? -1 : 1;
  const a = -1 / (side + z);
  const b = x * y * a;
  const t = [1 + side * x * x * a, side * b, -side * x];
  const s = [b, side + y * y * a, -y];
  return t.map((value, r) => u * value + w * s[r]!) as Triple;
}

function cross(a: Triple, b: Triple): Triple {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function measureAngle(a: number[], b: number[]): number {
  const dot = a.reduce((sum, value, r) => sum + value * b[r]!, 0);
  return (Math.acos(Math.min(1, dot / Math.hypot(...a) / Math.hypot(...b))) * 180) / Math.PI;
}
