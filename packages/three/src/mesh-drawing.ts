/**
 * What a SkinnedMesh draws under a stack that is more than shapes: a geometry with positions and normals of its own that shares everything
 * else, drawn without skinning. The object itself stays in the scene, so material, shadows, layers, visibility, order, parent
 * and every reference to it stay as they are; `hide` gives the original back.
 */
import { Box3, type BufferAttribute, BufferGeometry, Mesh, type SkinnedMesh, Sphere } from 'three';
import type { Drawing } from './path.js';
import { refreshMaterials } from './refresh-materials.js';

export interface DrawnAttributes {
  readonly position: BufferAttribute;
  readonly normal?: BufferAttribute | undefined;
  readonly tangent?: BufferAttribute | undefined;
  /** Triangles of its own, where the mesh is refined: index, the part of it that is drawn, groups and other attributes. */
  readonly index?: BufferAttribute;
  readonly drawRange?: { start: number; count: number };
  readonly groups?: BufferGeometry['groups'];
  readonly others?: ReadonlyMap<string, BufferAttribute>;
}

/** Attributes that are replaced, or that only skinning needs. */
export const OWN_ATTRIBUTES: ReadonlySet<string> = new Set([
  'position',
  'normal',
  'tangent',
  'skinIndex',
  'skinWeight',
]);

export class MeshDrawing implements Drawing {
  readonly mesh: SkinnedMesh;
  readonly original: BufferGeometry;
  readonly geometry: BufferGeometry;
  readonly box = new Box3();
  readonly sphere = new Sphere();
  /** Null is what three.js has there before it computes them, whatever its types say. */
  #before: { box: Box3; sphere: Sphere } | undefined;

  constructor(mesh: SkinnedMesh, attributes: DrawnAttributes) {
    this.mesh = mesh;
    this.original = mesh.geometry;
    this.geometry = deriveGeometry(this.original, attributes);
    this.geometry.boundingBox = this.box;
    this.geometry.boundingSphere = this.sphere;
  }

  show(): void {
    const { mesh, geometry } = this;
    if (this.#before) return;
    this.#before = { box: mesh.boundingBox, sphere: mesh.boundingSphere };
    mesh.geometry = geometry;
    mesh.boundingBox = this.box;
    mesh.boundingSphere = this.sphere;
    // The renderers look at this flag alone to skin or not; it is a constant only in the types.
    (mesh as { isSkinnedMesh: boolean }).isSkinnedMesh = false;
    mesh.getVertexPosition = (index, target) => Mesh.prototype.getVertexPosition.call(mesh, index, target);
    mesh.clone = (recursive) => this.#clone(recursive);
    refreshMaterials(mesh);
  }

  hide(): void {
    const { mesh } = this;
    if (!this.#before) return;
    mesh.geometry = this.original;
    mesh.boundingBox = this.#before.box;
    mesh.boundingSphere = this.#before.sphere;
    (mesh as { isSkinnedMesh: boolean }).isSkinnedMesh = true;
    // Own properties hid the methods of the class.
    Reflect.deleteProperty(mesh, 'getVertexPosition');
    Reflect.deleteProperty(mesh, 'clone');
    this.#before = undefined;
    refreshMaterials(mesh);
  }

  dispose(): void {
    this.hide();
    this.#freeGeometry();
  }

  /** A clone is an ordinary SkinnedMesh of the original, to be preserved (with the same plan) in its turn. */
  #clone(recursive?: boolean): SkinnedMesh {
    const clone = Object.getPrototypeOf(this.mesh).clone.call(this.mesh, recursive) as SkinnedMesh;
    clone.geometry = this.original;
    clone.boundingBox = this.#before?.box?.clone() ?? (null as never);
    clone.boundingSphere = this.#before?.sphere?.clone() ?? (null as never);
    return clone;
  }

  #freeGeometry(): void {
    // Renderers free all attributes of a geometry: keep those that belong to the original.
    for (const name of Object.keys(this.geometry.attributes)) {
      if (this.geometry.attributes[name] === this.original.attributes[name]) this.geometry.deleteAttribute(name);
    }
    if (this.geometry.index === this.original.index) this.geometry.setIndex(null);
    this.geometry.dispose();
  }
}

function deriveGeometry(original: BufferGeometry, attributes: DrawnAttributes): BufferGeometry {
  const { position, normal, tangent, index, drawRange, groups, others } = attributes;
  const geometry = new BufferGeometry();
  geometry.name = original.name;
  geometry.userData = original.userData;
  geometry.setIndex(index ?? original.index);
  for (const [name, attribute] of Object.entries(original.attributes)) {
    if (!OWN_ATTRIBUTES.has(name)) geometry.setAttribute(name, others?.get(name) ?? attribute);
  }
  geometry.setAttribute('position', position);
  if (normal) geometry.setAttribute('normal', normal);
  if (tangent) geometry.setAttribute('tangent', tangent);
  geometry.groups = groups ?? original.groups;
  geometry.drawRange = drawRange ?? original.drawRange;
  return geometry;
}
