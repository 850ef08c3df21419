/** Lists the tools that people run on a .glb. Each is `{ name, version, limit, run(bytes) }`; `run` returns the bytes that the tool wrote. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Logger, NodeIO } from '@gltf-transform/core';
import { ALL_EXTENSIONS } from '@gltf-transform/extensions';
import {
  dedup,
  draco,
  flatten,
  instance,
  join as joinMeshes,
  meshopt,
  palette,
  prune,
  quantize,
  resample,
  simplify,
  sparse,
  weld,
} from '@gltf-transform/functions';
import draco3d from 'draco3dgltf';
import { pack } from 'gltfpack';
import { MeshoptDecoder, MeshoptEncoder, MeshoptSimplifier } from 'meshoptimizer';

/** A vertex may move by this share of the size: under a tool that keeps the numbers, and under one that rounds them. */
export const LOSSLESS_LIMIT = 0.001;
export const ROUNDED_LIMIT = 0.003;

let io;
/** Opens glTF-Transform with every extension and every codec. */
export async function createIo() {
  io ??= new NodeIO()
    .setLogger(new Logger(Logger.Verbosity.SILENT))
    .registerExtensions(ALL_EXTENSIONS)
    .registerDependencies({
      'draco3d.decoder': await draco3d.createDecoderModule(),
      'draco3d.encoder': await draco3d.createEncoderModule(),
      'meshopt.decoder': MeshoptDecoder,
      'meshopt.encoder': MeshoptEncoder,
    });
  await Promise.all([MeshoptDecoder.ready, MeshoptEncoder.ready, MeshoptSimplifier.ready]);
  return io;
}

/** Lists the steps of `gltf-transform optimize` 4.5 before its compression. Those for textures are left out. */
const optimize = ({ isSimplified = true } = {}) => [
  dedup(),
  instance(),
  palette(),
  flatten(),
  joinMeshes(),
  weld(),
  ...(isSimplified ? [simplify({ simplifier: MeshoptSimplifier, error: 0.0001, ratio: 0 })] : []),
  resample(),
  prune({ keepAttributes: false, keepIndices: false, keepLeaves: false, keepSolidTextures: true }),
  sparse(),
];
const encode = (level) => meshopt({ encoder: MeshoptEncoder, level });

/** Tools stand in the order of the table; those that are not installed are left out. */
export function listTools() {
  return [
    transform('read and write', LOSSLESS_LIMIT, () => []),
    transform('dedup', LOSSLESS_LIMIT, () => [dedup()]),
    transform('prune', LOSSLESS_LIMIT, () => [prune()]),
    transform('weld', LOSSLESS_LIMIT, () => [weld()]),
    transform('resample', LOSSLESS_LIMIT, () => [resample()]),
    transform('sparse', LOSSLESS_LIMIT, () => [sparse()]),
    transform('quantize', ROUNDED_LIMIT, () => [quantize()]),
    transform('meshopt', ROUNDED_LIMIT, () => [encode('medium')]),
    transform('draco', ROUNDED_LIMIT, () => [draco()]),
    transform('optimize', ROUNDED_LIMIT, () => [...optimize(), encode('high')]),
    transform('optimize --simplify false', ROUNDED_LIMIT, () => [...optimize({ isSimplified: false }), encode('high')]),
    transform('optimize --compress draco', ROUNDED_LIMIT, () => [...optimize(), draco()]),
    gltfpack([]),
    gltfpack(['-kn']),
    gltfpack(['-cc']),
    gltfpack(['-af', '0']),
    { ...findTool('three'), name: 'three.js GLTFExporter', limit: LOSSLESS_LIMIT, run: exportWithThree },
    {
      ...findTool('@babylonjs/serializers'),
      name: 'Babylon.js serializer',
      limit: LOSSLESS_LIMIT,
      run: exportWithBabylon,
    },
    ...listBlender(),
  ];
}

const findTool = (name) => ({ version: JSON.parse(readFileSync(findPackage(name), 'utf8')).version });
const findPackage = (name) => fileURLToPath(new URL(`../../node_modules/${name}/package.json`, import.meta.url).href);

