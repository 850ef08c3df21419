/**
 * A SkinnedMesh whose shapes are looked up by the shader, a few per vertex, instead of one morph target each. Geometry and material are the file's own with an attribute
 * and a step more; `hide` gives the original back.
 */
import { addSparsePush, planSparseShapes, type SparseShapes } from '@isoskin/core/sparse';
import {
  Box3,
  BufferAttribute,
  type BufferGeometry,
  DataTexture,
  IntType,
  type Material,
  Mesh,
  MeshDepthMaterial,
  MeshDistanceMaterial,
  REVISION,
  RGBADepthPacking,
  RGIntegerFormat,
  type SkinnedMesh,
  Sphere,
  type Vector3,
  Vector4,
} from 'three';
import { type DerivedMaterial, deriveMaterial } from './derive-material.js';
import type { ShapesOpener } from './open-morphs.js';
import type { Drawing } from './path.js';
import type { BodyPlan } from './plan-body.js';
import type { freeShapeGeometry, shareGeometry } from './shape-geometry.js';
import { sparseShaders } from './sparse-shaders.js';

/** What a shader gets of the shapes of one body. */
export interface SparseData {
  readonly uniforms: {
    readonly isoskinPairs: { readonly value: DataTexture };
    readonly isoskinAmounts: { readonly value: Float32Array };
  };
  /** The same amounts, for nodes. */
  readonly vectors: Vector4[];
  /** Pairs in the longest list. */
  readonly most: number;
}

/** How shapes get into materials: the shaders of a WebGLRenderer, or `sparseNodes` of @isoskin/three/webgpu. */
export interface SparsePatch {
  readonly kind: 'shaders' | 'nodes';
  /** What a material derived from `original` has of its own. */
  patch(original: Material, data: SparseData): object;
}

interface SparseGeometry {
  readonly geometry: BufferGeometry;
  readonly shapes: SparseShapes;
  readonly texture: DataTexture;
  readonly most: number;
}

interface Shared {
  readonly geometries: readonly SparseGeometry[];
  users: number;
}

const PROPERTIES = [
  'geometry',
  'material',
  'customDepthMaterial',
  'customDistanceMaterial',
  'boundingBox',
  'boundingSphere',
] as const;

/** Release of three.js. */
const FIRST_DEPTH_TEXTURES = 182;

/** By plan, for each kind: a WebGPURenderer wants another texture. */
const shared = { shaders: new WeakMap<BodyPlan, Shared>(), nodes: new WeakMap<BodyPlan, Shared>() };

/** What a page has loaded already: this file imports nothing that it shares with the others, so that bundlers cut them in two and no more. */
interface Tools {
  readonly shareGeometry: typeof shareGeometry;
  readonly freeShapeGeometry: typeof freeShapeGeometry;
}

export function createSparseOpener(tools: Tools, patch: SparsePatch = sparseShaders): ShapesOpener {
  const plans = shared[patch.kind];
  return (meshes, plan) => {
    const own = plans.get(plan) ?? createShared(meshes, plan, patch.kind, tools);
    plans.set(plan, own);
    own.users++;
    return {
      drawings: meshes.map((mesh, m) => new SparseDrawing(mesh, own.geometries[m]!, patch)),
      close() {
        if (--own.users > 0) return;
        plans.delete(plan);
        for (const { geometry, texture } of own.geometries) {
          tools.freeShapeGeometry({ geometry }, { isoskin: geometry.attributes.isoskin! });
          texture.dispose();
        }
      },
    };
  };
}

class SparseDrawing implements Drawing {
  readonly mesh: SkinnedMesh;
  readonly box = new Box3();
  readonly sphere = new Sphere();
  readonly #source: SparseGeometry;
  readonly #patch: SparsePatch;
  readonly #data: SparseData;
  /** By original and by derived one. */
  readonly #materials = new Map<Material, DerivedMaterial>();
  readonly #amounts: Float64Array;
  #before: Partial<SkinnedMesh> | undefined;

