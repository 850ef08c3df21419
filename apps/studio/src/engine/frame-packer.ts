/** Packs an evaluated frame into the arrays that the page draws: positions, normals, colour values, volumes. */

import { type Body, type Character, type Frame, planVolumeMeter, type VolumeMeter } from '@isoskin/core';
import { sumAreaVectors } from '@isoskin/core/kernels';
import {
  type Bvh,
  countSelfIntersections,
  measureRegionError,
  measureThickness,
  NO_REGION,
  planBvh,
  planThickness,
  refitBvh,
} from '@isoskin/core/mesh';
import type { RefinedSurface } from '@isoskin/core/wrinkles';
import type { Colouring, Paint } from '../state/studio-document.js';
import type { Folds } from './create-folds.js';
import type { OpenSource } from './open-frame-source.js';
import type { FrameArrays, FrameRequest, FrameResult, VolumeFacts } from './protocol.js';

/** Above this many vertices volumes are not measured in every frame: the plots have them. */
const MOST_MEASURED = 120_000;
/** Relative change of volume at the ends of the scale. */
const VOLUME_SCALE = 0.1;
/** Displacements that the scale may end at, relative to the local thickness; a few vertices may lie beyond it. */
const DISPLACEMENT_SCALES = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1];
const BEYOND = 0.02;

const NO_REGIONS: readonly number[] = [];

export interface FramePacker {
  /** Volumes of the source's present frame; undefined without a volume layer. */
  measure(time: number): VolumeFacts | undefined;
  /** Intersections of the source's present frame. */
  countCrossings(): { skinned: number; corrected: number };
  pack(request: FrameRequest, world: Float64Array, folds?: Folds, refined?: RefinedSurface): FrameResult;
}

/** Colourings by one component of the displacement. */
const AXES: readonly Colouring[] = ['moved-x', 'moved-y', 'moved-z'];
const showsMoves = (colouring: Colouring) => colouring === 'displacement' || AXES.includes(colouring);

export function createFramePacker(character: Character, source: OpenSource, paint: Paint = {}): FramePacker {
  const { surface } = character;
  const { vertexCount, triangles } = surface;
  const areas = new Float64Array(3 * vertexCount);
  const { volume, frame } = source;
  const regionOf = volume ? listVertexRegions(triangles, volume.regions.triangleRegion, vertexCount) : undefined;
  let meter: VolumeMeter | undefined;
  let bvh: Bvh | undefined;
  let thickness: Float64Array | undefined;
  /** Largest displacement so far: the scale grows with it and never shrinks, so that colours keep their meaning. */
  let largest = 0;
  const displacementEnd = () => DISPLACEMENT_SCALES.find((end) => end >= largest) ?? 1;

  /** Values 0 … 1 of the colouring, for the corrected and for the skinned surface. */
  const fillValues = (
    { colouring, joint }: FrameRequest,
    arrays: FrameArrays,
    facts: VolumeFacts | undefined,
  ): void => {
    const { values, skinnedValues } = arrays;
    if (showsMoves(colouring)) {
      thickness ??= measureThicknesses(source.body);
      largest = Math.max(largest, measureDisplacements(values, frame, thickness));
      const end = displacementEnd();
      const axis = AXES.indexOf(colouring);
      const { positions, skinned } = frame;
      for (let k = 0; k < vertexCount; k++) {
        const i = 3 * k + axis;
        const moved = positions[i]! - skinned[i]!;
        const value = axis < 0 ? values[k]! / end : 0.5 + (0.5 * moved) / (end * thickness[k]!);
        values[k] = Math.min(1, Math.max(0, value));
      }
      skinnedValues.fill(axis < 0 ? 0 : 0.5);
    } else if (colouring === 'volume') {
      const value = (errors: Float32Array | undefined, k: number) =>
        !errors || !regionOf || regionOf[k]! < 0 ? 0.5 : 0.5 + (0.5 * errors[regionOf[k]!]!) / VOLUME_SCALE;
      for (let k = 0; k < vertexCount; k++) {
        values[k] = value(facts?.regionsCorrected, k);
        skinnedValues[k] = value(facts?.regionsSkinned, k);
      }
    } else if (colouring === 'gamma' || colouring === 'weight' || colouring === 'softness') {
      if (colouring === 'gamma') setScaled(values, volume?.gamma);
      else if (colouring === 'weight') sumWeights(values, character, joint);
      else if (paint.softness) values.set(paint.softness);
      else values.fill(1);
      skinnedValues.set(values);
    } // plain ones and regions need no values
  };

  const measureVolumes = (time: number): VolumeFacts | undefined => {
    if (!volume) return undefined;
    meter ??= planVolumeMeter(character, volume);
    const target = meter.measureTargets(frame.bones, time);
    const change = (positions: Float64Array) => {
      const whole = meter!.measure(positions);
      const { regionVolumes, targets, componentOfRegion } = meter!;
      const regions = Float32Array.from(regionVolumes, (v, s) =>
        measureRegionError(v, targets[s]!, componentOfRegion[s]!),
      );
      return { whole: target === 0 ? 0 : whole / target - 1, regions };
    };
    const skinned = change(frame.skinned);
    const corrected = change(frame.positions);
    return {
      skinned: skinned.whole,
      corrected: corrected.whole,
      regionsSkinned: skinned.regions,
      regionsCorrected: corrected.regions,
    };
  };

  const count = (positions: Float64Array): number => {
    if (bvh) refitBvh(bvh, positions);
    bvh ??= planBvh(triangles, positions);
    return countSelfIntersections(bvh, positions);
  };

  return {
    measure: measureVolumes,
    countCrossings: () => ({ skinned: count(frame.skinned), corrected: count(frame.positions) }),
    pack(request, world, folds, refined) {
      const arrays = reuse(request.recycle, vertexCount);
      arrays.positions.set(frame.positions);
      arrays.normals.set(frame.normals);
      if (request.exaggerate !== 1) {
        const { positions, skinned } = frame;
        const further = positions.map((x, i) => skinned[i]! + request.exaggerate * (x - skinned[i]!));
        arrays.positions.set(further);
        sumAreaVectors(areas, further, triangles, triangles.length / 3, vertexCount);
        arrays.normals.set(areas);
      }
      arrays.skinned.set(frame.skinned);
      sumAreaVectors(areas, frame.skinned, triangles, triangles.length / 3, vertexCount);
      arrays.skinnedNormals.set(areas); // the shader makes them unit
      const volumeFacts = vertexCount <= MOST_MEASURED ? measureVolumes(request.time) : undefined;
      fillValues(request, arrays, volumeFacts);
      return {
        time: request.time,
        arrays,
        nodes: Float32Array.from(world),
        ...(volumeFacts && { volume: volumeFacts }),
        timings: [...source.timings, ...(folds ? [{ name: 'wrinkles', milliseconds: folds.milliseconds }] : [])],
        ...(folds &&
          refined && {
            refined: folds.pack(refined, request.topology, arrays, regionOf ?? NO_REGIONS, frame.positions),
          }),
        displacement: displacementEnd(),
      };
    },
  };
}

