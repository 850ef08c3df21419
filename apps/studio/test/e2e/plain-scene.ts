/** A page with nothing but three.js: a file by its own loader, in the light and from the place that the studio has. */
import {
  AnimationMixer,
  Box3,
  NeutralToneMapping,
  PerspectiveCamera,
  PMREMGenerator,
  Scene,
  Vector3,
  WebGLRenderer,
} from 'three';
import { RoomEnvironment } from 'three/addons/environments/RoomEnvironment.js';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { FIELD_OF_VIEW, frameCamera } from '../../src/viewport/frame-camera.js';

export interface PlainScene {
  readonly width: number;
  readonly height: number;
  /** Of the character in all its poses. */
  readonly bounds: readonly number[];
  readonly clip: number;
  readonly time: number;
  readonly brightness: number;
}

/** Red, green, blue, alpha of every pixel, the top row first. */
async function drawPlain(url: string, { width, height, bounds, clip, time, brightness }: PlainScene) {
  const renderer = new WebGLRenderer({ antialias: true, alpha: true, preserveDrawingBuffer: true });
  renderer.setSize(width, height, false);
  renderer.setClearColor(0, 0);
  renderer.toneMapping = NeutralToneMapping;
  const { scene: file, animations } = await new GLTFLoader().loadAsync(url);
  const scene = new Scene();
  scene.environment = new PMREMGenerator(renderer).fromScene(new RoomEnvironment(), 0.04).texture;
  scene.environmentIntensity = brightness;
  const { min, max } = new Box3().setFromObject(file);
  const box = [...min.toArray(), ...max.toArray()].map((v, i) => (i < 3 ? Math.min : Math.max)(v, bounds[i]!));
  scene.add(file);
  const mixer = new AnimationMixer(file);
  mixer.clipAction(animations[clip]!).play();
  mixer.setTime(time);
  file.traverse((object) => {
    object.frustumCulled = false;
  });
  const camera = new PerspectiveCamera(FIELD_OF_VIEW, width / height);
  const controls = { target: new Vector3(), update() {} };
  frameCamera(camera, controls as never, box, width / height);
  camera.lookAt(controls.target);
  camera.updateProjectionMatrix();
  renderer.render(scene, camera);
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d')!;
  context.drawImage(renderer.domElement, 0, 0);
  return context.getImageData(0, 0, width, height).data;
}

/** How alike a picture of the studio is where the character is drawn: 1 − mean difference. */
async function compare(url: string, settings: PlainScene, picture: string): Promise<number> {
  const plain = await drawPlain(url, settings);
  const { width, height } = settings;
  const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${picture}`)).blob());
  const context = new OffscreenCanvas(width, height).getContext('2d')!;
  context.drawImage(bitmap, 0, 0);
  const seen = context.getImageData(0, 0, width, height).data;
  let sum = 0;
  let count = 0;
  for (let i = 0; i < plain.length; i += 4) {
    if (plain[i + 3]! < 250) continue;
    for (let k = 0; k < 3; k++) sum += Math.abs(plain[i + k]! - seen[i + k]!) / 255;
    count += 3;
  }
  if (bitmap.width !== width || bitmap.height !== height || count < 3000) return 0;
  return 1 - sum / count;
}

Object.assign(window, { compare, drawPlain });
