/** The last resort of the default solver. */
import { describe, expect, it } from 'vitest';
import { createComponentScaler } from '../../src/correction/create-component-scaler.js';
import { createSolverReport, type SolverFrame } from '../../src/correction/volume-solver.js';
import { boxShape } from '../meshes.js';

/** A unit cube that should have another volume. */
function scale(target: number, { room = 10, volume = 1, activity = 1, fixed = false } = {}) {
  const positions = Float64Array.from(boxShape(1, 1, 1, 3, 4, 5).positions);
  const report = createSolverReport(1);
  report.volumes[0] = volume;
  const targets = Float64Array.of(target);
  const frame = { positions, targets, report } as unknown as SolverFrame;
  const list = fixed ? [] : Array.from({ length: 8 }, (_, k) => k);
  const scaler = createComponentScaler(
    [Uint32Array.of(0)],
    [Uint32Array.from(list)],
    Float64Array.of(1),
    new Float64Array(8).fill(room),
  );
  const changed = scaler.apply(frame, Float64Array.of(activity));
  return { changed, edge: positions[3]! - positions[0]!, middle: (positions[3]! + positions[0]!) / 2, report };
}

describe('scaling a component', () => {
  it('about its centre restores its volume exactly', () => {
    const { changed, edge, middle, report } = scale(8);
    expect(changed).toBe(true);
    expect(edge).toBeCloseTo(2, 14);
    expect(middle).toBeCloseTo(3.5, 14);
    expect(report.volumes[0]).toBeCloseTo(8, 13);
    expect(scale(1 / 27).edge).toBeCloseTo(1 / 3, 14);
  });

  it('moves no vertex farther than its room, and says what is left', () => {
    const { edge, report } = scale(1000, { room: 0.1 });
    const reach = Math.sqrt(3) / 2;
    expect(((edge - 1) / 2) * 2 * reach).toBeCloseTo(0.1, 12);
    expect(report.volumes[0]).toBeCloseTo(edge ** 3, 12);
    expect(scale(0, { room: 0.1 }).edge).toBeCloseTo(1 - 0.1 / reach, 12);
  });

  it('is not for what is right, at rest, fixed, inverted or without volume', () => {
    for (const { changed, edge } of [
      scale(1 + 1e-12),
      scale(2, { activity: 0 }),
      scale(2, { fixed: true }),
      scale(2, { volume: -1 }),
      scale(2, { volume: 0 }),
      scale(0, { volume: 0 }),
      scale(Number.NaN),
    ]) {
      expect(changed).toBe(false);
      expect(edge).toBe(1);
    }
  });
});
