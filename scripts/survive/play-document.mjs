/**
 * An independent player gives the triangles that a viewer shows, in world space, with none of isoskin's own code. glTF-Transform reads
 * the file (Draco, meshopt and quantised data too); sampling, morph targets and skinning are written out here.
 */
import { MathUtils, Primitive } from '@gltf-transform/core';

/** Returns `{ clips, vertexCount, triangles, play }` of the document's default scene. */
export function planPlayer(document) {
  const root = document.getRoot();
  const scene = root.getDefaultScene() ?? root.listScenes()[0];
  const parts = [];
  let vertexCount = 0;
  scene.traverse((node) => {
    for (const primitive of node.getMesh()?.listPrimitives() ?? []) {
      if (primitive.getMode() !== Primitive.Mode.TRIANGLES) continue;
      parts.push(readPart(node, primitive, vertexCount));
      vertexCount += primitive.getAttribute('POSITION').getCount();
    }
  });
  const clips = root.listAnimations().map(readClip);

  /** Returns the world positions of all vertices. Without `targets` every morph weight is 0. */
  function play(clip, time, { targets = true } = {}) {
    const out = new Float64Array(3 * vertexCount);
    const moved = sampleClip(clips[clip], time);
    const world = new Map();
    for (const part of parts) {
      const morphed = Float64Array.from(part.rest);
      const weights = moved.get(part.node)?.weights ?? part.weights;
      for (const [k, target] of targets ? part.targets.entries() : []) addTarget(morphed, target, weights[k] ?? 0);
      placePart(out, part, morphed, (node) => worldMatrix(node, moved, world));
    }
    return out;
  }
  return { clips, vertexCount, triangles: parts.flatMap(({ triangles }) => triangles), play };
}

function readPart(node, primitive, first) {
  const attribute = (name) => primitive.getAttribute(name) && readAccessor(primitive.getAttribute(name));
  const rest = attribute('POSITION');
  const skin = node.getSkin();
  const sets = [];
  for (let n = 0; skin && primitive.getAttribute(`JOINTS_${n}`); n++) {
    sets.push([attribute(`JOINTS_${n}`), attribute(`WEIGHTS_${n}`)]);
  }
  const binds = skin?.getInverseBindMatrices() && readAccessor(skin.getInverseBindMatrices());
  const indices = primitive.getIndices()?.getArray() ?? Uint32Array.from({ length: rest.length / 3 }, (_, v) => v);
  const ownWeights = node.getWeights();
  return {
    node,
    first,
    rest,
    sets,
    triangles: Array.from(indices, (v) => v + first),
    targets: primitive.listTargets().map((target) => readSparse(target.getAttribute('POSITION'))),
    weights: ownWeights.length > 0 ? ownWeights : node.getMesh().getWeights(),
    joints: skin?.listJoints().map((joint, k) => ({ joint, bind: binds?.slice(16 * k, 16 * k + 16) })) ?? [],
  };
}

function readAccessor(accessor) {
  const width = accessor.getElementSize();
  const out = new Float64Array(width * accessor.getCount());
  const element = [];
  for (let n = 0; n < accessor.getCount(); n++) out.set(accessor.getElement(n, element), width * n);
  return out;
}

/** Lists the deltas that are not 0 as `[component, value]`. */
function readSparse(accessor) {
  return accessor ? [...readAccessor(accessor).entries()].filter(([, delta]) => delta !== 0) : [];
}

function addTarget(positions, target, weight) {
  if (weight === 0) return;
  for (const [component, delta] of target) positions[component] += weight * delta;
}

function placePart(out, { node, first, rest, sets, joints }, positions, worldOf) {
  const matrices = joints.map(({ joint, bind }) => (bind ? multiply(worldOf(joint), bind) : worldOf(joint)));
  const own = sets.length > 0 ? undefined : worldOf(node);
  for (let v = 0; v < rest.length / 3; v++) {
    const blend = own ?? new Float64Array(16);
    let sum = 0;
    for (const [indices, weights] of sets) {
      for (let k = 4 * v; k < 4 * v + 4; k++) {
        if (weights[k] === 0) continue;
        sum += weights[k];
        for (let e = 0; e < 16; e++) blend[e] += weights[k] * matrices[indices[k]][e];
      }
    }
    const scale = own || sum === 0 ? 1 : 1 / sum;
    const [x, y, z] = positions.subarray(3 * v, 3 * v + 3);
    for (let r = 0; r < 3; r++) {
      out[3 * (first + v) + r] = scale * (blend[r] * x + blend[4 + r] * y + blend[8 + r] * z + blend[12 + r]);
    }
  }
}

