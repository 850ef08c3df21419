/** The passes of a WASM frame on their own, on one thread, in an image of memory of their own. */
import { detectFeatures } from '@isoskin/wasm';
import { FRAME_CODE } from '../packages/wasm/dist/generated/frame-code.js';
import * as layout from '../packages/wasm/dist/layout.js';
import { openSlabs } from '../packages/wasm/dist/open-slabs.js';
import { planImage } from '../packages/wasm/dist/plan-image.js';

const code = FRAME_CODE[detectFeatures().relaxedSimd ? 'relaxed' : 'plain'];
const module = new WebAssembly.Module(Buffer.from(code, 'base64'));

/** Image, where it stands in a memory, and a view on its arrays, with the bones of a pose and some amounts. */
export function openImage(plan, { bones }) {
  const image = planImage(plan);
  const { slab, base } = openSlabs({ module, shared: false }).find(image.byteLength);
  image.write(slab.memory.buffer, base);
  const floats = (name, length) => new Float32Array(slab.memory.buffer, image.locate(base)(name), length);
  const matrices = floats('matrices', 16 * plan.boneCount);
  bones.forEach((value, n) => void (matrices[4 * Math.floor(n / 3) + (n % 3)] = value));
  floats('lambda', plan.shapes.shapeCount).forEach((_, s, list) => void (list[s] = 0.02 * Math.sin(s)));
  const run = (phase, flags, from, to) => slab.code.runBlocks(base, phase, flags, from, to);
  return { image, buffer: slab.memory.buffer, base, floats, run };
}

/** Name → pass. */
export function openPasses(plan, pose) {
  const { image, run } = openImage(plan, pose);
  const { vertexBlocks, volumeBlocks, blocks } = image.blocks;
  return {
    plainSkin: () => run(layout.SKIN, 0, 0, vertexBlocks),
    plainNormals: () => run(layout.NORMALS, 0, 0, vertexBlocks),
    skin: () => run(layout.SKIN, layout.WITH_DIRECTIONS | layout.WITH_AMOUNTS, 0, vertexBlocks),
    evaluate() {
      run(layout.APEXES, 0, volumeBlocks, blocks.length);
      run(layout.EVALUATE, 0, 0, volumeBlocks);
    },
    displace: () => run(layout.DISPLACE, layout.WITH_POSITIONS, 0, vertexBlocks),
  };
}
