import { createSoftWorld } from '../soft/create-soft-world.js';
import { createMotion, measureSpin, sampleKeys } from '../structure/motion.js';
import { createContactForces } from '../structure/structure.js';
import { checkScene } from './check-scene.js';
import { measureContactForces } from './measure-contact-forces.js';
import { createObstacleMesh } from './obstacle-mesh.js';
import { planScene, SCENE_DEFAULTS, turnOf } from './plan-scene.js';
import type { SceneSpec, Vector } from './scene-spec.js';
import type { Simulation, SimulationMeasure, SimulationObstacle } from './simulation.js';
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
  const plan = planScene(scene);
  const world = createSoftWorld(plan.input);
  const structures = await plan.createStructures();
  const frameTime = 1 / (scene.fps ?? SCENE_DEFAULTS.fps);
  const { count } = world;
  const contact = createContactForces(count, world.pieces.labels);
  const obstacles = planObstacles(scene);
  const measure: SimulationMeasure = {
    time: 0,
    volume: 1,
    territories: new Float64Array(count),
    contacts: 0,
    selfContacts: 0,
    pieces: 0,
    fractures: 0,
    fusions: 0,
    parts: 0,
    energy: 0,
  };
  const touching = new Set<number>();
  let frame = 0;
  let time = 0;
  let depth = 0;
  let parts = 0;

  const place = (now: number, dt: number): void => {
    for (const structure of structures) structure.place(world.corners, world.velocities, world.spins);
    for (const { primitives, keys } of plan.targets) {
      const wanted = sampleKeys(keys, now);
      for (const p of primitives) world.territories.targets[p] = wanted;
    }
    for (let o = 0; o < obstacles.length; o++) {
      obstacles[o]!.moveTo(now, dt);
      world.obstacles.positions.set(obstacles[o]!.position, 3 * o);
      world.obstacles.rotations.set(obstacles[o]!.rotation, 4 * o);
      world.obstacles.velocities.set(obstacles[o]!.velocity, 3 * o);
      world.obstacles.spins.set(obstacles[o]!.spin, 3 * o);
    }
  };

  const step = (): void => {
    const end = (frame + 1) * frameTime;
    let dt = frameTime;
    parts = 0;
    while (end - time > 1e-9 * frameTime) {
      dt = Math.min(dt, end - time);
      for (const structure of structures) structure.save();
      for (const structure of structures) structure.advance(time, dt, contact);
      place(time + dt, dt);
      world.update(dt);
      if (world.depth > depth + DEEPER && dt > SHORTEST * frameTime) {
        world.restore();
        for (const structure of structures) structure.restore();
        dt /= 2;
        continue;
      }
      depth = world.depth;
      // An own copy: a step that is taken back starts from it again.
      measureContactForces(contact, world, plan);
      time += dt;
      parts++;
    }
    time = end;
    frame++;
  };

  const objects = scene.objects.map(({ name, color }, o) => ({
    name,
    color: color ?? COLORS[o % COLORS.length]!,
    first: plan.objectOf.indexOf(o),
    end: plan.objectOf.lastIndexOf(o) + 1,
  }));
  place(0, frameTime);
  return {
    scene,
    territories: plan.names,
    objects,
    obstacles,
    get time() {
      return time;
    },
    get frame() {
      return frame;
    },
    step,
    measure() {
      const { volumes, rest } = world.territories;
      let [now, start] = [0, 0];
      for (let p = 0; p < count; p++) {
        now += volumes[p]!;
        start += rest[p]!;
        measure.territories[p] = volumes[p]! / rest[p]!;
      }
      touching.clear();
      const { contacts, pieces } = world;
      const kinds = count + obstacles.length;
      for (let c = 0; c < contacts.count; c++) {
        const [first, second] = [contacts.first[c]!, contacts.second[c]!];
        // Both sides have samples of one contact.
        const [low, high] =
          second < 0 ? [first, count - 1 - second] : [Math.min(first, second), Math.max(first, second)];
        touching.add(low * kinds + high);
      }
      measure.selfContacts = 0;
      for (const pair of touching) {
        const [low, high] = [Math.floor(pair / kinds), pair % kinds];
        if (high < count && plan.objectOf[low] === plan.objectOf[high]) measure.selfContacts++;
      }
      measure.time = time;
      measure.volume = now / start;
      measure.contacts = touching.size;
      measure.pieces = pieces.count;
      measure.fractures = pieces.fractures;
      measure.fusions = pieces.fusions;
      measure.parts = parts;
      measure.energy = structures.reduce((sum, { energy }) => sum + energy, 0);
      return measure;
    },
    surface(options = {}) {
      return measureSurface(world, plan.objectOf, objects, options);
    },
    dispose() {
      for (const structure of structures) structure.dispose();
    },
  };
}

interface MovingObstacle extends SimulationObstacle {
  readonly velocity: Float64Array;
  readonly spin: Float64Array;
  moveTo(time: number, dt: number): void;
}

function planObstacles({ obstacles = [], view }: SceneSpec): MovingObstacle[] {
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

/** out = a·b, quaternions x, y, z, w. */
function multiplyTurns(out: Float64Array, a: Float64Array, b: Float64Array): void {
  out[0] = a[3]! * b[0]! + a[0]! * b[3]! + a[1]! * b[2]! - a[2]! * b[1]!;
  out[1] = a[3]! * b[1]! + a[1]! * b[3]! + a[2]! * b[0]! - a[0]! * b[2]!;
  out[2] = a[3]! * b[2]! + a[2]! * b[3]! + a[0]! * b[1]! - a[1]! * b[0]!;
  out[3] = a[3]! * b[3]! - a[0]! * b[0]! - a[1]! * b[1]! - a[2]! * b[2]!;
}
