/** React Three Fiber: a component that keeps the volume of all that is skinned inside it, when it has loaded. */
import { PreserveVolume } from '@isoskin/three/react';
import { Canvas, useFrame } from '@react-three/fiber';
import { Suspense, use, useEffect, useMemo, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { loadDemo, play } from '../shared/load-demo.js';
import { publish } from '../shared/measure-drawn-volume.js';

const loading = loadDemo('cat', 1700, 0xd99a5b);

function Cat() {
  const gltf = use(loading);
  const mixer = useMemo(() => play(gltf, gltf.scene, 'stretch'), [gltf]);
  useFrame((_, dt) => {
    mixer.update(Math.min(0.1, dt));
    document.body.dataset.ready = 'yes'; // for the tests
  });
  return <primitive object={gltf.scene} />;
}

function Page() {
  const [enabled, setEnabled] = useState(true);
  useEffect(() => {
    const box = document.querySelector<HTMLInputElement>('#on')!;
    box.onchange = () => setEnabled(box.checked);
  }, []);
  return (
    <Canvas shadows camera={{ position: [9, 5, 12], fov: 30 }} onCreated={({ camera }) => camera.lookAt(0, 1.4, 0)}>
      <color attach="background" args={['#eef0f3']} />
      <hemisphereLight args={['#ffffff', '#b9b2a8', 1.6]} />
      <directionalLight position={[6, 12, 8]} intensity={2.4} castShadow />
      <mesh rotation-x={-Math.PI / 2} receiveShadow>
        <circleGeometry args={[60, 48]} />
        <shadowMaterial opacity={0.16} />
      </mesh>
      <PreserveVolume enabled={enabled} onPlanned={(kept) => publish({ kept })}>
        <Suspense fallback={null}>
          <Cat />
        </Suspense>
      </PreserveVolume>
    </Canvas>
  );
}

const container = document.createElement('div');
container.style.cssText = 'position: fixed; inset: 0';
document.body.prepend(container);
createRoot(container).render(<Page />);
