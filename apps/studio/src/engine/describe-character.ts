/** What the page must know of a character to draw it, list its joints and clips and place the camera. */
import { type Character, createFrameSource, createPose, planBody, samplePose } from '@isoskin/core';
import { measureWorldMatrices } from '@isoskin/core/kernels';
import { gatherPaint, measureBox } from '@isoskin/core/mesh';
import type { ReadResult } from '@isoskin/gltf';
import { unpainted } from '../state/brush.js';
import { packWeights } from '../state/skin-weights.js';
import type { Paint, PaintChannel } from '../state/studio-document.js';
import { PAINT_ATTRIBUTES, PAINT_CHANNELS } from './paint-stack.js';
import type { CharacterFacts, FileFacts, JointFacts, SkinFacts } from './protocol.js';

/** Poses of each clip that the camera's box is taken over. */
const SAMPLES = 6;
/** Above this many vertices the box is that of the rest pose: it is about the camera only. */
const MANY = 200_000;

export function describeCharacter(character: Character, file?: ReadResult): CharacterFacts {
  const { surface } = character;
  return {
    name: character.name,
    vertexCount: surface.vertexCount,
    triangles: surface.triangles.slice(),
    rest: Float32Array.from(surface.positions),
    bounds: measurePoses(character),
    joints: listJoints(character),
    restNodes: measureRestNodes(character),
    clips: character.clips.map(({ name, duration }) => ({ name, duration })),
    warnings: character.warnings.map(({ code, message }) => ({ code, message })),
    paint: readPaint(character),
    skin: describeSkin(character, file),
    ...(file && { file: describeFile(file) }),
  };
}

function describeFile({ character, sources, nodeIndices }: ReadResult): FileFacts {
  return {
    nodes: nodeIndices,
    parts: sources.map(({ nodeIndex, meshIndex, primitiveIndex }, p) => ({
      node: nodeIndex,
      mesh: meshIndex,
      primitive: primitiveIndex,
      welded: character.parts[p]!.welded.slice(),
    })),
  };
}

/** What weights are painted with: a mesh hangs on the bones of its own skin alone. */
function describeSkin({ surface, skeleton, binding, parts }: Character, file?: ReadResult): SkinFacts {
  const all = Array.from(skeleton.boneNodes.keys());
  const vertexGroup = new Uint32Array(surface.vertexCount);
  if (file) for (const { welded, group } of parts) for (const k of welded) vertexGroup[k] = group;
  return {
    weights: packWeights(binding),
    boneNodes: skeleton.boneNodes.slice(),
    vertexGroup,
    boneOfNode: (file?.bonesOfGroup ?? [all]).map((bones) => {
      const own = new Int32Array(skeleton.nodeCount).fill(-1);
      for (const bone of bones) own[skeleton.boneNodes[bone]!] = bone;
      return own;
    }),
  };
}

function measurePoses(character: Character): number[] {
  if (character.surface.vertexCount > MANY) return measureBox(character.surface.positions);
  const stack = createFrameSource(planBody(character), { skin: {} });
  const pose = createPose(character);
  const box = measureBox(stack.evaluate(pose).skinned);
  for (const clip of character.clips.slice(0, 4)) {
    for (let n = 0; n < SAMPLES; n++) {
      samplePose(pose, character, clip, (clip.duration * n) / SAMPLES);
      measureBox(stack.evaluate(pose).skinned, box);
    }
  }
  return box;
}

function measureRestNodes(character: Character): Float32Array {
  const world = new Float64Array(16 * character.skeleton.nodeCount);
  measureWorldMatrices(world, character.skeleton, createPose(character).locals);
  return Float32Array.from(world);
}

function listJoints({ skeleton }: Character): JointFacts[] {
  const isJoint = new Set(skeleton.boneNodes);
  const depths = new Map<number, number>();
  const joints: JointFacts[] = [];
  for (let node = 0; node < skeleton.nodeCount; node++) {
    if (!isJoint.has(node)) continue;
    let parent = skeleton.parents[node]!;
    while (parent >= 0 && !isJoint.has(parent)) parent = skeleton.parents[parent]!;
    const depth = parent < 0 ? 0 : depths.get(parent)! + 1;
    depths.set(node, depth);
    joints.push({ node, name: skeleton.names[node] || `joint ${node}`, parent, depth });
  }
  return joints;
}

function readPaint(character: Character): Paint {
  const has = (name: string) => character.parts.some((part) => part.paint.has(name));
  const used = PAINT_CHANNELS.filter((channel) => has(PAINT_ATTRIBUTES[channel]));
  const read = (channel: PaintChannel) => gatherPaint(character, PAINT_ATTRIBUTES[channel], unpainted(channel));
  return Object.fromEntries(used.map((channel) => [channel, Float32Array.from(read(channel))]));
}
