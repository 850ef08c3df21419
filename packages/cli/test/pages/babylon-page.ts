/** Runs in the browser: a baked file in Babylon.js, with its usual left-handed world. */
import '@babylonjs/core/Animations/animatable.js';
import '@babylonjs/loaders/glTF/2.0/index.js';
import type { AssetContainer } from '@babylonjs/core/assetContainer.js';
import { Camera } from '@babylonjs/core/Cameras/camera.js';
import { TargetCamera } from '@babylonjs/core/Cameras/targetCamera.js';
import { Engine } from '@babylonjs/core/Engines/engine.js';
import { DirectionalLight } from '@babylonjs/core/Lights/directionalLight.js';
import { LoadAssetContainerAsync } from '@babylonjs/core/Loading/sceneLoader.js';
import { Color4 } from '@babylonjs/core/Maths/math.color.js';
import { Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import { MeshoptCompression } from '@babylonjs/core/Meshes/Compression/meshoptCompression.js';
import { Scene } from '@babylonjs/core/scene.js';
import { MeshoptDecoder } from 'three/addons/libs/meshopt_decoder.module.js';
import { placeVertices } from '../../../babylon/test/place-vertices.js';
import type { Viewer } from './viewer.js';

// Babylon fetches a script from a CDN that defines a global; here the global is bundled and the script empty.
Object.assign(globalThis, { MeshoptDecoder });
MeshoptCompression.Configuration = { decoder: { url: 'data:text/javascript,' } };

export function createBabylonViewer(): Viewer {
  const canvas = document.createElement('canvas');
  canvas.style.display = 'block';
  document.body.replaceChildren(canvas);
  const engine = new Engine(canvas, false, { alpha: true, preserveDrawingBuffer: true });
  let scene: Scene | undefined;
  let container: AssetContainer;
  return {
    async open(url, { size, centre, back, half, reach }) {
      engine.setSize(size, size);
      scene?.dispose();
      scene = new Scene(engine);
      scene.clearColor = new Color4(0, 0, 0, 0);
      container = await LoadAssetContainerAsync(url, scene);
      container.addAllToScene();
      const target = mirror(centre);
      const camera = new TargetCamera(
        'camera',
        mirror(back)
          .scale(2 * reach)
          .add(target),
        scene,
      );
      camera.setTarget(target);
      camera.mode = Camera.ORTHOGRAPHIC_CAMERA;
      Object.assign(camera, { orthoLeft: -half, orthoRight: half, orthoTop: half, orthoBottom: -half });
      Object.assign(camera, { minZ: 0, maxZ: 4 * reach });
      new DirectionalLight('light', mirror(back).scale(-1), scene).intensity = Math.PI;
      await scene.whenReadyAsync();
    },
    async seek(name, time) {
      for (const group of container.animationGroups) group.stop();
      const clip = container.animationGroups.find((group) => group.name === name)!;
      clip.start(true);
      clip.goToFrame(time * clip.targetedAnimations[0]!.animation.framePerSecond);
      clip.pause();
      scene!.render();
      return container.meshes.filter((mesh) => mesh.skeleton ?? mesh.morphTargetManager).map(placeVertices);
    },
  };
}

/** glTF ↔ Babylon: the loader turns the right-handed world into a left-handed one. */
function mirror([x, y, z]: readonly [number, number, number]): Vector3 {
  return new Vector3(-x, y, z);
}