  constructor(mesh: SkinnedMesh, source: SparseGeometry, patch: SparsePatch) {
    this.mesh = mesh;
    this.#source = source;
    this.#patch = patch;
    const { steps } = source.shapes;
    // Few sizes, so that characters share programs.
    const size = 8 * Math.ceil(steps.length / 32);
    const values = new Float32Array(4 * size);
    this.#amounts = new Float64Array(steps.length / 2);
    this.#data = {
      uniforms: { isoskinPairs: { value: source.texture }, isoskinAmounts: { value: values } },
      vectors: Array.from({ length: size }, () => new Vector4()),
      most: source.most,
    };
  }

  get geometry() {
    return this.#source.geometry;
  }

  show(): void {
    if (this.#before) return;
    const { mesh } = this;
    this.#before = Object.fromEntries(
      PROPERTIES.filter((key) => Object.hasOwn(mesh, key)).map((key) => [key, mesh[key]]),
    );
    mesh.geometry = this.geometry;
    mesh.boundingBox = this.box;
    mesh.boundingSphere = this.sphere;
    if (this.#patch.kind === 'shaders') {
      mesh.customDepthMaterial = this.#derive(mesh.customDepthMaterial ?? createDepthMaterial());
      mesh.customDistanceMaterial = this.#derive(mesh.customDistanceMaterial ?? new MeshDistanceMaterial());
    }
    mesh.getVertexPosition = (index, target) => this.#placeVertex(index, target);
    mesh.clone = (recursive) => this.#clone(recursive);
  }

  write(amounts: Float64Array): void {
    const { mesh } = this;
    const { steps } = this.#source.shapes;
    const { value } = this.#data.uniforms.isoskinAmounts;
    this.#amounts.set(amounts);
    for (let i = 0; i < steps.length; i++) value[i] = steps[i]! * amounts[i >> 1]!;
    for (const [i, vector] of this.#data.vectors.entries()) vector.fromArray(value, 4 * i);
    // Whoever gives the mesh another material sees it, with the shapes.
    const { material } = mesh;
    if (Array.isArray(material)) mesh.material = material.map((each) => this.#derive(each));
    else mesh.material = this.#derive(material);
  }

  hide(): void {
    const { mesh } = this;
    const before = this.#before;
    if (!before) return;
    this.#before = undefined;
    // Whoever has given the mesh another geometry or material meanwhile keeps it.
    if (mesh.geometry !== this.geometry) delete before.geometry;
    before.material = this.#findOriginals(mesh);
    for (const key of PROPERTIES) if (!Object.hasOwn(before, key)) Reflect.deleteProperty(mesh, key);
    Object.assign(mesh, before);
    Reflect.deleteProperty(mesh, 'getVertexPosition');
    Reflect.deleteProperty(mesh, 'clone');
    for (const derived of this.#materials.values()) derived.handBack();
  }

  dispose(): void {
    this.hide();
    for (const derived of this.#materials.values()) derived.dispose();
    this.#materials.clear();
  }

  #derive(material: Material): Material {
    let known = this.#materials.get(material);
    if (!known) {
      known = deriveMaterial(material, this.#patch.patch(material, this.#data));
      this.#materials.set(material, known).set(known.material, known);
    }
    return known.material;
  }

  #findOriginals({ material }: SkinnedMesh): Material | Material[] {
    const find = (each: Material) => this.#materials.get(each)?.original ?? each;
    return Array.isArray(material) ? material.map(find) : find(material);
  }

  /** What SkinnedMesh does, with the push in between. */
  #placeVertex(index: number, target: Vector3): Vector3 {
    const { mesh } = this;
    Mesh.prototype.getVertexPosition.call(mesh, index, target);
    const place = target.toArray();
    addSparsePush(place, index, this.#source.shapes, this.#amounts);
    mesh.applyBoneTransform(index, target.fromArray(place));
    return target;
  }

  /** An ordinary SkinnedMesh of the original, to be preserved (with the same plan) in its turn. */
  #clone(recursive?: boolean): SkinnedMesh {
    const clone = Object.getPrototypeOf(this.mesh).clone.call(this.mesh, recursive) as SkinnedMesh;
    for (const key of PROPERTIES) Reflect.deleteProperty(clone, key);
    return Object.assign(clone, this.#before, { material: this.#findOriginals(this.mesh) });
  }
}

/** As renderers make it themselves: since 0.182 shadows are read from depth textures, before from packed colours. */
function createDepthMaterial(): Material {
  return new MeshDepthMaterial(Number(REVISION) < FIRST_DEPTH_TEXTURES ? { depthPacking: RGBADepthPacking } : {});
}

function createShared(meshes: readonly SkinnedMesh[], plan: BodyPlan, kind: SparsePatch['kind'], tools: Tools): Shared {
  const shapes = planSparseShapes(plan.volume.framePlan(), plan.listTargetMeshes());
  const geometries = meshes.map((mesh, m): SparseGeometry => {
    const { vertices, pairs } = shapes[m]!;
    const geometry = tools.shareGeometry(mesh.geometry);
    const { morphAttributes, morphTargetsRelative } = mesh.geometry;
    const attributes = { ...geometry.attributes, isoskin: new BufferAttribute(vertices, 4) };
    Object.assign(geometry, { attributes, morphAttributes, morphTargetsRelative });
    const width = Math.ceil(Math.sqrt(pairs.length / 2));
    const rows = Math.ceil(pairs.length / 2 / width);
    const words = new Int32Array(2 * width * rows);
    words.set(pairs);
    const texture = new DataTexture(words, width, rows, RGIntegerFormat, IntType);
    if (kind === 'shaders') texture.internalFormat = 'RG32I';
    texture.needsUpdate = true;
    return { geometry, shapes: shapes[m]!, texture, most: measureLongest(pairs) };
  });
  return { geometries, users: 0 };
}

function measureLongest(pairs: Int32Array): number {
  let [most, count] = [0, 0];
  for (let p = 0; p < pairs.length; p += 2) {
    most = Math.max(most, ++count);
    if (pairs[p]! & 0x8000) count = 0;
  }
  return 8 * Math.ceil(most / 8);
}
