import { Box3, type SkinnedMesh, Sphere } from 'three';
import type { Drawing } from './path.js';
import type { ShapeGeometry } from './shape-geometry.js';

/** Arrays that renderers hold on to: a mesh gets the same one again. */
const arrays = new WeakMap<SkinnedMesh, number[]>();

const OWN = ['geometry', 'boundingBox', 'boundingSphere', 'morphTargetInfluences', 'morphTargetDictionary'] as const;

/** A SkinnedMesh whose last morph targets are the shapes; it stays what it is, and three.js draws it as any other. */
export class ShapeDrawing implements Drawing {
  readonly mesh: SkinnedMesh;
  readonly box = new Box3();
  readonly sphere = new Sphere();
  readonly #shapes: ShapeGeometry;
  #before: Partial<SkinnedMesh> | undefined;

  constructor(mesh: SkinnedMesh, shapes: ShapeGeometry) {
    this.mesh = mesh;
    this.#shapes = shapes;
  }

  get geometry() {
    return this.#shapes.geometry;
  }

  show(): void {
    if (this.#before) return;
    const { mesh } = this;
    const { geometry, first, names } = this.#shapes;
    this.#before = Object.fromEntries(OWN.filter((key) => Object.hasOwn(mesh, key)).map((key) => [key, mesh[key]]));
    mesh.geometry = geometry;
    mesh.boundingBox = this.box;
    mesh.boundingSphere = this.sphere;
    mesh.morphTargetDictionary = { ...mesh.morphTargetDictionary };
    for (const [t, name] of names.entries()) mesh.morphTargetDictionary[name] = first + t;
    // The array stays the same: animations of the file are bound to it.
    mesh.morphTargetInfluences ??= arrays.get(mesh) ?? [];
    arrays.set(mesh, mesh.morphTargetInfluences);
  }

  /** λ into the influences. */
  write(amounts: Float64Array): void {
    const { first, shapes } = this.#shapes;
    const influences = (this.mesh.morphTargetInfluences ??= []);
    while (influences.length < first) influences.push(0);
    for (let t = 0; t < shapes.length; t++) influences[first + t] = amounts[shapes[t]!]!;
  }

  hide(): void {
    const { mesh } = this;
    const before = this.#before;
    if (!before) return;
    this.#before = undefined;
    if (mesh.morphTargetInfluences) mesh.morphTargetInfluences.length = this.#shapes.first;
    // Whoever has given the mesh another geometry meanwhile keeps it.
    if (mesh.geometry !== this.geometry) delete before.geometry;
    for (const key of OWN) {
      if (key !== 'geometry' && !Object.hasOwn(before, key)) Reflect.deleteProperty(mesh, key);
    }
    Object.assign(mesh, before);
  }

  dispose(): void {
    this.hide();
  }
}
