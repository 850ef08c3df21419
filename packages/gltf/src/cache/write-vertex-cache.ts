import { type Accessor, Document, Logger, type Node, WebIO } from '@gltf-transform/core';
import { IsoskinError } from '@isoskin/core';

/**
 * Surfaces whose triangles change from moment to moment (they split, they melt together) as one .glb that any viewer plays: a mesh
 * per key frame, all but one scaled to nothing, and a STEP animation of the scales. Rigid things are one mesh each with keys of
 * translation and rotation. Plain glTF 2.0 without extensions; about 40 bytes per vertex and frame.
 */
export interface VertexCache {
  readonly name: string;
  /** Key frames, times ascending. */
  readonly frames: readonly CacheFrame[];
  /** Seconds; the last frame is shown until then. */
  readonly duration: number;
  readonly rigid?: readonly CacheRigid[];
}

export interface CacheMesh {
  /** #V×3. */
  readonly positions: Float32Array;
  /** #V×3, unit. */
  readonly normals: Float32Array;
  /** #T×3. */
  readonly triangles: Uint32Array;
}

export interface CacheFrame extends CacheMesh {
  readonly time: number;
  /** #V×3, sRGB 0 … 1. */
  readonly colors: Float32Array;
}

export interface CacheRigid {
  readonly name: string;
  readonly mesh: CacheMesh;
  /** sRGB 0 … 1. */
  readonly color: ArrayLike<number>;
  /** #K ascending; one key stands still. */
  readonly times: Float32Array;
  /** #K×3. */
  readonly positions: Float32Array;
  /** #K×4, quaternions x, y, z, w. */
  readonly rotations: Float32Array;
}

export async function writeVertexCache(cache: VertexCache): Promise<Uint8Array<ArrayBuffer>> {
  const { frames, duration, rigid = [] } = cache;
  checkTimes(frames, duration);
  const document = new Document().setLogger(new Logger(Logger.Verbosity.SILENT));
  document.getRoot().getAsset().generator = 'isoskin';
  document.createBuffer();
  const scene = document.createScene(cache.name);
  document.getRoot().setDefaultScene(scene);
  const animation = document.createAnimation(cache.name);

  const addChannel = (
    node: Node,
    path: 'scale' | 'translation' | 'rotation',
    times: Float32Array<ArrayBuffer>,
    values: Float32Array<ArrayBuffer>,
    interpolation: 'STEP' | 'LINEAR',
  ): void => {
    const sampler = document
      .createAnimationSampler()
      .setInterpolation(interpolation)
      .setInput(createAccessor(document, 'SCALAR', times))
      .setOutput(createAccessor(document, path === 'rotation' ? 'VEC4' : 'VEC3', values));
    const channel = document.createAnimationChannel().setTargetNode(node).setTargetPath(path).setSampler(sampler);
    animation.addSampler(sampler).addChannel(channel);
  };

  const flesh = document.createMaterial('flesh').setMetallicFactor(0).setRoughnessFactor(0.65);
  frames.forEach((frame, f) => {
    const primitive = createPrimitive(document, frame).setMaterial(flesh);
    primitive.setAttribute('COLOR_0', createAccessor(document, 'VEC4', packColors(frame.colors)).setNormalized(true));
    const name = `${cache.name} ${f}`;
    const node = document.createNode(name).setMesh(document.createMesh(name).addPrimitive(primitive));
    if (f > 0) node.setScale([0, 0, 0]);
    scene.addChild(node);
    // Shown from its own time to that of the next; every channel has a key at 0.
    const keys = [
      ...(f > 0 ? [[0, 0]] : []),
      [frame.time, 1],
      f + 1 < frames.length ? [frames[f + 1]!.time, 0] : [duration, 1],
    ];
    if (frames.length > 1) {
      addChannel(
        node,
        'scale',
        Float32Array.from(keys, ([time]) => time!),
        Float32Array.from(keys.flatMap(([, scale]) => [scale!, scale!, scale!])),
        'STEP',
      );
    }
  });
  for (const { name, mesh, color, times, positions, rotations } of rigid) {
    const [r, g, b] = Array.from(color, toLinear);
    const material = document.createMaterial(name).setBaseColorFactor([r!, g!, b!, 1]);
    material.setMetallicFactor(0).setRoughnessFactor(0.6);
    const node = document
      .createNode(name)
      .setMesh(document.createMesh(name).addPrimitive(createPrimitive(document, mesh).setMaterial(material)))
      .setTranslation([positions[0]!, positions[1]!, positions[2]!])
      .setRotation([rotations[0]!, rotations[1]!, rotations[2]!, rotations[3]!]);
    scene.addChild(node);
    if (times.length < 2) continue;
    addChannel(node, 'translation', times.slice(), positions.slice(), 'LINEAR');
    addChannel(node, 'rotation', times.slice(), rotations.slice(), 'LINEAR');
  }
  if (animation.listChannels().length === 0) animation.dispose();
  return (await new WebIO().setLogger(document.getLogger()).writeBinary(document)) as Uint8Array<ArrayBuffer>;
}

function checkTimes(frames: readonly CacheFrame[], duration: number): void {
  const ascending = frames.every(({ time }, f) => time >= 0 && (f === 0 ? time === 0 : time > frames[f - 1]!.time));
  if (frames.length > 0 && ascending && (frames.length === 1 || duration > frames.at(-1)!.time)) return;
  const message =
    'A cache needs frames whose times begin at 0 and ascend, and a duration beyond the last; correct them.';
  throw new IsoskinError('CACHE_TIMES', message, 'frames');
}

function createPrimitive(document: Document, { positions, normals, triangles }: CacheMesh) {
  const small = positions.length / 3 <= 65_535;
  return document
    .createPrimitive()
    .setAttribute('POSITION', createAccessor(document, 'VEC3', positions.slice()))
    .setAttribute('NORMAL', createAccessor(document, 'VEC3', normals.slice()))
    .setIndices(createAccessor(document, 'SCALAR', small ? Uint16Array.from(triangles) : triangles.slice()));
}

/** sRGB 0 … 1, #V×3, to linear RGBA bytes, as glTF wants colours of vertices. */
function packColors(colors: Float32Array): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array((4 * colors.length) / 3).fill(255);
  for (let i = 0; i < colors.length; i++) out[4 * Math.floor(i / 3) + (i % 3)] = Math.round(255 * toLinear(colors[i]!));
  return out;
}

function toLinear(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

type NumberArray =
  | Float32Array<ArrayBuffer>
  | Uint8Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>;

function createAccessor(document: Document, type: 'SCALAR' | 'VEC3' | 'VEC4', array: NumberArray): Accessor {
  return document.createAccessor().setType(type).setArray(array).setBuffer(document.getRoot().listBuffers()[0]!);
}