function readClip(animation) {
  const tracks = animation.listChannels().flatMap((channel) => {
    const [node, path, sampler] = [channel.getTargetNode(), channel.getTargetPath(), channel.getSampler()];
    if (!node || !['translation', 'rotation', 'scale', 'weights'].includes(path)) return [];
    const times = readAccessor(sampler.getInput());
    const values = readAccessor(sampler.getOutput());
    const mode = sampler.getInterpolation();
    return { node, path, times, values, mode, width: values.length / times.length / (mode === 'CUBICSPLINE' ? 3 : 1) };
  });
  return { name: animation.getName(), duration: Math.max(0, ...tracks.map(({ times }) => times.at(-1))), tracks };
}

/** Returns a map from each animated node to its values at that time. */
function sampleClip(clip, time) {
  const moved = new Map();
  for (const track of clip?.tracks ?? []) {
    if (!moved.has(track.node)) moved.set(track.node, {});
    moved.get(track.node)[track.path] = sampleTrack(track, time);
  }
  return moved;
}

function sampleTrack({ path, times, values, mode, width }, time) {
  const isCubic = mode === 'CUBICSPLINE';
  /** Parts 0 and 2 of a cubic key are its tangents. */
  const key = (n, part = 1) => {
    const start = width * (isCubic ? 3 * n + part : n);
    return Array.from(values.subarray(start, start + width));
  };
  const last = times.length - 1;
  if (time <= times[0]) return key(0);
  if (time >= times[last]) return key(last);
  const n = times.findIndex((_, i) => times[i + 1] > time);
  const step = times[n + 1] - times[n];
  const u = (time - times[n]) / step;
  if (mode === 'STEP') return key(n);
  if (!isCubic) return path === 'rotation' ? slerp(key(n), key(n + 1), u) : mix(key(n), key(n + 1), u);
  const [leave, arrive, next] = [key(n, 2), key(n + 1, 0), key(n + 1)];
  const out = key(n).map(
    (value, k) =>
      (2 * u ** 3 - 3 * u ** 2 + 1) * value +
      (u ** 3 - 2 * u ** 2 + u) * step * leave[k] +
      (3 * u ** 2 - 2 * u ** 3) * next[k] +
      (u ** 3 - u ** 2) * step * arrive[k],
  );
  return path === 'rotation' ? normalise(out) : out;
}

const mix = (a, b, u) => a.map((value, k) => value + u * (b[k] - value));
const normalise = (q) => q.map((value) => value / Math.hypot(...q));

function slerp(a, b, u) {
  const cosine = a.reduce((sum, value, k) => sum + value * b[k], 0);
  const near = cosine < 0 ? b.map((value) => -value) : b;
  const angle = Math.acos(Math.min(1, Math.abs(cosine)));
  if (angle < 1e-4) return normalise(mix(a, near, u));
  return normalise(a.map((value, k) => Math.sin((1 - u) * angle) * value + Math.sin(u * angle) * near[k]));
}

function worldMatrix(node, moved, world) {
  if (!world.has(node)) {
    const own = moved.get(node);
    const local = MathUtils.compose(
      own?.translation ?? node.getTranslation(),
      own?.rotation ?? node.getRotation(),
      own?.scale ?? node.getScale(),
      [],
    );
    const parent = node.getParentNode();
    world.set(node, parent ? multiply(worldMatrix(parent, moved, world), local) : local);
  }
  return world.get(node);
}

function multiply(a, b) {
  return Float64Array.from({ length: 16 }, (_, i) => {
    const [row, column] = [i % 4, i - (i % 4)];
    return a[row] * b[column] + a[4 + row] * b[column + 1] + a[8 + row] * b[column + 2] + a[12 + row] * b[column + 3];
  });
}
