/**
 * Updates the bodies of a scene before it is rendered: those that are seen, as often as their distance asks for, within a
 * budget of time. One hook per scene; what the user set as `scene.onBeforeRender` runs as before.
 */
import { type Camera, type Object3D, type Scene, Vector3 } from 'three';
import type { VolumeSkinnedMesh } from './volume-skinned-mesh.js';

export interface Detail {
  /** Beyond this distance from the camera the original is drawn, and nothing computed. Default: never. */
  readonly far?: number;
  /** Most updates per second. Default: one per frame. */
  readonly rate?: number;
  /** Beyond this distance the rate falls with 1/distance (from 60, if `rate` is not given). Default: never. */
  readonly near?: number;
  /** Milliseconds per frame for all bodies of the scene together; those that wait longest and are nearest go first. */
  readonly budget?: number;
}

interface Director {
  readonly bodies: Set<VolumeSkinnedMesh>;
  readonly leave: () => void;
}

interface Turn {
  body: VolumeSkinnedMesh;
  urgency: number;
}

/** A body returns a little nearer than where it left, so that it does not flicker at the border. */
const RETURN = 0.95;
const USUAL_RATE = 60;
/** Milliseconds by which a frame may come early and still count. */
const EARLY = 2;

const directors = new WeakMap<Scene, Director>();
const scenes = new WeakMap<VolumeSkinnedMesh, Scene>();
const place = new Vector3();
const eye = new Vector3();

export function joinScene(scene: Scene, body: VolumeSkinnedMesh): void {
  let director = directors.get(scene);
  if (!director) directors.set(scene, (director = directScene(scene)));
  director.bodies.add(body);
  scenes.set(body, scene);
}

export function leaveScene(body: VolumeSkinnedMesh): void {
  const scene = scenes.get(body);
  const director = scene && directors.get(scene);
  scenes.delete(body);
  if (!scene || !director) return;
  director.bodies.delete(body);
  if (director.bodies.size > 0) return;
  director.leave();
  directors.delete(scene);
}

function directScene(scene: Scene): Director {
  const bodies = new Set<VolumeSkinnedMesh>();
  const own = Object.hasOwn(scene, 'onBeforeRender') ? scene.onBeforeRender : undefined;
  const turns: Turn[] = [];
  const hook: Scene['onBeforeRender'] = (...values) => {
    own?.apply(scene, values);
    directFrame(bodies, scene, values[2] as Camera, turns);
  };
  scene.onBeforeRender = hook;
  return {
    bodies,
    leave() {
      if (scene.onBeforeRender !== hook) return;
      if (own) scene.onBeforeRender = own;
      else Reflect.deleteProperty(scene, 'onBeforeRender');
    },
  };
}

function directFrame(bodies: ReadonlySet<VolumeSkinnedMesh>, scene: Scene, camera: Camera, turns: Turn[]): void {
  const now = performance.now();
  let budget = Number.POSITIVE_INFINITY;
  turns.length = 0;
  eye.setFromMatrixPosition(camera.matrixWorld);
  for (const body of bodies) {
    if (!body.enabled || !isSeen(body, scene)) continue;
    const { far = Infinity, near = Infinity, rate, budget: own } = body.options.detail ?? {};
    const distance = body.measurePlace(place).distanceTo(eye);
    const isFar = distance > (body.isFar ? RETURN * far : far);
    if (isFar !== body.isFar) body.isFar = isFar;
    if (isFar) continue;
    const most = rate ?? (distance > near ? USUAL_RATE : Number.POSITIVE_INFINITY);
    const interval = 1000 / (most * Math.min(1, near / distance));
    const wait = now - body.drawnAt;
    if (wait < interval - EARLY) continue;
    budget = Math.min(budget, own ?? Infinity);
    turns.push({ body, urgency: wait / Math.max(distance, 1e-9) });
  }
  if (budget < Infinity) turns.sort((a, b) => b.urgency - a.urgency);
  for (const { body } of turns) {
    drawBody(body, now);
    if (performance.now() - now > budget) return;
  }
}

/** A fault in one body must not stop the render: it is told once, and the original drawn from then on. */
function drawBody(body: VolumeSkinnedMesh, now: number): void {
  try {
    body.draw(Number.isFinite(body.drawnAt) ? (now - body.drawnAt) / 1000 : 0);
  } catch (error) {
    console.error(error);
    body.enabled = false;
  }
}

function isSeen({ meshes }: VolumeSkinnedMesh, scene: Scene): boolean {
  return meshes.some((mesh) => {
    let object: Object3D | null = mesh;
    while (object?.visible && object !== scene) object = object.parent;
    return object === scene;
  });
}
