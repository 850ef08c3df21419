import { writeVertexCache } from '@isoskin/gltf';
import { validateBytes } from 'gltf-validator';
import { AnimationMixer, type Mesh, Vector3 } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { describe, expect, it } from 'vitest';

/** A tetrahedron that grows, with one more triangle (drawn twice) per frame: the topology changes. */
function createFrame(time: number, size: number, extra: number) {
  const positions = Float32Array.of(0, 0, 0, size, 0, 0, 0, size, 0, 0, 0, size);
  const faces = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3];
  for (let n = 0; n < extra; n++) faces.push(1, 2, 3);
  const s = Math.sqrt(1 / 3);
  return {
    time,
    positions,
    normals: Float32Array.of(-s, -s, -s, 1, 0, 0, 0, 1, 0, 0, 0, 1),
    colors: Float32Array.from({ length: 12 }, (_, i) => (i % 3) / 2),
    triangles: Uint32Array.from(faces),
  };
}

const cache = {
  name: 'grow',
  frames: [0, 0.1, 0.2, 0.3].map((time, f) => createFrame(time, 1 + f, f)),
  duration: 0.4,
  rigid: [
    {
      name: 'roller',
      mesh: createFrame(0, 1, 0),
      color: [0.5, 0.5, 0.5],
      times: Float32Array.of(0, 0.4),
      positions: Float32Array.of(0, 0, 0, 4, 0, 0),
      rotations: Float32Array.of(0, 0, 0, 1, 0, 0, 1, 0),
    },
  ],
};

describe('writeVertexCache', () => {
  it('writes what the validator has nothing to say about', async () => {
    const report = await validateBytes(await writeVertexCache(cache));
    expect(report.issues.messages).toEqual([]);
    expect(report).toMatchObject({ info: { animationCount: 1, hasDefaultScene: true } });
  });

  it('shows one frame at a time in three.js, and moves what is rigid', async () => {
    const bytes = await writeVertexCache(cache);
    const { scene, animations } = await new GLTFLoader().parseAsync(bytes.buffer, '');
    expect(animations[0]!.duration).toBeCloseTo(0.4, 6);
    const mixer = new AnimationMixer(scene);
    mixer.clipAction(animations[0]!).play();
    const moments: [number, number][] = [
      [0, 0],
      [0.05, 0],
      [0.101, 1],
      [0.25, 2],
      [0.399, 3],
    ];
    for (const [time, shown] of moments) {
      mixer.setTime(time);
      const visible = scene.children.filter((node) => node.name.startsWith('grow') && node.scale.x === 1);
      expect(visible.map((node) => node.name)).toEqual([`grow_${shown}`]);
      expect((visible[0] as Mesh).geometry.index!.count).toBe(12 + 3 * shown);
      expect(scene.children.filter((node) => node.name.startsWith('grow') && node.scale.x !== 0)).toHaveLength(1);
    }
    mixer.setTime(0.2);
    expect(scene.getObjectByName('roller')!.getWorldPosition(new Vector3()).x).toBeCloseTo(2, 5);
  });

  it('refuses times that do not ascend', async () => {
    const frames = [cache.frames[0]!, cache.frames[0]!];
    await expect(writeVertexCache({ ...cache, frames })).rejects.toMatchObject({ code: 'CACHE_TIMES' });
    await expect(writeVertexCache({ ...cache, frames: [] })).rejects.toMatchObject({ code: 'CACHE_TIMES' });
    await expect(writeVertexCache({ ...cache, duration: 0.3 })).rejects.toMatchObject({ code: 'CACHE_TIMES' });
  });
});
