/**
 * A character whose stack folds its skin, as a file with the finer mesh in it: refined once, as far as any sample needs (H8).
 *
 * New vertices are the means of the ends of their edge in every attribute, skin weight and morph target, on their own side of
 * every seam; old ones keep their place and number. The stack still runs on the coarse character and answers with the fine
 * surface, flat where nothing folds, so that everything behind it bakes the fine mesh as if it were any other.
 */
import type { Accessor, GLTF, Primitive } from '@gltf-transform/core';
import { type Frame, type FrameSource, planBody } from '@isoskin/core';
import { planVolume } from '@isoskin/core/kernels';
import { listUsedLayers } from '@isoskin/core/stack';
import { createRefinedTopology, type PartRefinement, planPartRefinement, type Wrinkles } from '@isoskin/core/wrinkles';
import { FAN, listTriangles, STRIP, TRIANGLES } from '../list-triangles.js';
import { appendAccessor } from '../patch/append-accessor.js';
import { copyFile, type ElementType, type GltfFile, type NumberArray } from '../patch/gltf-file.js';
import { ownMesh, primitiveOf, setAttribute } from '../patch/own-mesh.js';
import { writeGlb } from '../patch/write-glb.js';
import type { ReadResult } from '../read-character-from-bytes.js';
import { interpolateAttribute, interpolateSkin } from './interpolate-attributes.js';
import type { Sample } from './list-samples.js';

export interface RefinedDocument {
  /** The refined file. */
  readonly read: ReadResult;
  /** Answers with surfaces of its character. */
  readonly stack: FrameSource;
}

/** Undefined where no sample folds anything: bake it as it is. */
export async function refineDocument(
  read: ReadResult,
  stack: FrameSource,
  samples: readonly Sample[],
): Promise<RefinedDocument | undefined> {
  const { wrinkles } = stack;
  if (!wrinkles) return undefined;
  const folded = listFolded(stack, wrinkles, samples);
  if (folded.length === 0) return undefined;
  const topology = createRefinedTopology(wrinkles.plan);
  const levels = wrinkles.listLevels(folded);
  topology.update(levels);
  const { character, groupIndices, sources } = read;
  const file = copyFile(read.file);
  const meshes = groupIndices.map((node) => ownMesh(file, node));
  const toRefined = character.parts.map(({ group, welded }, p) => {
    const { primitive, primitiveIndex } = sources[p]!;
    const triangles = readTriangles(primitive);
    const part = planPartRefinement(wrinkles.plan, character.surface.triangles, triangles, welded);
    const written = primitiveOf(file, meshes[group]!, primitiveIndex);
    return refinePrimitive(file, written, primitive, part, levels, topology.used);
  });
  const fine = await read.reopen(await writeGlb(file));
  const vertices = new Uint32Array(fine.character.surface.vertexCount);
  fine.character.parts.forEach(({ welded }, p) => {
    welded.forEach((v, i) => {
      vertices[v] = toRefined[p]![i]!;
    });
  });
  return { read: fine, stack: createRefinedStack(stack, wrinkles, fine, vertices) };
}

/** Tools that some sample folds; the search ends when all do. */
function listFolded(stack: FrameSource, { tools }: Wrinkles, samples: readonly Sample[]): number[] {
  const folded = new Set<number>();
  for (const { clip, time } of samples) {
    if (folded.size === tools.length) break;
    if (!stack.seek(stack.character.clips[clip], time).refined) continue;
    for (const [k, { lost }] of tools.entries()) if (lost > 0) folded.add(k);
  }
  return [...folded];
}

function readTriangles(primitive: Primitive): ArrayLike<number> {
  const indices = primitive.getIndices()?.getArray() ?? undefined;
  const count = primitive.getAttribute('POSITION')!.getCount();
  const mode = primitive.getMode();
  if (mode === STRIP || mode === FAN) {
    return listTriangles(mode, indices, count, indices ? 2 ** (8 * indices.BYTES_PER_ELEMENT) - 1 : -1);
  }
  const all = indices ?? Uint32Array.from({ length: count }, (_, i) => i);
  return all.subarray(0, all.length - (all.length % 3));
}

