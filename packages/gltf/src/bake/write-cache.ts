/** Takes the skins off the baked meshes: they hang on the default scene as they are, in world space, at a corrected pose. */
import type { GLTF } from '@gltf-transform/core';
import type { Warning } from '@isoskin/core';
import { appendAccessor } from '../patch/append-accessor.js';
import type { GltfFile } from '../patch/gltf-file.js';
import { ownMesh, setAttribute } from '../patch/own-mesh.js';
import type { ReadResult } from '../read-character-from-bytes.js';
import { readNumbers } from '../read-numbers.js';
import type { PartPose } from './capture-parts.js';
import type { WrittenGroup } from './write-morphs.js';

/** Returns where each group is now. Its old node stays, empty, for whatever hangs on it or names it. */
export function writeCache(
  file: GltfFile,
  { sources, groupIndices, character }: ReadResult,
  base: readonly PartPose[],
  warnings: Warning[],
): WrittenGroup[] {
  const { json } = file;
  const groups = groupIndices.map((old, group): WrittenGroup => {
    const mesh = ownMesh(file, old);
    const entry = json.meshes![mesh]!;
    const kept: GLTF.IMeshPrimitive[] = [];
    const primitives = new Map<number, number>();
    for (const pose of base) {
      if (character.parts[pose.part]!.group !== group) continue;
      const source = sources[pose.part]!;
      const primitive = entry.primitives[source.primitiveIndex]!;
      primitives.set(pose.part, kept.push(primitive) - 1);
      writePose(file, primitive, pose, readSigns(source.primitive.getAttribute('TANGENT')));
      delete primitive.targets;
    }
    if (kept.length < entry.primitives.length) {
      const message = 'Points or lines of a skinned mesh cannot follow a cache without a skin; they are left out';
      warnings.push({ code: 'CACHE_NOT_TRIANGLES', message, place: entry.name ?? '' });
    }
    entry.primitives = kept;
    delete entry.weights;
    if (entry.extras?.targetNames) {
      const { targetNames: _, ...extras } = entry.extras;
      entry.extras = extras;
    }
    return { node: moveToScene(json, old, mesh), mesh, primitives };
  });
  // An unused skin is no harm, but a file that needs none at all should say so.
  if (json.nodes!.every(({ skin }) => skin === undefined)) delete json.skins;
  return groups;
}

/** A node of its own in the default scene, or the first; the old one gives up its mesh and the channels that morph it. */
function moveToScene(json: GLTF.IGLTF, old: number, mesh: number): number {
  const { name, extras } = json.nodes![old]!;
  const node = json.nodes!.push({ ...(name !== undefined && { name }), mesh, ...(extras && { extras }) }) - 1;
  const scene = json.scenes?.[json.scene ?? 0];
  if (scene) scene.nodes = [...(scene.nodes ?? []), node];
  const entry = json.nodes![old]!;
  delete entry.mesh;
  delete entry.skin;
  delete entry.weights;
  for (const animation of json.animations ?? []) {
    if (!animation.channels) continue;
    animation.channels = animation.channels.filter(({ target }) => target.node !== old || target.path !== 'weights');
  }
  return node;
}

function writePose(
  file: GltfFile,
  primitive: GLTF.IMeshPrimitive,
  { position, normal, tangent }: PartPose,
  signs: ArrayLike<number> | undefined,
): void {
  const set = (semantic: string, array: Float32Array<ArrayBuffer>, type: 'VEC3' | 'VEC4') =>
    setAttribute(
      primitive,
      semantic,
      appendAccessor(file, { type, array, usage: 'vertex', range: semantic === 'POSITION' }),
    );
  set('POSITION', Float32Array.from(position), 'VEC3');
  if (normal) set('NORMAL', Float32Array.from(normal), 'VEC3');
  if (tangent && signs) {
    const array = new Float32Array((4 * tangent.length) / 3);
    for (let v = 0; 4 * v < array.length; v++) {
      array.set(tangent.subarray(3 * v, 3 * v + 3), 4 * v);
      array[4 * v + 3] = signs[4 * v + 3]! < 0 ? -1 : 1;
    }
    set('TANGENT', array, 'VEC4');
  }
  for (const semantic of Object.keys(primitive.attributes)) {
    if (/^(JOINTS|WEIGHTS)_\d+$/.test(semantic)) setAttribute(primitive, semantic, undefined);
  }
}

function readSigns(tangents: Parameters<typeof readNumbers>[0] | null): ArrayLike<number> | undefined {
  return tangents ? readNumbers(tangents, 4, 'TANGENT') : undefined;
}
