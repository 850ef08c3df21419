/** Draws the frames of a simulation: soft objects in their colours, obstacles in grey, on the same floor as the characters. */
import {
  AmbientLight,
  BufferAttribute,
  BufferGeometry,
  Color,
  DirectionalLight,
  HemisphereLight,
  Mesh,
  MeshStandardMaterial,
  PerspectiveCamera,
  Scene,
  Vector3,
  WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { FIELD_OF_VIEW, frameCamera } from '../viewport/frame-camera.js';
import { createGround } from '../viewport/ground.js';
import type { SceneFacts, SceneFrame } from './scene-protocol.js';

export type SceneViewer = ReturnType<typeof createSceneViewer>;

const DIM = 0.55;

export function createSceneViewer(canvas: HTMLCanvasElement, onStep: (seconds: number) => void) {
  const renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true });
  renderer.debug.checkShaderErrors = false;
  const scene = new Scene();
  const camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, 0.01, 100);
  const controls = new OrbitControls(camera, canvas);
  const ground = createGround();
  const key = new DirectionalLight(0xfff4e6, 2.4);
  key.position.set(-0.5, 1, 0.7);
  scene.add(ground.mesh, key, new HemisphereLight(0xbfd0ff, 0x30302c, 1.1), new AmbientLight(0xffffff, 0.15));
  const soft = new Mesh(new BufferGeometry(), new MeshStandardMaterial({ vertexColors: true, roughness: 0.55 }));
  soft.frustumCulled = false;
  soft.visible = false;
  scene.add(soft);
  let obstacles: Mesh[] = [];
  let facts: SceneFacts | undefined;
  let isDirty = true;
  controls.addEventListener('change', () => {
    isDirty = true;
  });

  const frame = () => {
    if (!facts) return;
    const [a, e] = [(facts.azimuth * Math.PI) / 180, (facts.elevation * Math.PI) / 180];
    const direction = new Vector3(Math.sin(a) * Math.cos(e), Math.sin(e), Math.cos(a) * Math.cos(e));
    frameCamera(camera, controls, facts.box, camera.aspect, facts.box, direction);
    camera.updateProjectionMatrix();
    isDirty = true;
  };
  const observer = new ResizeObserver(() => {
    const [width, height] = [Math.max(1, canvas.clientWidth), Math.max(1, canvas.clientHeight)];
    renderer.setPixelRatio(Math.min(2, window.devicePixelRatio));
    renderer.setSize(width, height, false);
    camera.aspect = width / height;
    camera.updateProjectionMatrix();
    renderer.render(scene, camera);
    isDirty = true;
  });
  observer.observe(canvas);
  let last = performance.now();
  let animation = requestAnimationFrame(function tick(now) {
    animation = requestAnimationFrame(tick);
    onStep(Math.min(0.1, Math.max(0, (now - last) / 1000)));
    last = now;
    if (isDirty) renderer.render(scene, camera);
    isDirty = false;
  });

  return {
    open(next: SceneFacts): void {
      facts = next;
      for (const obstacle of obstacles) obstacle.removeFromParent();
      obstacles = next.obstacles.map(({ mesh, color: [r = 0, g = 0, b = 0] }) => {
        const geometry = createGeometry(mesh.positions, mesh.normals, mesh.triangles);
        // Dimmed: what keeps its volume is what one should look at.
        const color = new Color().setRGB(DIM * r, DIM * g, DIM * b, 'srgb');
        const material = new MeshStandardMaterial({ color, roughness: 0.9 });
        const obstacle = new Mesh(geometry, material);
        scene.add(obstacle);
        return obstacle;
      });
      ground.place(next.box, Math.hypot(...[0, 1, 2].map((k) => next.box[3 + k]! - next.box[k]!)));
      frame();
    },
    show({ positions, normals, triangles, colors, places }: SceneFrame): void {
      const geometry = createGeometry(positions, normals, triangles);
      const linear = new Float32Array(colors.length);
      for (let i = 0; i < colors.length; i++) linear[i] = (colors[i]! / 255) ** 2.2;
      geometry.setAttribute('color', new BufferAttribute(linear, 3));
      soft.geometry.dispose();
      soft.geometry = geometry;
      soft.visible = true;
      obstacles.forEach((obstacle, o) => {
        obstacle.position.fromArray(places, 7 * o);
        obstacle.quaternion.fromArray(places, 7 * o + 3);
      });
      isDirty = true;
    },
    setWireframe(isShown: boolean): void {
      soft.material.wireframe = isShown;
      isDirty = true;
    },
    setTheme(theme: 'dark' | 'light'): void {
      ground.setLine(theme === 'dark' ? [0.55, 0.6, 0.68] : [0.35, 0.38, 0.44]);
      isDirty = true;
    },
    frame,
    dispose(): void {
      cancelAnimationFrame(animation);
      observer.disconnect();
      controls.dispose();
      soft.geometry.dispose();
      for (const { geometry } of obstacles) geometry.dispose();
      renderer.dispose();
    },
  };
}

function createGeometry(positions: Float32Array, normals: Float32Array, triangles: Uint32Array): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(positions, 3));
  geometry.setAttribute('normal', new BufferAttribute(normals, 3));
  geometry.setIndex(new BufferAttribute(triangles, 1));
  return geometry;
}
