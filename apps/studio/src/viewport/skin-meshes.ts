/** The two surfaces that are compared, skinned and corrected, over one index buffer, with a wireframe each. */
import { BufferAttribute, BufferGeometry, DynamicDrawUsage, LineBasicMaterial, LineSegments, Mesh } from 'three';
import type { CharacterFacts, FrameArrays, RefinedArrays } from '../engine/protocol.js';
import { createSurfaceMaterial, type SurfaceMaterial } from './surface-material.js';

export interface SkinMeshes {
  readonly skinned: SkinMesh;
  readonly corrected: SkinMesh;
  setFrame(arrays: FrameArrays, refined?: RefinedArrays): void;
  setRegions(vertexRegion: Float32Array): void;
  /** Made when first asked for: a large character has millions of edges. */
  setWireframe(isShown: boolean, colour: number): void;
  dispose(): void;
}

export interface SkinMesh {
  readonly mesh: Mesh;
  readonly surface: SurfaceMaterial;
}

export function createSkinMeshes(facts: CharacterFacts): SkinMeshes {
  const index = new BufferAttribute(facts.triangles, 1);
  const region = new BufferAttribute(new Float32Array(facts.vertexCount).fill(-1), 1);
  const create = (): SkinMesh => {
    const geometry = new BufferGeometry();
    const dynamic = (array: Float32Array, size: number) => new BufferAttribute(array, size).setUsage(DynamicDrawUsage);
    geometry.setIndex(index);
    geometry.setAttribute('position', dynamic(facts.rest.slice(), 3));
    geometry.setAttribute('normal', dynamic(new Float32Array(facts.rest.length), 3));
    geometry.setAttribute('value', dynamic(new Float32Array(facts.vertexCount), 1));
    geometry.setAttribute('region', region);
    const surface = createSurfaceMaterial();
    const mesh = new Mesh(geometry, surface.material);
    mesh.frustumCulled = false; // the box of a moving skin is not worth measuring
    mesh.visible = false;
    return { mesh, surface };
  };
  const skinned = create();
  const corrected = create();
  /** Of the skinned, the corrected and the folded surface. */
  let wires: Wire[] = [];
  let isWired = false;
  /** Triangles that the wire of the folded surface was made of. */
  let wired: unknown;

  const flat = corrected.mesh.geometry;
  const folded = createFoldedGeometry();
  const write = ({ mesh }: SkinMesh, name: string, array: Float32Array) => {
    const geometry = mesh === corrected.mesh ? flat : mesh.geometry;
    const attribute = geometry.getAttribute(name) as BufferAttribute;
    attribute.array = array;
    attribute.needsUpdate = true;
  };

  const showWires = () => {
    const isFolded = corrected.mesh.geometry === folded.geometry;
    wires.forEach((wire, n) => {
      wire.visible = isWired && (n === 0 || isFolded === (n === 2));
    });
    const index = folded.geometry.getIndex();
    if (!isWired || !isFolded || !index) return;
    const { geometry } = wires[2]!;
    geometry.setAttribute('position', folded.geometry.getAttribute('position'));
    if (wired !== index) geometry.setIndex(new BufferAttribute(listEdges(index.array as Uint32Array), 1));
    wired = index;
  };

  return {
    skinned,
    corrected,
    setFrame(arrays, refined) {
      if (refined) folded.set(refined);
      corrected.mesh.geometry = refined ? folded.geometry : flat;
      showWires();
      write(corrected, 'position', arrays.positions);
      write(corrected, 'normal', arrays.normals);
      write(corrected, 'value', arrays.values);
      write(skinned, 'position', arrays.skinned);
      write(skinned, 'normal', arrays.skinnedNormals);
      write(skinned, 'value', arrays.skinnedValues);
    },
    setRegions(vertexRegion) {
      region.array.set(vertexRegion);
      region.needsUpdate = true;
    },
    setWireframe(isShown, colour) {
      if (isShown && wires.length === 0) {
        const edges = new BufferAttribute(listEdges(facts.triangles), 1);
        wires = [createWire(skinned.mesh), createWire(corrected.mesh), createWire(corrected.mesh)];
        [skinned.mesh.geometry, flat].forEach((geometry, n) => {
          wires[n]!.geometry.setIndex(edges).setAttribute('position', geometry.getAttribute('position'));
        });
      }
      isWired = isShown;
      for (const wire of wires) wire.material.color.set(colour);
      showWires();
    },
    dispose() {
      flat.dispose();
      folded.geometry.dispose();
      for (const { mesh, surface } of [skinned, corrected]) {
        mesh.geometry.dispose();
        surface.material.dispose();
        mesh.removeFromParent();
      }
      for (const wire of wires) wire.geometry.dispose();
    },
  };
}

/** The geometry of a surface that wrinkles fold: its triangles change, its arrays are new in every frame. */
function createFoldedGeometry() {
  const geometry = new BufferGeometry();
  const attribute = (name: string, array: Float32Array, size: number) => {
    const present = geometry.getAttribute(name) as BufferAttribute | undefined;
    if (present?.array.length === array.length) {
      present.array = array;
      present.needsUpdate = true;
    } else geometry.setAttribute(name, new BufferAttribute(array, size).setUsage(DynamicDrawUsage));
  };
  return {
    geometry,
    set({ positions, normals, values, regions, triangles }: RefinedArrays) {
      attribute('position', positions, 3);
      attribute('normal', normals, 3);
      attribute('value', values, 1);
      if (!triangles || triangles === geometry.index?.array) return;
      if (regions) attribute('region', regions, 1);
      geometry.setIndex(new BufferAttribute(triangles, 1));
    },
  };
}

type Wire = LineSegments<BufferGeometry, LineBasicMaterial>;

function createWire(mesh: Mesh): Wire {
  const wire = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ transparent: true, opacity: 0.22 }));
  wire.frustumCulled = false;
  mesh.add(wire);
  return wire;
}

/** The edges of every triangle; inner ones come twice, which costs less than to find out. */
function listEdges(triangles: Uint32Array): Uint32Array {
  const out = new Uint32Array(2 * triangles.length);
  for (let i = 0; i < triangles.length; i++) {
    out[2 * i] = triangles[i]!;
    out[2 * i + 1] = triangles[i % 3 === 2 ? i - 2 : i + 1]!;
  }
  return out;
}
