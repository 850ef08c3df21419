/** React Three Fiber: a component that keeps the volume of all that is skinned inside it. */
import { type PreservedVolume, preserveVolume, type VolumeOptions } from '@isoskin/three';
import { Canvas, useFrame } from '@react-three/fiber';
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import type { Group } from 'three';
import { loadDemo, play } from '../shared/load-demo.js';
import { publish } from '../shared/measure-drawn-volume.js';

function PreserveVolume({
  children,
  enabled = true,
  preset = 'organic',
}: { children: ReactNode; enabled?: boolean } & Pick<VolumeOptions, 'preset'>) {
  const group = useRef<Group>(null);
  const volume = useRef<PreservedVolume>(undefined);
  useLayoutEffect(() => {
    volume.current = preserveVolume(group.current!, { preset });
    publish({ kept: volume.current });
    return () => volume.current?.dispose();
  }, [preset]);
  useEffect(() => void (volume.current!.enabled = enabled), [enabled]);
  return <group ref={group}>{children}</group>;
}

const gltf = await loadDemo('cat', 1700, 0xd99a5b);

function Cat() {
  const mixer = useMemo(() => play(gltf, gltf.scene, 'stretch'), []);
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
      <PreserveVolume enabled={enabled}>
        <Cat />
      </PreserveVolume>
    </Canvas>
  );
}

const container = document.createElement('div');
container.style.cssText = 'position: fixed; inset: 0';
document.body.prepend(container);
createRoot(container).render(<Page />);
