/** Poses of the demos that fold, for the benchmark and the pictures of contact. */
import { createPose, POSE_STRIDE } from '@isoskin/core';

const RADIANS = Math.PI / 180;
/** Lean of each finger, and how far it closes. */
const FINGERS = { index: [9, 0.92], middle: [2, 1], ring: [-6, 1], little: [-14, 1] };

function turn(pose, character, joint, rotation) {
  pose.locals.set(rotation, POSE_STRIDE * character.skeleton.names.indexOf(joint) + 3);
}

function about([x, y, z], degrees) {
  const sine = Math.sin((degrees * RADIANS) / 2) / Math.hypot(x, y, z);
  return [x * sine, y * sine, z * sine, Math.cos((degrees * RADIANS) / 2)];
}

/** q_y q_x q_z of three angles. */
function turns(...angles) {
  const [sx, sy, sz] = angles.map((a) => Math.sin((a * RADIANS) / 2));
  const [cx, cy, cz] = angles.map((a) => Math.cos((a * RADIANS) / 2));
  return [
    cy * sx * cz + sy * cx * sz,
    sy * cx * cz - cy * sx * sz,
    cy * cx * sz - sy * sx * cz,
    cy * cx * cz + sy * sx * sz,
  ];
}

export function bend(character, joint, axis, degrees) {
  const pose = createPose(character);
  turn(pose, character, joint, about(axis, degrees));
  return pose;
}

/** The demo `hand` between open (0) and a fist (1): the fingers close, then the thumb lies over them. */
export function closeHand(character, amount) {
  const pose = createPose(character);
  const late = Math.max(0, 5 * amount - 4);
  const over = late * late * (3 - 2 * late);
  turn(pose, character, 'palm', turns(-12 * amount, 0, 0));
  turn(pose, character, 'thumb.1', turns(42 * over, -16 * over, 4 * over));
  turn(pose, character, 'thumb.2', turns(24 * over, -26 * over, 22 * over));
  turn(pose, character, 'thumb.3', turns(14 * over, -26 * over, 36 * over));
  Object.entries(FINGERS).forEach(([name, [lean, most]], f) => {
    const bent = Math.min(1, amount * (1 + 0.08 * f)) * most;
    const across = [Math.cos(lean * RADIANS), -Math.sin(lean * RADIANS), 0];
    turn(pose, character, `${name}.1`, turns(82 * bent, 0, lean * bent));
    turn(pose, character, `${name}.2`, about(across, 94 * bent));
    turn(pose, character, `${name}.3`, about(across, 60 * bent));
  });
  return pose;
}
