/** One primitive of the file that belongs to the character: its mesh, with room for what the engine says of it. */
import { BufferAttribute, BufferGeometry, DynamicDrawUsage, type Mesh } from 'three';
import type { CharacterFacts, FrameArrays, PartFacts, RefinedArrays } from '../engine/protocol.js';
import { type FoldedPart, foldPart } from './fold-part.js';

export interface AuthorPart {
  readonly mesh: Mesh;
  setFrame(arrays: FrameArrays, refined?: RefinedArrays): void;
  setRegions(vertexRegion: Float32Array): void;
  /** What is drawn next: the surface before, or after, folded where it is. */
  setSide(isAfter: boolean): void;
  dispose(): void;
}

export function createAuthorPart(
  mesh: Mesh,
  { welded }: PartFacts,
  { vertexCount, triangles }: CharacterFacts,
): AuthorPart {
  const add = (name: string, width: number) => {
    const attribute = new BufferAttribute(new Float32Array(width * welded.length), width).setUsage(DynamicDrawUsage);
    geometry.setAttribute(name, attribute);
    return attribute;
  };
  const geometry = share(mesh.geometry);
  mesh.geometry = geometry;
  mesh.frustumCulled = false; // the box of a moving skin is not worth measuring
  const target = add('isoTarget', 3);
  const normal = add('isoNormal', 3);
  const targetNormal = add('isoTargetNormal', 3);
  const facts = add('isoFacts', 4);
  for (let i = 0; i < welded.length; i++) {
    facts.array[4 * i + 2] = -1;
    facts.array[4 * i + 3] = welded[i]! < vertexCount ? 1 : 0; // a vertex of no triangle is not of the surface
  }
  const gather = ({ array }: BufferAttribute, from: Float32Array) => {
    for (let i = 0; i < welded.length; i++) {
      const v = 3 * welded[i]!;
      array[3 * i] = from[v]!;
      array[3 * i + 1] = from[v + 1]!;
      array[3 * i + 2] = from[v + 2]!;
    }
  };
  let folded: FoldedPart | undefined;
  /** What it was folded for. */
  let plan: unknown;
  let isFolded = false;
  const fold = (refined: RefinedArrays | undefined) => {
    isFolded = refined?.plan !== undefined;
    if (!refined?.plan) return;
    if (refined.plan !== plan) {
      folded?.geometry.dispose();
      folded = foldPart(geometry, welded, triangles, refined.plan);
      plan = refined.plan;
    }
    folded!.setFrame(refined);
  };
  return {
    mesh,
    setFrame({ positions, normals, skinnedNormals, values, skinnedValues }, refined) {
      gather(target, positions);
      gather(normal, skinnedNormals);
      gather(targetNormal, normals);
      for (let i = 0; i < welded.length; i++) {
        facts.array[4 * i] = values[welded[i]!] ?? 0;
        facts.array[4 * i + 1] = skinnedValues[welded[i]!] ?? 0;
      }
      for (const attribute of [target, normal, targetNormal, facts]) attribute.needsUpdate = true;
      fold(refined);
    },
    setRegions(vertexRegion) {
      for (let i = 0; i < welded.length; i++) facts.array[4 * i + 2] = vertexRegion[welded[i]!] ?? -1;
      facts.needsUpdate = true;
    },
    setSide(isAfter) {
      mesh.geometry = isAfter && isFolded ? folded!.geometry : geometry;
    },
    dispose() {
      geometry.dispose();
      folded?.geometry.dispose();
    },
  };
}

/** A geometry of its own over the same arrays: nodes may share a mesh. */
function share(original: BufferGeometry): BufferGeometry {
  const geometry = new BufferGeometry();
  for (const [name, attribute] of Object.entries(original.attributes)) geometry.setAttribute(name, attribute);
  geometry.setIndex(original.index);
  geometry.morphAttributes = original.morphAttributes;
  geometry.morphTargetsRelative = original.morphTargetsRelative;
  geometry.groups = original.groups;
  geometry.drawRange = original.drawRange;
  geometry.userData = original.userData;
  return geometry;
}
