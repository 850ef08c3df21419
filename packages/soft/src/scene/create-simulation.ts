import { createSoftWorld, type SoftWorld } from '../soft/create-soft-world.js';
import { createMotion, measureSpin, multiplyTurns, sampleKeys } from '../structure/motion.js';
import { type BodyPose, type ContactForces, createContactForces, type Structure } from '../structure/structure.js';
import { checkScene } from './check-scene.js';
import { type CompiledScene, compileScene, SCENE_DEFAULTS, turnOf } from './compile-scene.js';
import { measureContactForces } from './measure-contact-forces.js';
import { createObstacleMesh } from './obstacle-mesh.js';
import type { SceneSpec, Vector } from './scene-spec.js';
import type {
  SimulationMeasure,
  SimulationObject,
  SimulationObstacle,
  SimulationSurface,
  SimulationSurfaceOptions,
} from './simulation.js';
import { measureSurface } from './simulation-surface.js';

/** A contact may get this much deeper in one part of a step, in thicknesses; beyond, the part is taken back and halved. */
const DEEPER = 0.1;
/** … down to this share of a frame. */
const SHORTEST = 1 / 16;

const COLORS: readonly Vector[] = [
  [0.9, 0.5, 0.38],
  [0.36, 0.6, 0.82],
  [0.55, 0.74, 0.42],
  [0.93, 0.78, 0.4],
];
const OBSTACLE_COLOR: Vector = [0.62, 0.64, 0.67];

/**
 * I1–I6. A scene set in motion: structures move primitives, the soft world answers with forces (I4, I5), and a part of a
 * step that ends too deep in a contact is taken back and halved.
 *
 * The scene is checked first (`checkScene`). Rapier is loaded only if the scene has bodies.
 */
export async function createSimulation(sceneJson: SceneSpec): Promise<Simulation> {
  const scene = checkScene(sceneJson);
  const compiled = compileScene(scene);
  const world = createSoftWorld(compiled.input);
  return new Simulation(scene, compiled, world, await compiled.createStructures());
}

/** A scene in motion. The same scene gives the same numbers, bit for bit. */
export class Simulation {
  readonly scene: SceneSpec;
  /** Names of the territories: primitives, or pieces of one that is a polyline. */
  readonly territories: readonly string[];
  /** Soft objects, in the order of the scene. */
  readonly objects: readonly SimulationObject[];
  readonly obstacles: readonly MovingObstacle[];
  /** Seconds since the start. */
  time = 0;
  /** Frames since the start. */
  frame = 0;
  readonly #compiled: CompiledScene;
  readonly #world: SoftWorld;
  readonly #structures: readonly Structure[];
  readonly #contact: ContactForces;
  readonly #frameTime: number;
  readonly #measure: SimulationMeasure;
  /** Of the last part of a step, and how many of them the last frame had. */
  #depth = 0;
  #parts = 0;

  constructor(scene: SceneSpec, compiled: CompiledScene, world: SoftWorld, structures: readonly Structure[]) {
    this.scene = scene;
    this.territories = compiled.names;
    this.objects = scene.objects.map(({ name, color, structure }, o) => ({
      name,
      color: color ?? COLORS[o % COLORS.length]!,
      first: compiled.objectOf.indexOf(o),
      end: compiled.objectOf.lastIndexOf(o) + 1,
      ...(structure.kind === 'particles' && { spacing: structure.spacing }),
    }));
    this.obstacles = createObstacles(scene);
    this.#compiled = compiled;
    this.#world = world;
    this.#structures = structures;
    this.#contact = createContactForces(world.count, (i, j) => world.pieces.bond(i, j));
    this.#frameTime = 1 / (scene.fps ?? SCENE_DEFAULTS.fps);
    const counts = { contacts: 0, selfContacts: 0, pieces: 0, fractures: 0, fusions: 0, fused: 0, parts: 0 };
    this.#measure = { time: 0, volume: 1, territories: new Float64Array(world.count), ...counts, energy: 0 };
    this.#place(0, this.#frameTime);
  }

  /** Puts everything where it is at a moment. */
  #place(now: number, dt: number): void {
    const { corners, velocities, spins, territories, obstacles } = this.#world;
    for (const structure of this.#structures) structure.place(corners, velocities, spins);
    for (const { primitives, keys } of this.#compiled.targets) {
      const wanted = sampleKeys(keys, now);
      for (const p of primitives) territories.targets[p] = wanted;
    }
    this.obstacles.forEach((obstacle, o) => {
      obstacle.moveTo(now, dt);
      obstacles.positions.set(obstacle.position, 3 * o);
      obstacles.rotations.set(obstacle.rotation, 4 * o);
      obstacles.velocities.set(obstacle.velocity, 3 * o);
      obstacles.spins.set(obstacle.spin, 3 * o);
    });
  }

