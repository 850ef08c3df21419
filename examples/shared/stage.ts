/** What all pages share: light, floor, camera and a loop. Nothing here is needed to keep a volume. */
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

export interface AnyRenderer {
  readonly domElement: HTMLCanvasElement;
  shadowMap: { enabled: boolean };
  toneMapping: THREE.ToneMapping;
  setPixelRatio(ratio: number): void;
  setSize(width: number, height: number): void;
  render(scene: THREE.Scene, camera: THREE.Camera): void;
  setAnimationLoop(callback: (() => void) | null): unknown;
}

export interface StageOptions {
  /** What the camera looks at, and from how far. */
  readonly target?: readonly [number, number, number];
  readonly distance: number;
  readonly height?: number;
  readonly floor?: number;
  readonly renderer?: AnyRenderer;
}

export interface Stage {
  readonly scene: THREE.Scene;
  readonly camera: THREE.PerspectiveCamera;
  readonly renderer: AnyRenderer;
  readonly controls: OrbitControls;
  /** Starts drawing; `frame` gets the seconds since the last frame, and draws by itself where `draws` is false. */
  run(frame: (dt: number) => void, draws?: boolean): void;
  /** A label that follows a point of the scene. */
  tag(text: string, place: THREE.Vector3): HTMLElement;
}

export function createStage({ target = [0, 0, 0], distance, height = 0.25, floor, ...options }: StageOptions): Stage {
  const renderer = options.renderer ?? new THREE.WebGLRenderer({ antialias: true, alpha: true });
  renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
  renderer.shadowMap.enabled = true;
  renderer.toneMapping = THREE.NeutralToneMapping;
  renderer.domElement.classList.add('stage');
  document.body.prepend(renderer.domElement);

  const scene = new THREE.Scene();
  scene.add(new THREE.HemisphereLight(0xffffff, 0xb9b2a8, 1.6));
  const sun = new THREE.DirectionalLight(0xfff4e6, 2.4);
  sun.position
    .set(0.5, 1, 0.6)
    .multiplyScalar(3 * distance)
    .add(new THREE.Vector3(...target));
  sun.target.position.set(...target);
  sun.castShadow = true;
  sun.shadow.mapSize.set(1024, 1024);
  const reach = 1.2 * distance;
  Object.assign(sun.shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach, far: 8 * distance });
  sun.shadow.normalBias = 0.004 * distance;
  scene.add(sun, sun.target);
  if (floor !== undefined) {
    const ground = new THREE.Mesh(
      new THREE.CircleGeometry(40 * distance, 48),
      new THREE.ShadowMaterial({ opacity: 0.16 }),
    );
    ground.rotation.x = -Math.PI / 2;
    ground.position.y = floor;
    ground.receiveShadow = true;
    scene.add(ground);
  }

  const camera = new THREE.PerspectiveCamera(30, 1, distance / 100, distance * 100);
  camera.position
    .set(0.35, height, 1)
    .setLength(distance)
    .add(new THREE.Vector3(...target));
  const controls = new OrbitControls(camera, renderer.domElement);
  controls.target.set(...target);
  controls.enableDamping = true;
  const tags: { element: HTMLElement; place: THREE.Vector3 }[] = [];
  const resize = () => {
    renderer.setSize(innerWidth, innerHeight);
    camera.aspect = innerWidth / innerHeight;
    // The words stand on the left: the middle of the picture is right of the middle of the page.
    camera.setViewOffset(innerWidth, innerHeight, -0.13 * innerWidth, -0.03 * innerHeight, innerWidth, innerHeight);
  };
  addEventListener('resize', resize);
  resize();

  return {
    scene,
    camera,
    renderer,
    controls,
    run(frame, draws = true) {
      let last = performance.now();
      let count = 0;
      renderer.setAnimationLoop(() => {
        const now = performance.now();
        const dt = Math.min(0.1, (now - last) / 1000); // a tab that slept must not leap
        last = now;
        controls.update();
        frame(dt);
        if (draws) renderer.render(scene, camera);
        for (const { element, place } of tags) placeTag(element, place, camera);
        if (++count === 3) document.body.dataset.ready = 'yes'; // for the tests
      });
    },
    tag(text, place) {
      const element = document.createElement('div');
      element.className = 'tag';
      element.textContent = text;
      document.body.append(element);
      tags.push({ element, place });
      return element;
    },
  };
}

const point = new THREE.Vector3();

function placeTag(element: HTMLElement, place: THREE.Vector3, camera: THREE.Camera): void {
  point.copy(place).project(camera);
  element.style.left = `${(50 + 50 * point.x) * (innerWidth / 100)}px`;
  element.style.top = `${(50 - 50 * point.y) * (innerHeight / 100)}px`;
}
