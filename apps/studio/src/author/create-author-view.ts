/**
 * The character as its author made it: the file in three.js, with its materials, textures and everything that is not skinned,
 * moved by three.js's own mixer. "Before" is three.js's own skinning; "after" puts the engine's surface into the same meshes.
 */
import {
  AnimationMixer,
  LoopOnce,
  type Material,
  type Mesh,
  MeshStandardMaterial,
  type Object3D,
  Quaternion,
} from 'three';
import type { GLTF } from 'three/addons/loaders/GLTFLoader.js';
import type { CharacterFacts } from '../engine/protocol.js';
import { listTurns } from '../state/pose-edits.js';
import type { ShownFrame } from '../state/studio.js';
import type { PoseEdits } from '../state/studio-document.js';
import { type AuthorUniforms, createAuthorMaterial, createAuthorUniforms } from './author-material.js';
import { type AuthorPart, createAuthorPart } from './author-part.js';

export interface AuthorView {
  readonly root: Object3D;
  /** Every part of the character was found in the scene. */
  readonly isWhole: boolean;
  readonly uniforms: AuthorUniforms;
  /** Moves everything to a time of a clip, and takes the engine's surface for it. */
  setFrame(frame: Pick<ShownFrame, 'arrays' | 'refined' | 'clip' | 'time' | 'pose'>): void;
  /** What is drawn next. */
  setSide(isAfter: boolean): void;
  setRegions(vertexRegion: Float32Array): void;
  /** In clay the character itself is drawn by the page, and what hangs on it in plain grey. */
  setLook(look: 'author' | 'clay'): void;
  dispose(): void;
}

export function createAuthorView({ scene, parser, animations }: GLTF, facts: CharacterFacts): AuthorView {
  const { parts: described, nodes } = facts.file!;
  const uniforms = createAuthorUniforms();
  const objectOf = new Map<number, Object3D>();
  const meshOf = new Map<string, Mesh>();
  const others: { mesh: Mesh; own: Material | Material[] }[] = [];
  scene.traverse((object) => {
    const own = parser.associations.get(object);
    if (own?.nodes !== undefined) objectOf.set(own.nodes, object);
    if (!('isMesh' in object)) return;
    const node = own?.nodes ?? parser.associations.get(object.parent!)?.nodes;
    meshOf.set(`${node}/${own?.meshes}/${own?.primitives ?? 0}`, object as Mesh);
  });
  const materials = new Map<Material, Material>();
  const parts: AuthorPart[] = [];
  for (const part of described) {
    const mesh = meshOf.get(`${part.node}/${part.mesh}/${part.primitive}`);
    // A triangle strip, or a primitive that another program would read otherwise: left as three.js draws it.
    if (!mesh || mesh.geometry.getAttribute('position')?.count !== part.welded.length) continue;
    const original = mesh.material as Material;
    const own = materials.get(original) ?? createAuthorMaterial(original, uniforms);
    materials.set(original, own);
    mesh.material = own;
    parts.push(createAuthorPart(mesh, part, facts));
  }
  const ours = new Set(parts.map(({ mesh }) => mesh));
  for (const mesh of meshOf.values()) if (!ours.has(mesh)) others.push({ mesh, own: mesh.material });
  const clay = new MeshStandardMaterial({ color: 0x8c8e96, roughness: 0.9 });

  const mixer = new AnimationMixer(scene);
  let playing = -1;
  /** Turned by hand: how the clip alone would have them. */
  const turned = new Map<Object3D, Quaternion>();
  const move = (clip: number, time: number, pose: PoseEdits) => {
    for (const [object, turn] of turned) object.quaternion.copy(turn);
    turned.clear();
    if (clip !== playing) {
      mixer.stopAllAction();
      const action = animations[clip] && mixer.clipAction(animations[clip]);
      action?.setLoop(LoopOnce, 1);
      if (action) action.clampWhenFinished = true;
    }
    playing = clip;
    if (animations[clip]) {
      mixer.clipAction(animations[clip]).reset().play();
      mixer.setTime(time);
    }
    for (const [node, turn] of listTurns(pose, clip, time)) {
      const object = objectOf.get(nodes[node]!);
      if (!object) continue;
      turned.set(object, object.quaternion.clone());
      object.quaternion.multiply(new Quaternion(...turn));
    }
    scene.updateMatrixWorld(true);
  };

  return {
    root: scene,
    isWhole: parts.length === described.length,
    uniforms,
    setFrame({ arrays, refined, clip, time, pose }) {
      move(clip, time, pose);
      for (const part of parts) part.setFrame(arrays, refined);
    },
    setSide(isAfter) {
      uniforms.isoAfter.value = isAfter ? 1 : 0;
      for (const part of parts) part.setSide(isAfter);
    },
    setRegions(vertexRegion) {
      for (const part of parts) part.setRegions(vertexRegion);
    },
    setLook(look) {
      // Not the meshes: what hangs on their nodes is drawn all the same.
      for (const material of materials.values()) material.visible = look === 'author';
      for (const { mesh, own } of others) mesh.material = look === 'author' ? own : clay;
    },
    dispose() {
      scene.removeFromParent();
      mixer.uncacheRoot(scene);
      clay.dispose();
      for (const part of parts) part.dispose();
      for (const { mesh, own } of others) {
        mesh.geometry.dispose();
        for (const material of [own].flat()) disposeMaterial(material);
      }
      for (const material of materials.values()) disposeMaterial(material);
    },
  };
}

/** With its textures. */
function disposeMaterial(material: Material): void {
  for (const value of Object.values(material)) {
    if (typeof value === 'object' && value !== null && 'isTexture' in value) (value as { dispose(): void }).dispose();
  }
  material.dispose();
}