  /** One frame further: 1/fps seconds, in as many parts as the contacts need. */
  step(): void {
    const world = this.#world;
    const end = (this.frame + 1) * this.#frameTime;
    let dt = this.#frameTime;
    this.#parts = 0;
    while (end - this.time > 1e-9 * this.#frameTime) {
      dt = Math.min(dt, end - this.time);
      for (const structure of this.#structures) structure.save();
      for (const structure of this.#structures) structure.advance(this.time, dt, this.#contact);
      this.#place(this.time + dt, dt);
      world.update(dt);
      if (world.depth > this.#depth + DEEPER && dt > SHORTEST * this.#frameTime) {
        world.restore();
        for (const structure of this.#structures) structure.restore();
        dt /= 2;
        continue;
      }
      this.#depth = world.depth;
      // An own copy: a step that is taken back starts from it again.
      measureContactForces(this.#contact, world, this.#compiled);
      this.time += dt;
      this.#parts++;
    }
    this.time = end;
    this.frame++;
  }

  /** Numbers of this moment; the same object is refreshed by the next call. */
  measure(): SimulationMeasure {
    const measure = this.#measure;
    const { volumes, rest } = this.#world.territories;
    const { pieces } = this.#world;
    let [now, start] = [0, 0];
    for (let p = 0; p < volumes.length; p++) {
      now += volumes[p]!;
      start += rest[p]!;
      measure.territories[p] = volumes[p]! / rest[p]!;
    }
    measure.time = this.time;
    measure.volume = now / start;
    this.#countContacts(measure);
    measure.pieces = pieces.count;
    measure.fractures = pieces.fractures;
    measure.fusions = pieces.fusions;
    measure.fused = pieces.fusedShare;
    measure.parts = this.#parts;
    measure.energy = this.#structures.reduce((sum, { energy }) => sum + energy, 0);
    return measure;
  }

  /** Pairs that touch, once each: both sides have samples of one contact. */
  #countContacts(measure: SimulationMeasure): void {
    const { contacts, count } = this.#world;
    const { objectOf } = this.#compiled;
    const kinds = count + this.obstacles.length;
    const touching = new Set<number>();
    for (let c = 0; c < contacts.count; c++) {
      const [first, second] = [contacts.first[c]!, contacts.second[c]!];
      const other = second < 0 ? count - 1 - second : second;
      touching.add(Math.min(first, other) * kinds + Math.max(first, other));
    }
    measure.contacts = touching.size;
    measure.selfContacts = 0;
    for (const pair of touching) {
      const [low, high] = [Math.floor(pair / kinds), pair % kinds];
      if (high < count && objectOf[low] === objectOf[high]) measure.selfContacts++;
    }
  }

  /** Where the bodies of an object are, in the order of its structure. */
  poses(object: number): readonly BodyPose[] {
    return this.#structures[object]!.poses ?? [];
  }

  /** What to draw now. Fresh arrays: a worker may transfer them. */
  surface(options: SimulationSurfaceOptions = {}): SimulationSurface {
    return measureSurface(this.#world, this.#compiled.objectOf, this.objects, options);
  }

  /** Frees what the garbage collector does not see (rigid bodies). */
  dispose(): void {
    for (const structure of this.#structures) structure.dispose();
  }
}

interface MovingObstacle extends SimulationObstacle {
  readonly velocity: Float64Array;
  readonly spin: Float64Array;
  moveTo(time: number, dt: number): void;
}

function createObstacles({ obstacles = [], view }: SceneSpec): MovingObstacle[] {
  const box = view?.box;
  const extent = box ? 1.6 * Math.max(box[3]! - box[0]!, box[5]! - box[2]!) : 4;
  return obstacles.map((spec) => {
    const start = Float64Array.from(spec.position ?? [0, 0, 0]);
    const turn = turnOf(spec.turn);
    const position = start.slice();
    const rotation = turn.slice();
    const [velocity, spin] = [new Float64Array(3), new Float64Array(3)];
    const [oldPosition, oldRotation] = [new Float64Array(3), new Float64Array(4)];
    const motion = spec.keys && createMotion({ pivot: start, keys: spec.keys });
    return {
      name: spec.name,
      color: spec.color ?? OBSTACLE_COLOR,
      mesh: createObstacleMesh(spec, extent),
      position,
      rotation,
      velocity,
      spin,
      moveTo(time, dt) {
        if (!motion) return;
        motion.sample(Math.max(0, time - dt));
        motion.apply(oldPosition, 0, start, 0);
        multiplyTurns(oldRotation, motion.rotation, turn);
        motion.sample(time);
        motion.apply(position, 0, start, 0);
        multiplyTurns(rotation, motion.rotation, turn);
        for (let axis = 0; axis < 3; axis++) velocity[axis] = (position[axis]! - oldPosition[axis]!) / dt;
        measureSpin(spin, 0, oldRotation, rotation, dt);
      },
    };
  });
}
