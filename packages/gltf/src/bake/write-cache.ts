/** Takes the skins off the baked meshes: they hang on the scene as they are, in world space, at the corrected default pose. */
import type { Accessor, Document, Node, Primitive } from '@gltf-transform/core';
import type { Warning } from '@isoskin/core';
import type { ReadResult } from '../read-character-from-bytes.js';
import type { PartPose } from './capture-parts.js';
import { dropSampler, ownMesh } from './write-targets.js';

/** Returns group → the node that carries its mesh now. */
export function writeCache(read: ReadResult, base: readonly PartPose[], warnings: Warning[]): Node[] {
  const { document, sources, groups, character } = read;
  const root = document.getRoot();
  const nodes = groups.map((old, group) => {
    const { mesh, copies } = ownMesh(document, old);
    const kept = new Set<Primitive>();
    for (const pose of base) {
      if (character.parts[pose.part]!.group !== group) continue;
      const source = sources[pose.part]!.primitive;
      const primitive = copies.get(source)!;
      kept.add(primitive);
      writePose(document, primitive, pose);
      // The sources are looked up by the primitive that is in the file.
      if (primitive !== source) (sources[pose.part] as { primitive: Primitive }).primitive = primitive;
    }
    for (const primitive of mesh.listPrimitives()) {
      for (const target of primitive.listTargets()) primitive.removeTarget(target);
      if (kept.has(primitive)) continue;
      mesh.removePrimitive(primitive);
      const message = 'Points or lines of a skinned mesh cannot follow a cache without a skin; they are left out';
      warnings.push({ code: 'CACHE_NOT_TRIANGLES', message, place: mesh.getName() });
    }
    mesh.setWeights([]);
    const { targetNames: _, ...extras } = mesh.getExtras();
    mesh.setExtras(extras);
    const node = document.createNode(old.getName()).setMesh(mesh).setExtras(old.getExtras());
    for (const scene of root.listScenes()) scene.addChild(node);
    old.setMesh(null).setSkin(null).setWeights([]);
    return node;
  });
  for (const skin of root.listSkins()) if (!root.listNodes().some((node) => node.getSkin() === skin)) skin.dispose();
  for (const old of groups) dropNode(document, old);
  return nodes;
}

function writePose(document: Document, primitive: Primitive, { position, normal, tangent }: PartPose): void {
  const set = (semantic: string, array: Float32Array<ArrayBuffer>, type: 'VEC3' | 'VEC4') => {
    const buffer = document.getRoot().listBuffers()[0] ?? document.createBuffer();
    primitive.setAttribute(semantic, document.createAccessor().setType(type).setArray(array).setBuffer(buffer));
  };
  const sign = primitive.getAttribute('TANGENT');
  set('POSITION', Float32Array.from(position), 'VEC3');
  if (normal) set('NORMAL', Float32Array.from(normal), 'VEC3');
  if (tangent && sign) set('TANGENT', withSign(tangent, sign), 'VEC4');
  for (const semantic of primitive.listSemantics()) {
    if (/^(JOINTS|WEIGHTS)_\d+$/.test(semantic)) primitive.setAttribute(semantic, null);
  }
}

function withSign(tangent: Float64Array, accessor: Accessor): Float32Array<ArrayBuffer> {
  const out = new Float32Array((4 * tangent.length) / 3);
  const element: number[] = [];
  for (let v = 0; 4 * v < out.length; v++) {
    accessor.getElement(v, element);
    out.set([tangent[3 * v]!, tangent[3 * v + 1]!, tangent[3 * v + 2]!, element[3]! < 0 ? -1 : 1], 4 * v);
  }
  return out;
}

/** The old node stays if anything hangs on it or moves it; its weights channels go. */
function dropNode(document: Document, node: Node): void {
  const root = document.getRoot();
  let moves = false;
  for (const animation of root.listAnimations()) {
    for (const channel of animation.listChannels()) {
      if (channel.getTargetNode() !== node) continue;
      if (channel.getTargetPath() !== 'weights') {
        moves = true;
        continue;
      }
      const sampler = channel.getSampler();
      channel.dispose();
      if (sampler && !animation.listChannels().some((one) => one.getSampler() === sampler)) dropSampler(sampler);
    }
  }
  if (!moves && node.listChildren().length === 0 && !root.listSkins().some((skin) => skin.listJoints().includes(node)))
    node.dispose();
}
