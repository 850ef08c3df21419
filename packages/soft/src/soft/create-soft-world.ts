import { IsoskinError } from '@isoskin/core';
import { polygonise, type TriangleMesh } from '@isoskin/demos';
import { createBlendGraph } from './blend-graph.js';
import { createContactCollector } from './collect-contacts.js';
import { createVolumeController } from './control-volume.js';
import { createNeighbourGrid } from './neighbour-grid.js';
import { createPieceSurface, createPointIndex, type PointIndex } from './piece-surface.js';
import { placeRays, planRays, type RayState } from './place-rays.js';
import { planObstacles } from './plan-obstacles.js';
import { planSkeleton, type Skeleton } from './plan-skeleton.js';
import { createProbe, FIELD } from './probe.js';
import { createPointRays, createSegmentRays, createTriangleRays, type RayMesh } from './ray-mesh.js';
import { createRayProbe } from './ray-probe.js';
import { createTerritorySampler } from './sample-territories.js';
import type { PieceMesh, SoftWorld, SoftWorldInput, SurfaceOptions, VolumeControl } from './soft-world.js';

/** From so many primitives on one pass per step must do: their errors are small against the whole. */
const MANY = 100;

function planControl(input: SoftWorldInput): Required<VolumeControl> {
  const given = input.volumeControl || {};
  const passes = given.passes ?? (input.primitives.length < MANY ? 4 : 1);
  const control = { passes, alpha: 30 * passes, beta: 0.1, tolerance: 0.002, ...given };
  const { alpha, beta, tolerance } = control;
  if (!(alpha >= 0 && beta >= 0 && tolerance >= 0 && passes >= 1 && Number.isInteger(passes))) {
    const message = 'The gains alpha and beta and the tolerance must be 0 or more, and passes a whole number from 1.';
    throw new IsoskinError('VOLUME_CONTROL_INVALID', message, 'volumeControl');
  }
  return control;
}

/** I1–I5. See soft-world.ts for what it is and how a simulation uses it. */
export function createSoftWorld(input: SoftWorldInput): SoftWorld {
  checkInput(input);
  const control = planControl(input);
  const skeleton = planSkeleton(input);
  const { count } = skeleton;
  const obstacles = planObstacles(input.obstacles ?? []);
  const graph = createBlendGraph(input, skeleton);
  const near = createNeighbourGrid(skeleton);
  const rays = planRays(skeleton, planMeshes(skeleton, input.sampling ?? defaultSampling(count)));
  const probe = createProbe(skeleton, graph);
  /** The surface's own, so that neighbouring points can share what was prepared. */
  const outline = createProbe(skeleton, graph);
  const sampler = createTerritorySampler(skeleton, rays, near, obstacles, createRayProbe(skeleton, graph, probe));
  const { volumes, slopes } = sampler.state;
  const collector = createContactCollector(input, skeleton, graph, rays, near, obstacles, probe, sampler.state);
  const controller = createVolumeController(control, skeleton, volumes, slopes);
  const fusionForce = input.fusion?.force ?? Infinity;
  // What `restore` brings back: pairs of present and saved arrays.
  const saved = [
    rays.ends,
    rays.fades,
    rays.frames,
    volumes,
    slopes,
    collector.forces,
    collector.torques,
    obstacles.forces,
    obstacles.torques,
  ].map((present) => ({ present, past: present.slice() }));
  let index: PointIndex | undefined;
  let fractureOffset = 0;
  let shells: Uint32Array | undefined;

  const save = (): void => {
    for (const { present, past } of saved) past.set(present);
    graph.save();
    controller.save();
  };
  const locate = (): PointIndex => {
    index ??= createPointIndex(skeleton, outline);
    return index;
  };
  const outlinePiece = (piece: number) =>
    createPieceSurface(piece, skeleton, graph, rays, obstacles, outline, locate());
  const settle = (dt: number, passes: number): void => {
    index = undefined;
    obstacles.update();
    placeRays(rays, skeleton);
    near.build();
    graph.update(near, dt);
    const controlled = input.volumeControl !== false && dt > 0;
    for (let pass = 1; pass <= passes; pass++) {
      collector.clear();
      if (controlled) controller.step(dt / passes);
      sampler.sample(collector.add);
      if (!controlled || controller.worst() <= control.tolerance) break;
    }
    collector.addBuried();
    collector.fuse(fusionForce);
  };

  settle(0, 1);
  fractureOffset = graph.fractures;
  controller.begin();
  save();

  return {
    count,
    names: input.primitives.map(({ name }) => name),
    corners: skeleton.corners,
    velocities: collector.velocities,
    spins: collector.spins,
    forces: collector.forces,
    torques: collector.torques,
    obstacles,
    get depth() {
      return collector.depth;
    },
    get contactEnergy() {
      return collector.energy;
    },
    territories: { volumes, rest: controller.rest, targets: controller.targets, offsets: skeleton.offsets },
    pieces: {
      labels: graph.labels,
      get count() {
        return graph.count;
      },
      get fractures() {
        return graph.fractures - fractureOffset;
      },
      get fusions() {
        return graph.fusions;
      },
    },
    contacts: collector.contacts,
    update(dt) {
      if (!(dt > 0)) throw new IsoskinError('TIME_STEP_INVALID', `The time step must be positive, not ${dt}.`);
      save();
      settle(dt, control.passes);
    },
    restore() {
      index = undefined;
      for (const { present, past } of saved) present.set(past);
      graph.restore();
      controller.restore();
    },
    volume: () => volumes.reduce((sum, volume) => sum + volume, 0),
    polygonise: (options: SurfaceOptions = {}) => {
      let finest = Infinity;
      for (let i = 0; i < count; i++) finest = Math.min(finest, skeleton.thickness[i]!);
      const step = finest / (options.resolution ?? 4);
      const meshes: PieceMesh[] = [];
      for (let piece = 0; piece < graph.count; piece++) {
        const surface = outlinePiece(piece);
        if (surface.seeds.length === 0) continue;
        const { positions, triangles } = polygonise(surface, { step, rounds: options.rounds ?? 1 });
        meshes.push({ piece, positions, triangles });
      }
      return meshes;
    },
    seedsSurface(): TriangleMesh {
      const positions = new Float64Array(3 * rays.count);
      for (let at = 0; at < positions.length; at++) {
        positions[at] = rays.origins[at]! + rays.ends[Math.floor(at / 3)]! * rays.directions[at]!;
      }
      shells ??= planShells(rays);
      return { positions, triangles: shells };
    },
    surface: outlinePiece,
    value(piece, x, y, z) {
      locate().gather(x, y, z);
      outline.measurePiece(piece, x, y, z);
      return outline.result[FIELD]!;
    },
  };
}

