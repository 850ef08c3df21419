import { createCharacter, planVolumeMeter } from '@isoskin/core';
import {
  createExtendedPositions,
  createRegionGradients,
  measureRegionVolumes,
  measureVolumes,
} from '@isoskin/core/mesh';
import { createDemo } from '@isoskin/demos';
import { describe, expect, it } from 'vitest';
import { boxShape, part, tube } from '../meshes.js';

/** A body that bends, and a box that hangs on one bone: in no region. */
const withBox = () => {
  const input = tube();
  return { ...input, parts: [...input.parts, part(boxShape(1, 1, 1, 9, 0, 0), undefined, { group: 1 })] };
};

describe.each([
  ['the tube', () => createCharacter(tube())],
  ['a tube and a rigid box', () => createCharacter(withBox())],
  ['the finger', () => createDemo('finger')],
])('the meter of %s', (_, make) => {
  it('measures what the gradients and the components say, anywhere', () => {
    const body = make();
    const meter = planVolumeMeter(body);
    const { volumes } = meter;
    const gradients = createRegionGradients(volumes);
    const extended = createExtendedPositions(volumes);
    const components = new Float64Array(body.surface.components.length);
    for (const far of [0, 50]) {
      const moved = body.surface.positions.map((x, i) => x * (1 + 0.2 * Math.sin(i)) + far);
      extended.set(moved);
      measureRegionVolumes(gradients, volumes, extended);
      const sum = measureVolumes(components, volumes.closed, extended);
      const size = Math.abs(sum);
      expect(Math.abs(meter.measure(moved) - sum)).toBeLessThan(1e-10 * size);
      for (const [s, volume] of gradients.volumes.entries())
        expect(Math.abs(meter.regionVolumes[s]! - volume)).toBeLessThan(1e-10 * size);
      for (const [c, volume] of components.entries())
        expect(Math.abs(meter.componentVolumes[c]! - volume)).toBeLessThan(1e-10 * size);
    }
  });
});
