/** A character with everything that a solver needs, and one call that poses, skins and corrects it. */
import { type CharacterInput, createCharacter } from '@isoskin/core';
import { measureDirections } from '../../src/correction/measure-directions.js';
import { createSolverReport, type SolverContext, type VolumeSolver } from '../../src/correction/volume-solver.js';
import { type MapOptions, measureMap } from '../../src/maps/measure-map.js';
import { planRegions, type RegionOptions } from '../../src/regions/plan-regions.js';
import { createPose } from '../../src/skeleton/pose.js';
import { planSkinning, type Skinning } from '../../src/skinning/plan-skinning.js';
import {
  createExtendedPositions,
  createRegionGradients,
  measureRegionVolumes,
} from '../../src/volume/measure-region-volumes.js';
import { planClosedSurface } from '../../src/volume/plan-closed-surface.js';
import { planRegionVolumes } from '../../src/volume/plan-region-volumes.js';

export interface JobRunnerOptions {
  regions?: RegionOptions;
  map?: MapOptions;
  thickness?: number;
  skinning?: Skinning;
}

export interface Turn {
  /** Rotation of each node: axis and degrees. */
  readonly [node: number]: { readonly axis: 'x' | 'y' | 'z'; readonly degrees: number };
}

export function createJobRunner(input: CharacterInput, options: JobRunnerOptions = {}) {
  const character = createCharacter(input);
  const count = character.surface.vertexCount;
  const closed = planClosedSurface(character.surface);
  const regions = planRegions(character, closed, options.regions ?? { by: 'component' });
  const volumes = planRegionVolumes(closed, regions.triangleRegion, regions.count);
  const context: SolverContext = {
    character,
    regions,
    volumes,
    gamma: measureMap(character, regions, volumes, options.map ?? { kind: 'uniform' }),
    room: new Float64Array(count).fill(options.thickness ?? 2),
    directions: measureDirections(character.surface),
  };
  const gradients = createRegionGradients(volumes);
  const measure = (positions: Float64Array): Float64Array => {
    const extended = createExtendedPositions(volumes);
    extended.set(positions.subarray(0, 3 * count));
    measureRegionVolumes(gradients, volumes, extended);
    return gradients.volumes.slice();
  };
  const targets = measure(character.surface.positions);
  const skinning = planSkinning(character, { skinning: options.skinning ?? 'linear' });
  const pose = createPose(character);

  const skin = (turn: Turn): Float64Array => {
    pose.locals.set(character.skeleton.locals);
    for (const [node, { axis, degrees }] of Object.entries(turn)) {
      const half = (degrees * Math.PI) / 360;
      const at = 10 * Number(node) + 3;
      pose.locals.fill(0, at, at + 3);
      pose.locals[at + 'xyz'.indexOf(axis)] = Math.sin(half);
      pose.locals[at + 3] = Math.cos(half);
    }
    const positions = createExtendedPositions(volumes);
    skinning.apply({ positions, directions: new Float64Array(3 * count) }, pose);
    return positions;
  };
  /** Corrects a copy of x. */
  const correct = (solver: VolumeSolver, x: Float64Array, wanted = targets) => {
    const positions = x.slice();
    const report = createSolverReport(regions.count);
    solver.apply({
      positions,
      directions: new Float64Array(3 * count),
      targets: wanted,
      bones: skinning.bones,
      report,
    });
    const found = measure(positions);
    const errors = found.map(
      (v, s) => Math.abs(v - wanted[s]!) / Math.max(Math.abs(wanted[s]!), 1e-3 * total(targets)),
    );
    return { y: positions.subarray(0, 3 * count), report, volumes: found, error: Math.max(...errors) };
  };
  return { character, context, regions, volumes, targets, skin, measure, correct, skinning, count };
}

const total = (list: Float64Array) => list.reduce((sum, v) => sum + Math.abs(v), 0);

/** Volume error of a surface as a whole. */
export function totalError(volumes: Float64Array, targets: Float64Array): number {
  const sum = (list: Float64Array) => list.reduce((a, b) => a + b, 0);
  return Math.abs(sum(volumes) / sum(targets) - 1);
}

export function largestDistance(a: Float64Array, b: Float64Array, count: number): number {
  let largest = 0;
  for (let k = 0; k < 3 * count; k += 3) {
    largest = Math.max(largest, Math.hypot(a[k]! - b[k]!, a[k + 1]! - b[k + 1]!, a[k + 2]! - b[k + 2]!));
  }
  return largest;
}
