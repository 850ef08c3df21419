/**
 * Updates the bodies of a scene before it is rendered: those that are seen, as often as their distance asks for, within a
 * budget of time. One hook per scene; what the user set as `scene.onBeforeRender` runs as before.
 */
import { type Camera, type Object3D, type Scene, type SkinnedMesh, Vector3 } from 'three';

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

/** What is updated: a body that is solved, or one that is driven. */
export interface DirectedBody {
  readonly meshes: readonly SkinnedMesh[];
  readonly options: { readonly detail?: Detail };
  enabled: boolean;
  isFar: boolean;
  /** When it was updated last, in milliseconds. */
  drawnAt: number;
  measurePlace(out: Vector3): Vector3;
  draw(dt: number): void;
}

interface Director {
  readonly bodies: Set<DirectedBody>;
  readonly leave: () => void;
}

interface Turn {
  body: DirectedBody;
  urgency: number;
}

/** A body returns a little nearer than where it left, so that it does not flicker at the border. */
const RETURN = 0.95;
const USUAL_RATE = 60;
/** Milliseconds by which a frame may come early and still count. */
const EARLY = 2;

const directors = new WeakMap<Scene, Director>();
const scenes = new WeakMap<DirectedBody, Scene>();
const place = new Vector3();
const eye = new Vector3();

/** The scene that a mesh stands in. */
export function findScene(mesh: SkinnedMesh): Scene | undefined {
  let top: { parent: unknown } & object = mesh;
  while (top.parent) top = top.parent as typeof top;
  return (top as Scene).isScene ? (top as Scene) : undefined;
}

/** From now on this scene updates the body, and no other. */
export function joinScene(scene: Scene, body: DirectedBody): void {
  if (scenes.get(body) === scene) return;
  leaveScene(body);
  let director = directors.get(scene);
  if (!director) directors.set(scene, (director = directScene(scene)));
  director.bodies.add(body);
  scenes.set(body, scene);
}

export function leaveScene(body: DirectedBody): void {
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
  const bodies = new Set<DirectedBody>();
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

function directFrame(bodies: ReadonlySet<DirectedBody>, scene: Scene, camera: Camera, turns: Turn[]): void {
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
function drawBody(body: DirectedBody, now: number): void {
  try {
    body.draw(Number.isFinite(body.drawnAt) ? (now - body.drawnAt) / 1000 : 0);
  } catch (error) {
    console.error(error);
    body.enabled = false;
  }
}

function isSeen({ meshes }: DirectedBody, scene: Scene): boolean {
  return meshes.some((mesh) => {
    let object: Object3D | null = mesh;
    while (object?.visible && object !== scene) object = object.parent;
    return object === scene;
  });
}