function transform(name, limit, listSteps) {
  const run = async (bytes) => {
    const io = await createIo();
    const document = await io.readBinary(bytes);
    return io.writeBinary(await document.transform(...listSteps()));
  };
  return { name: `glTF-Transform ${name}`, ...findTool('@gltf-transform/core'), limit, run };
}

function gltfpack(options) {
  const run = async (bytes) => {
    let out;
    await pack(['-i', 'in.glb', '-o', 'out.glb', ...options], { read: () => bytes, write: (_, data) => (out = data) });
    return out.slice();
  };
  return { name: ['gltfpack', ...options].join(' '), ...findTool('gltfpack'), limit: ROUNDED_LIMIT, run };
}

async function exportWithThree(bytes) {
  provideFileReader();
  const { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js');
  const { GLTFExporter } = await import('three/addons/exporters/GLTFExporter.js');
  const { scene, animations } = await new GLTFLoader().parseAsync(dropMaterials(bytes), '');
  const out = await new GLTFExporter().parseAsync(scene, { binary: true, animations });
  return new Uint8Array(out);
}

async function exportWithBabylon(bytes) {
  const { ImportMeshAsync, Logger, NullEngine, Scene } = await import('@babylonjs/core');
  await import('@babylonjs/loaders/glTF/index.js');
  const { GLTF2Export } = await import('@babylonjs/serializers/glTF/index.js');
  Logger.LogLevels = Logger.NoneLogLevel;
  const engine = new NullEngine();
  const scene = new Scene(engine);
  await ImportMeshAsync(new Uint8Array(dropMaterials(bytes)), scene, { pluginExtension: '.glb' });
  const { files } = await GLTF2Export.GLBAsync(scene, 'out');
  const out = files['out.glb'];
  engine.dispose();
  return new Uint8Array(out instanceof Blob ? await out.arrayBuffer() : out);
}

/** Lists Blender where it is installed. */
function listBlender() {
  try {
    const [, version] = /Blender ([\d.]+)/.exec(execFileSync('blender', ['--version'], { encoding: 'utf8' }));
    return [{ name: 'Blender import and export', version, limit: LOSSLESS_LIMIT, run: exportWithBlender }];
  } catch {
    return [];
  }
}

async function exportWithBlender(bytes) {
  const folder = mkdtempSync(join(tmpdir(), 'isoskin-blender-'));
  const [source, target] = [join(folder, 'in.glb'), join(folder, 'out.glb')];
  // Debian pairs Blender 3.4, whose importer still says numpy.bool, with a NumPy that has dropped it.
  const lines = [
    'import bpy, numpy',
    'numpy.bool = bool',
    'bpy.ops.wm.read_factory_settings(use_empty=True)',
    'bpy.context.scene.render.fps = 120',
    `bpy.ops.import_scene.gltf(filepath=${JSON.stringify(source)})`,
    `bpy.ops.export_scene.gltf(filepath=${JSON.stringify(target)}, export_format="GLB", export_materials="NONE")`,
  ];
  try {
    writeFileSync(source, bytes);
    execFileSync('blender', ['-b', '--python-exit-code', '1', '--python-expr', lines.join('\n')], { stdio: 'pipe' });
    return readFileSync(target);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Node has no images: the file goes to three.js and Babylon.js without its materials. Everything else is the same bytes. */
export function dropMaterials(bytes) {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = 20 + view.readUInt32LE(12);
  const json = JSON.parse(view.toString('utf8', 20, end));
  for (const { primitives } of json.meshes) for (const primitive of primitives) delete primitive.material;
  for (const key of ['materials', 'textures', 'images', 'samplers']) delete json[key];
  let text = JSON.stringify(json);
  while (Buffer.byteLength(text) % 4 > 0) text += ' ';
  const out = Buffer.concat([view.subarray(0, 20), Buffer.from(text), view.subarray(end)]);
  out.writeUInt32LE(out.length, 8);
  out.writeUInt32LE(Buffer.byteLength(text), 12);
  return out.buffer.slice(out.byteOffset, out.byteOffset + out.length);
}

/** GLTFExporter reads its blobs with the browser's FileReader. */
function provideFileReader() {
  globalThis.FileReader ??= class {
    async readAsArrayBuffer(blob) {
      this.result = await blob.arrayBuffer();
      this.onloadend();
    }
  };
}
