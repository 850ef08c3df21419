/**
 * Stacks that are more than skin and volume (flesh, contact, wrinkles, dual quaternions, the methods of the literature): the whole frame on the
 * CPU, drawn without skinning.
 *
 *   preserveVolume(gltf.scene, { stack, fullStack });
 */
import {
  type Body,
  type Character,
  createFrameSource,
  planBody,
  type StackSpec,
  type VolumeReport,
  type WrinkleTool,
} from '@isoskin/core';
import { createStillCharacter, planVolume } from '@isoskin/core/kernels';
import { planCharacter } from '@isoskin/core/planner';
import { isStateful, listUsedLayers, rehearseStack } from '@isoskin/core/stack';
import { Matrix4 } from 'three';
import { createStackPath } from './create-stack-path.js';
import type { DrawnSurface } from './drawn-surface.js';
import { measurePlacement } from './measure-placement.js';
import type { BodyPlan, FullStack } from './plan-body.js';
import { type MeshLayout, planMeshLayouts } from './plan-mesh-layout.js';
import { planRefinedMesh } from './plan-refined-mesh.js';

/** What the bodies of a plan share; a stack that remembers the frames before has a surface for every body. */
interface Shared {
  readonly layouts: readonly MeshLayout[];
  readonly surface: DrawnSurface | undefined;
}

const shared = new WeakMap<BodyPlan, Shared>();
/** What was planned for a character is planned for all of its surfaces. */
const bodies = new WeakMap<Character, Body>();

export const fullStack: FullStack = {
  planner: planCharacter,
  planVolume(input, options) {
    const { clips = [], ...still } = input;
    const body = planBody({ ...createStillCharacter(still), clips });
    bodies.set(body.character, body);
    return planVolume(body, rehearseStack(body, { volume: options ?? {} }).stack.volume);
  },
  changesWithTime(spec) {
    const { flesh, wrinkles } = listUsedLayers(spec);
    const isKeyed = ({ restLength }: WrinkleTool) => typeof restLength === 'object' && 'keys' in restLength;
    return flesh !== undefined || (wrinkles?.tools ?? []).some(isKeyed);
  },
  createPath(meshes, plan) {
    const { character, spec } = plan;
    let known = shared.get(plan);
    if (!known) {
      const layouts = planMeshLayouts(character, meshes);
      known = { layouts, surface: isStateful(spec) ? undefined : createDrawnSurface(character, spec) };
      shared.set(plan, known);
    }
    return createStackPath(meshes, known.layouts, known.surface ?? createDrawnSurface(character, spec));
  },
};

function createDrawnSurface(character: Character, spec: StackSpec): DrawnSurface {
  const stack = createFrameSource(bodies.get(character) ?? planBody(character), spec, { warm: true, rehearse: true });
  const { frame } = stack;
  const { wrinkles } = stack;
  const size = 3 * (wrinkles?.plan.vertexCount ?? character.surface.vertexCount);
  // What swings feels how the body goes through the world: such a stack works there. What is drawn goes back to the body in f64,
  // or it would tremble far away.
  const placed = isStateful(spec) && { positions: new Float64Array(size), normals: new Float64Array(size) };
  const locals = character.skeleton.locals.slice();
  let last: object | undefined;
  let lastTime = 0;
  const placement = new Matrix4();
  const toWorld = new Matrix4();
  let unit = 0;
  return {
    refineMesh: wrinkles && ((geometry, layout) => planRefinedMesh(character, wrinkles, geometry, layout)),
    get refined() {
      return frame.refined;
    },
    get positions() {
      return placed ? placed.positions : (frame.refined ?? frame).positions;
    },
    get normals() {
      return placed ? placed.normals : (frame.refined ?? frame).normals;
    },
    run({ morphWeights, time, space, readLocals }, report, body) {
      if (last !== body) {
        stack.reset();
        lastTime = time;
      }
      last = body;
      if (placed) unit = measurePlacement(placement, space, unit);
      readLocals(locals, toWorld.multiplyMatrices(placement, space));
      stack.evaluate({ locals, morphWeights }, time, time - lastTime);
      lastTime = time;
      if (placed) {
        const drawn = frame.refined ?? frame;
        bringBack(placed.positions, drawn.positions, placement.elements, 1);
        bringBack(placed.normals, drawn.normals, placement.elements, 0);
      }
      const source = frame.report;
      if (source && source.names.length === report.names.length) copyReport(report, source);
    },
  };
}

/** out = Rᵀ(x − move · t) of a rotation and a way, 4×4 by columns. */
function bringBack(out: Float64Array, from: Float64Array, m: readonly number[], move: 0 | 1): void {
  for (let k = 0; k < from.length; k += 3) {
    const x = from[k]! - move * m[12]!;
    const y = from[k + 1]! - move * m[13]!;
    const z = from[k + 2]! - move * m[14]!;
    out[k] = m[0]! * x + m[1]! * y + m[2]! * z;
    out[k + 1] = m[4]! * x + m[5]! * y + m[6]! * z;
    out[k + 2] = m[8]! * x + m[9]! * y + m[10]! * z;
  }
}

function copyReport(to: VolumeReport, from: VolumeReport): void {
  to.volumes.set(from.volumes);
  to.targets.set(from.targets);
  to.inexact.set(from.inexact);
  to.evaluations = from.evaluations;
  to.limited = from.limited;
  to.fallback = from.fallback;
}
