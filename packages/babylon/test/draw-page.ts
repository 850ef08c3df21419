/** Runs in the browser: a glTF model in Babylon.js with its volume kept, and where Babylon has its vertices. */
import '@babylonjs/core/Animations/animatable.js';
import '@babylonjs/loaders/glTF/2.0/index.js';
import { FreeCamera } from '@babylonjs/core/Cameras/freeCamera.js';
import { Engine } from '@babylonjs/core/Engines/engine.js';
import { HemisphericLight } from '@babylonjs/core/Lights/hemisphericLight.js';
import { LoadAssetContainerAsync } from '@babylonjs/core/Loading/sceneLoader.js';
import { Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import type { Mesh } from '@babylonjs/core/Meshes/mesh.js';
import { Scene } from '@babylonjs/core/scene.js';
import { preserveVolume } from '@isoskin/babylon';
import { type PresetName, presetStack } from '@isoskin/core';
import { placeVertices } from './place-vertices.js';

export interface DrawnFrame {
  /** By mesh, in the space of the file, #×3. */
  readonly kept: number[][];
  readonly off: number[][];
  /** Pixels of the picture that change when the volume is not kept, and when it is kept again. */
  readonly changed: number;
  readonly again: number;
}

export async function drawModel(
  url: string,
  clip: number,
  times: readonly number[],
  preset?: PresetName,
): Promise<DrawnFrame[]> {
  const canvas = document.createElement('canvas');
  document.body.replaceChildren(canvas);
  const engine = new Engine(canvas, false, { preserveDrawingBuffer: true });
  engine.setSize(128, 128);
  const scene = new Scene(engine);
  const container = await LoadAssetContainerAsync(url, scene);
  container.addAllToScene();
  const { min, max } = scene.getWorldExtends();
  const size = max.subtract(min).length();
  const centre = Vector3.Center(min, max);
  const camera = new FreeCamera('camera', centre.add(new Vector3(0.8, 0.4, 1).scale(size)), scene);
  camera.minZ = 0.01 * size;
  camera.maxZ = 10 * size;
  camera.setTarget(centre);
  new HemisphericLight('light', Vector3.Up(), scene);
  for (const group of container.animationGroups) group.stop();
  const kept = preserveVolume(container, preset && { preset });
  await kept.ready;
  await scene.whenReadyAsync();
  const meshes = kept.bodies.flatMap((body) => body.meshes) as Mesh[];
  const read = () => meshes.map(placeVertices);
  const take = async () => {
    // Shaders with another number of targets are compiled beside, and the old ones used meanwhile.
    scene.render();
    await scene.whenReadyAsync();
    scene.render();
    return new Uint8Array((await engine.readPixels(0, 0, 128, 128)).buffer.slice(0));
  };
  const differ = (a: Uint8Array, b: Uint8Array) => a.filter((value, i) => value !== b[i]).length;
  const frames: DrawnFrame[] = [];
  for (const time of times) {
    const group = container.animationGroups[clip]!;
    group.start(true);
    group.goToFrame(time * group.targetedAnimations[0]!.animation.framePerSecond);
    group.pause();
    const picture = await take();
    const positions = read();
    kept.enabled = false;
    const plain = await take();
    const off = read();
    kept.enabled = true;
    frames.push({ kept: positions, off, changed: differ(picture, plain), again: differ(picture, await take()) });
  }
  kept.dispose();
  engine.dispose();
  return frames;
}

/** Volumes that a body aims at, of those at first, while targets are keyed: by rendered frames, and by the time of an update. */
export async function followTargets(url: string): Promise<{ first: number; drawn: number; set: number }> {
  const engine = new Engine(document.createElement('canvas'), false);
  const scene = new Scene(engine);
  const container = await LoadAssetContainerAsync(url, scene);
  container.addAllToScene();
  new FreeCamera('camera', Vector3.Zero(), scene);
  const { volume } = presetStack('organic');
  const target = { all: [[0, 1], [10, 2]] as [number, number][] }; // biome-ignore format: one line
  const kept = preserveVolume(container, { stack: { volume: { ...volume, target } } });
  await kept.ready;
  const measure = () => kept.bodies[0]!.report.targets.reduce((sum, value) => sum + value, 0);
  kept.update();
  const first = measure();
  while (kept.bodies[0]!.time < 0.5) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
    engine.beginFrame();
    scene.render();
    engine.endFrame();
  }
  const drawn = measure() / first;
  kept.bodies[0]!.time = 4;
  kept.update(1);
  const set = measure() / first;
  engine.dispose();
  return { first, drawn, set };
}