/** Writes the finer primitive; returns source vertex → refined vertex. */
function refinePrimitive(
  file: GltfFile,
  fine: GLTF.IMeshPrimitive,
  primitive: Primitive,
  part: PartRefinement,
  levels: Uint8Array,
  used: Uint8Array,
): Uint32Array {
  const { baseCount, vertexCount, toRefined } = part;
  // Vertices that no sample needs are left out; parents stand before their children, so one pass renumbers them.
  const place = new Int32Array(vertexCount).fill(-1);
  const kept: number[] = [];
  const parents: number[] = [];
  for (let v = 0; v < vertexCount; v++) {
    if (v >= baseCount && !used[toRefined[v]!]) continue;
    place[v] = kept.push(v) - 1;
    if (v < baseCount) continue;
    const at = 2 * (v - baseCount);
    parents.push(place[part.parents[at]!]!, place[part.parents[at + 1]!]!);
  }
  const refined = Uint32Array.from(kept, (v) => toRefined[v]!);
  if (parents.length === 0) return refined;

  const corners = new Uint32Array(part.capacity);
  const written = corners.subarray(0, part.write(corners, levels, used));
  const indices = kept.length < 65535 ? new Uint16Array(written.length) : new Uint32Array(written.length);
  written.forEach((v, i) => {
    indices[i] = place[v]!;
  });
  const append = (name: string, like: Accessor, array: NumberArray): number =>
    appendAccessor(file, {
      type: like.getType() as ElementType,
      array,
      usage: 'vertex',
      normalized: like.getNormalized(),
      range: name === 'POSITION',
    });
  const skin = interpolateSkin(primitive, parents);
  for (const name of primitive.listSemantics()) {
    const accessor = primitive.getAttribute(name)!;
    const array = skin.get(name) ?? interpolateAttribute(name, accessor, parents);
    setAttribute(fine, name, append(name, accessor, array));
  }
  const targets = primitive.listTargets().map((target) => {
    const names = target.listSemantics().map((name): [string, number] => {
      const accessor = target.getAttribute(name)!;
      // Deltas are not unit vectors: they are plain means.
      return [name, append(name, accessor, interpolateAttribute('', accessor, parents))];
    });
    return Object.fromEntries(names);
  });
  if (targets.length > 0) fine.targets = targets;
  fine.indices = appendAccessor(file, { type: 'SCALAR', array: indices, usage: 'index' });
  if (fine.mode !== undefined) fine.mode = TRIANGLES as GLTF.MeshPrimitiveMode;
  if (fine.extensions?.KHR_draco_mesh_compression) {
    const { KHR_draco_mesh_compression: _, ...extensions } = fine.extensions;
    fine.extensions = extensions;
  }
  return refined;
}

/** @param vertices vertex of the fine character → vertex of the refinement */
function createRefinedStack(
  inner: FrameSource,
  wrinkles: Wrinkles,
  fine: ReadResult,
  vertices: Uint32Array,
): FrameSource {
  const { character } = fine;
  const count = character.surface.vertexCount;
  const body = planBody(character);
  const { volume: options } = listUsedLayers(inner.spec);
  const plan = options && planVolume(body, options); // for its regions and targets alone
  const volume = plan && { ...plan, report: plan.createReport() };
  const frame: Frame = {
    ...inner.frame,
    extended: new Float64Array(3 * count),
    positions: new Float64Array(3 * count),
    skinned: new Float64Array(3 * count),
    normals: new Float64Array(3 * count),
    directions: new Float64Array(3 * count),
    refined: undefined,
  };
  const gather = (out: Float64Array, from: Float64Array): void => {
    for (let v = 0; v < count; v++) {
      const at = 3 * vertices[v]!;
      out[3 * v] = from[at]!;
      out[3 * v + 1] = from[at + 1]!;
      out[3 * v + 2] = from[at + 2]!;
    }
  };
  const take = (coarse: Frame): Frame => {
    frame.pose = coarse.pose;
    frame.time = coarse.time;
    frame.dt = coarse.dt;
    frame.bones = coarse.bones;
    const drawn = coarse.refined ?? wrinkles.placeFlat(coarse.positions, coarse.normals);
    gather(frame.positions, drawn.positions);
    gather(frame.normals, drawn.normals);
    frame.extended.set(frame.positions);
    gather(frame.skinned, wrinkles.placeFlat(coarse.skinned, coarse.normals).positions);
    return frame;
  };
  return {
    ...inner,
    body,
    character,
    frame,
    volume,
    evaluate: (pose, time, dt) => take(inner.evaluate(pose, time, dt)),
    seek: (clip, time) => take(inner.seek(clip, time)),
  };
}