/** How far the correction moves the vertices, relative to the local thickness; returns what only few of them exceed. */
function measureDisplacements(values: Float32Array, { positions, skinned }: Frame, thickness: Float64Array): number {
  for (let k = 0; k < values.length; k++) {
    const i = 3 * k;
    const x = positions[i]! - skinned[i]!;
    const y = positions[i + 1]! - skinned[i + 1]!;
    values[k] = Math.hypot(x, y, positions[i + 2]! - skinned[i + 2]!) / thickness[k]!;
  }
  return values.slice().sort()[Math.floor((1 - BEYOND) * (values.length - 1))] ?? 0;
}

/** At rest; what has none, a flat card, counts as the thickest. */
function measureThicknesses({ character, bvh }: Body): Float64Array {
  const { surface } = character;
  const thickness = new Float64Array(surface.vertexCount);
  measureThickness(thickness, planThickness(surface, bvh), surface.positions);
  const most = thickness.reduce((a, b) => Math.max(a, b), 0) || 1;
  return thickness.map((t) => t || most);
}

/** γ on a scale that ends at its largest value. */
function setScaled(values: Float32Array, gamma: Float64Array | undefined): void {
  const most = gamma ? gamma.reduce((a, b) => Math.max(a, b), 1e-9) : 1;
  for (let k = 0; k < values.length; k++) values[k] = gamma ? gamma[k]! / most : 0;
}

/** Weights of the bones of a joint. */
function sumWeights(values: Float32Array, { binding, skeleton }: Character, joint: number): void {
  values.fill(0);
  for (let k = 0; k < values.length; k++) {
    for (let n = binding.offsets[k]!; n < binding.offsets[k + 1]!; n++) {
      if (skeleton.boneNodes[binding.bones[n]!] === joint) values[k]! += binding.weights[n]!;
    }
  }
}

function reuse(recycled: FrameArrays | undefined, vertexCount: number): FrameArrays {
  if (recycled?.values.length === vertexCount) return recycled;
  const vectors = () => new Float32Array(3 * vertexCount);
  return {
    positions: vectors(),
    normals: vectors(),
    skinned: vectors(),
    skinnedNormals: vectors(),
    values: new Float32Array(vertexCount),
    skinnedValues: new Float32Array(vertexCount),
  };
}

export function listVertexRegions(
  triangles: Uint32Array,
  triangleRegion: Uint32Array,
  vertexCount: number,
): Int32Array {
  const regions = new Int32Array(vertexCount).fill(-1);
  for (let i = 0; i < triangles.length; i++) {
    const region = triangleRegion[Math.trunc(i / 3)]!;
    if (region !== NO_REGION) regions[triangles[i]!] = region;
  }
  return regions;
}
