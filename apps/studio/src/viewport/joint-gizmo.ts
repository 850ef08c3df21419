/**
 * Rings around the selected joint while joints are posed. Dragging one turns the joint on top of its clip:
 *
 *   turn' = turn · W⁻¹ W'    W, W' world rotation of the joint at the start of the drag and now
 *
 * (the parent's rotation cancels, so the clip's own pose need not be known here). Of a skeleton that was found on the page, arrows move it instead.
 */
import { effect } from '@preact/signals';
import { Matrix4, Object3D, Quaternion, Vector3 } from 'three';
import { TransformControls } from 'three/addons/controls/TransformControls.js';
import { findOpposite, mirrorTurn } from '../state/mirror-pose.js';
import { turnAt, turnJoint } from '../state/pose-edits.js';
import { findRig, moveJoint } from '../state/rigs.js';
import type { Studio } from '../state/studio.js';
import type { PoseEdits } from '../state/studio-document.js';
import type { Viewport } from './viewport.js';

export type JointGizmo = ReturnType<typeof createJointGizmo>;

export function createJointGizmo(viewport: Viewport, studio: Studio) {
  const proxy = new Object3D();
  const controls = new TransformControls(viewport.camera, viewport.canvas);
  const helper = controls.getHelper();
  controls.setSpace('local');
  controls.setSize(0.7);
  viewport.scene.add(proxy, helper);

  let isDragging = false;
  let isMoving = false;
  const started = new Quaternion();
  const firstTurn = new Quaternion();
  const turn = new Quaternion();

  controls.addEventListener('dragging-changed', ({ value }) => {
    isDragging = value === true;
    viewport.controls.enabled = !isDragging;
    if (!isDragging && isMoving) {
      const { joint } = studio.document.peek().selection;
      return void moveJoint(studio, joint, proxy.position.toArray());
    }
    if (!isDragging) return studio.history.seal();
    studio.playback.playing.value = false;
    const { pose, clip, selection } = studio.document.peek();
    started.copy(proxy.quaternion);
    firstTurn.set(...(turnAt(pose, clip, selection.joint, studio.playback.time.peek()) ?? [0, 0, 0, 1]));
  });
  controls.addEventListener('objectChange', () => {
    if (!isDragging || isMoving) return viewport.invalidate();
    const { joint } = studio.document.peek().selection;
    turn.copy(started).invert().multiply(proxy.quaternion).premultiply(firstTurn).normalize();
    const { x, y, z, w } = turn;
    const facts = studio.character.peek();
    const other = facts && studio.mirrorsPose.peek() ? findOpposite(facts.joints, joint) : undefined;
    const turnBoth = (pose: PoseEdits) => {
      const turned = turnJoint(pose, joint, [x, y, z, w]);
      return other ? turnJoint(turned, other.node, mirrorTurn(facts!, joint, other.node, [x, y, z, w])) : turned;
    };
    studio.commit('Turn a joint', ({ pose }) => ({ pose: turnBoth(pose) }), `turn ${joint}`);
    viewport.invalidate();
  });
  controls.addEventListener('change', () => viewport.invalidate());

  const matrix = new Matrix4();
  const scale = new Vector3();
  const stop = effect(() => {
    const { selection, view } = studio.document.value;
    const { joint } = selection;
    // Side by side the canvas holds two views, and the rings know only one.
    const isShown = studio.tool.value === 'pose' && joint >= 0 && view.layout !== 'side';
    const nodes = studio.frame.value?.nodes;
    isMoving = studio.rigs.isMoving.value && findRig(studio) !== undefined;
    controls.setMode(isMoving ? 'translate' : 'rotate');
    if (!isShown || !nodes || 16 * joint >= nodes.length) {
      controls.detach();
      viewport.invalidate();
      return;
    }
    if (!isDragging) {
      matrix.fromArray(nodes, 16 * joint).decompose(proxy.position, proxy.quaternion, scale);
      proxy.updateMatrixWorld();
    }
    if (controls.object !== proxy) controls.attach(proxy);
    viewport.invalidate();
  });

  return {
    /** The pointer is on a ring: a click is not meant for the character. */
    get isHot(): boolean {
      return controls.axis !== null && controls.object !== undefined;
    },
    dispose(): void {
      stop();
      controls.detach();
      helper.removeFromParent();
      proxy.removeFromParent();
      controls.dispose();
    },
  };
}
