import { PreserveVolume } from '@isoskin/three/react';
import { Canvas, useFrame, useLoader } from '@react-three/fiber';
import { Suspense, useMemo } from 'react';
import { AnimationMixer } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

function Finger() {
  const gltf = useLoader(GLTFLoader, '/finger.glb');
  const mixer = useMemo(() => {
    const made = new AnimationMixer(gltf.scene);
    made.clipAction(gltf.animations[0]).play();
    return made;
  }, [gltf]);
  useFrame((_, dt) => mixer.update(dt));
  return <primitive object={gltf.scene} />;
}

export function Character() {
  return (
    <Canvas camera={{ position: [4, 6, 20], fov: 30 }}>
      <hemisphereLight intensity={3} />
      <PreserveVolume>
        <Suspense fallback={null}>
          <Finger />
        </Suspense>
      </PreserveVolume>
    </Canvas>
  );
}
