/** Puts what was added to a file, or changed in it, into the document that the file was written from: object n is object n. */
import type { Accessor, Animation, Document, GLTF, Mesh, Primitive } from '@gltf-transform/core';
import { KHRMeshQuantization } from '@gltf-transform/extensions';
import type { GltfFile } from '../patch/gltf-file.js';
import { readAccessor, readAccessorNumbers } from '../patch/read-accessor.js';

/** @param before JSON that the document was written as; `after` the same file, patched. */
export function applyPatch(document: Document, before: GLTF.IGLTF, after: GltfFile): void {
  const root = document.getRoot();
  const [meshes, nodes, animations] = [root.listMeshes(), root.listNodes(), root.listAnimations()];
  const { json } = after;
  const isNew = (accessor: number | undefined): accessor is number =>
    accessor !== undefined && accessor >= (before.accessors?.length ?? 0);
  const take = createAccessors(document, after);
  const replaced = new Set<Accessor>();
  const drop = (accessor: Accessor | null): void => {
    if (accessor) replaced.add(accessor);
  };

  json.nodes?.forEach(({ mesh, weights }, n) => {
    const old = before.nodes![n]!;
    if (mesh !== undefined && mesh !== old.mesh) {
      meshes[mesh] ??= copyMesh(meshes[old.mesh!]!);
      nodes[n]!.setMesh(meshes[mesh]!);
    }
    if (weights) nodes[n]!.setWeights(weights);
  });
  json.meshes?.forEach((entry, m) => {
    const mesh = meshes[m]!;
    const names = Object(entry.extras).targetNames as readonly string[] | undefined;
    entry.primitives.forEach((primitive, p) => {
      const own = mesh.listPrimitives()[p]!;
      patchPrimitive(document, own, primitive, isNew, take, drop);
      own.listTargets().forEach((target, t) => {
        target.setName(names?.[t] ?? target.getName());
      });
    });
    mesh.setWeights(entry.weights ?? []);
    if (entry.extras) mesh.setExtras({ ...entry.extras });
  });
  json.animations?.forEach((entry, a) => {
    patchAnimation(document, animations[a]!, entry, isNew, take, drop);
  });
  for (const accessor of replaced) if (accessor.listParents().every((parent) => parent === root)) accessor.dispose();
}

type IsNew = (accessor: number | undefined) => accessor is number;
type Take = (accessor: number) => Accessor;
type Drop = (accessor: Accessor | null) => void;

/**
 * An accessor of the file as one of the document, made when it is first asked for. Sparse ones become floats: glTF-Transform 4.5 writes
 * fractions that are both sparse and normalised as integers, that is as 0.
 */
function createAccessors(document: Document, file: GltfFile): Take {
  const made = new Map<number, Accessor>();
  const buffer = document.getRoot().listBuffers()[0] ?? document.createBuffer();
  return (index) => {
    const known = made.get(index);
    if (known) return known;
    const { type, normalized = false, sparse, bufferView } = file.json.accessors![index]!;
    const isSparse = sparse !== undefined || bufferView === undefined;
    const array = isSparse ? Float32Array.from(readAccessorNumbers(file, index)!) : readAccessor(file, index)!;
    const isFraction = normalized && !(array instanceof Float32Array);
    const accessor = document.createAccessor().setType(type).setArray(array).setBuffer(buffer);
    accessor.setNormalized(isFraction).setSparse(isSparse);
    if (isFraction) document.createExtension(KHRMeshQuantization).setRequired(true);
    made.set(index, accessor);
    return accessor;
  };
}

/** A mesh whose primitives can be changed without changing those of the first. */
function copyMesh(mesh: Mesh): Mesh {
  const copy = mesh.clone();
  for (const primitive of copy.listPrimitives()) copy.removePrimitive(primitive).addPrimitive(primitive.clone());
  return copy;
}

function patchPrimitive(
  document: Document,
  primitive: Primitive,
  entry: GLTF.IMeshPrimitive,
  isNew: IsNew,
  take: Take,
  drop: Drop,
): void {
  for (const [semantic, accessor] of Object.entries(entry.attributes)) {
    if (!isNew(accessor)) continue;
    drop(primitive.getAttribute(semantic));
    primitive.setAttribute(semantic, take(accessor));
  }
  if (isNew(entry.indices)) {
    drop(primitive.getIndices());
    primitive.setIndices(take(entry.indices)).setMode(entry.mode ?? 4);
  }
  const targets = primitive.listTargets();
  entry.targets?.forEach((target, t) => {
    const own = targets[t] ?? document.createPrimitiveTarget();
    if (!targets[t]) primitive.addTarget(own);
    for (const [semantic, accessor] of Object.entries(target)) {
      if (!isNew(accessor)) continue;
      drop(own.getAttribute(semantic));
      own.setAttribute(semantic, take(accessor));
    }
  });
  if (entry.extras) primitive.setExtras({ ...entry.extras });
}

function patchAnimation(
  document: Document,
  animation: Animation,
  entry: GLTF.IAnimation,
  isNew: IsNew,
  take: Take,
  drop: Drop,
): void {
  const samplers = animation.listSamplers();
  const channels = animation.listChannels();
  entry.samplers.forEach(({ input, output, interpolation }, s) => {
    if (!samplers[s]) animation.addSampler((samplers[s] = document.createAnimationSampler()));
    const sampler = samplers[s]!;
    if (isNew(input)) {
      drop(sampler.getInput());
      sampler.setInput(take(input));
    }
    if (isNew(output)) {
      drop(sampler.getOutput());
      sampler.setOutput(take(output));
    }
    if (interpolation) sampler.setInterpolation(interpolation);
  });
  entry.channels.forEach(({ sampler, target }, c) => {
    if (!channels[c]) {
      channels[c] = document.createAnimationChannel().setTargetPath(target.path);
      channels[c]!.setTargetNode(document.getRoot().listNodes()[target.node!]!);
      animation.addChannel(channels[c]!);
    }
    channels[c]!.setSampler(samplers[sampler]!);
  });
}