function checkInput(input: SoftWorldInput): void {
  if (input.primitives.length === 0) {
    throw new IsoskinError('SOFT_WORLD_EMPTY', 'The world has no primitive; give it at least one point.', 'primitives');
  }
  if (input.sampling !== undefined && !(Number.isInteger(input.sampling) && input.sampling >= 1)) {
    const message = `The sampling must be a whole number from 1, not ${input.sampling}.`;
    throw new IsoskinError('SAMPLING_INVALID', message, 'sampling');
  }
}

/** About 12 000 seeds in all, between 42 and 2 562 around a point. */
function defaultSampling(count: number): number {
  return Math.max(2, Math.min(16, Math.floor(Math.sqrt(Math.max(0, 12000 / count - 2) / 10))));
}

/** Triangles of all ray meshes, numbered through. */
function planShells(rays: RayState): Uint32Array {
  const shells = new Uint32Array(rays.meshes.reduce((sum, mesh) => sum + mesh.triangles.length, 0));
  let at = 0;
  rays.meshes.forEach((mesh, i) => {
    for (let n = 0; n < mesh.triangles.length; n++) shells[at++] = rays.offsets[i]! + mesh.triangles[n]!;
  });
  return shells;
}

/** One mesh of rays per primitive; equal primitives share it. */
function planMeshes(skeleton: Skeleton, n: number): RayMesh[] {
  const known = new Map<string, RayMesh>();
  return Array.from({ length: skeleton.count }, (_, i) => {
    const c = skeleton.corners.subarray(9 * i, 9 * i + 9);
    const edge = (a: number, b: number) =>
      Math.hypot(c[3 * a]! - c[3 * b]!, c[3 * a + 1]! - c[3 * b + 1]!, c[3 * a + 2]! - c[3 * b + 2]!);
    const e = skeleton.thickness[i]!;
    const shape = skeleton.shape[i]!;
    // Half thicknesses of length are close enough to share.
    const length = shape === 1 ? 0 : shape === 2 ? edge(0, 1) : Math.max(edge(0, 1), edge(1, 2), edge(2, 0));
    const slender = Math.max(0.5, Math.round((2 * length) / e) / 2);
    const key = `${shape} ${shape === 1 ? 0 : slender}`;
    let mesh = known.get(key);
    if (!mesh) {
      mesh =
        shape === 1 ? createPointRays(n) : shape === 2 ? createSegmentRays(n, slender) : createTriangleRays(n, slender);
      known.set(key, mesh);
    }
    return mesh;
  });
}
