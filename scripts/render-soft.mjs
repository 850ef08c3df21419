/**
 * Makes docs/images/soft.png: territories over their seeds, the contact surface of two bodies cut open, balls of growing
 * mass on a floor, and an arm against the body that does not melt into it. The packages must be built.
 *
 * node scripts/render-soft.mjs
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { encodePng, renderPicture } from '@isoskin/report';
import { createSoftWorld } from '@isoskin/soft';
import { composePictures } from './pictures/compose-pictures.mjs';

const folder = fileURLToPath(new URL('../docs/images/', import.meta.url));
const COLORS = [
  [0.85, 0.45, 0.35],
  [0.35, 0.6, 0.8],
  [0.55, 0.75, 0.4],
  [0.85, 0.7, 0.35],
];
const size = { width: 440, height: 400 };
const settle = (world, steps = 60) => {
  for (let n = 0; n < steps; n++) world.update(1 / 60);
  return world;
};

function renderTerritories() {
  const flesh = { object: 'o', falloff: 'smooth' };
  const world = createSoftWorld({
    objects: [{ name: 'o' }],
    primitives: [
      { ...flesh, name: 'a', shape: 'segment', thickness: 0.5, corners: [-1.5, 0, 0, 0.4, 0, 0] },
      { ...flesh, name: 'b', shape: 'point', thickness: 0.8, corners: [1.1, 0.3, 0] },
      { ...flesh, name: 'c', shape: 'triangle', thickness: 0.35, corners: [-1, 0.6, 0, 0.3, 0.7, 0, -0.6, 1.8, 0.3] },
    ],
    sampling: 10,
  });
  const { positions, triangles } = world.seedsSurface();
  // Rays are in the order of the primitives; a triangle belongs to one.
  const parts = world.names.map(() => []);
  const limits = [];
  for (let i = 0; i < world.count; i++) limits.push(countRays(world, i));
  for (let t = 0; t < triangles.length; t += 3) {
    const owner = limits.findIndex((end) => triangles[t] < end);
    parts[owner].push(triangles[t], triangles[t + 1], triangles[t + 2]);
  }
  const meshes = parts.map((part, i) => ({ positions, triangles: part, color: COLORS[i], wireframe: true }));
  return renderPicture({ ...size, meshes, camera: { azimuth: 15, elevation: 10 } });
}

/** One past the last ray of primitive i: where the connected shells end. */
function countRays(world, i) {
  const { positions, triangles } = world.seedsSurface();
  const component = new Int32Array(positions.length / 3).map((_, n) => n);
  const find = (n) => {
    while (component[n] !== n) n = component[n];
    return n;
  };
  for (let t = 0; t < triangles.length; t += 3) {
    for (const [a, b] of [
      [t, t + 1],
      [t, t + 2],
    ]) {
      const [p, q] = [find(triangles[a]), find(triangles[b])];
      component[Math.max(p, q)] = Math.min(p, q);
    }
  }
  const starts = [...new Set(component.map((_, n) => find(n)))].sort((a, b) => a - b);
  return starts[i + 1] ?? component.length;
}

function renderContact() {
  const world = settle(
    createSoftWorld({
      objects: [{ name: 'a' }, { name: 'b' }],
      primitives: [
        { name: 'a', object: 'a', shape: 'point', thickness: 1, stiffness: 40, corners: [-0.75, 0, 0] },
        { name: 'b', object: 'b', shape: 'point', thickness: 0.8, stiffness: 120, corners: [0.65, 0.1, 0] },
      ],
    }),
  );
  const meshes = world.polygonise({ resolution: 14 }).map(({ piece, positions, triangles }) => ({
    positions,
    triangles: keep(triangles, (n) => positions[3 * n + 2] < 0.02),
    color: COLORS[piece],
  }));
  return renderPicture({ ...size, meshes, camera: { azimuth: 10, elevation: 12 } });
}

function keep(triangles, test) {
  const kept = [];
  for (let t = 0; t < triangles.length; t += 3) {
    const corners = [triangles[t], triangles[t + 1], triangles[t + 2]];
    if (corners.every(test)) kept.push(...corners);
  }
  return kept;
}

function renderBalls() {
  const meshes = [];
  [1, 2, 4, 8].forEach((mass, n) => {
    const world = createSoftWorld({
      objects: [{ name: 'ball', damping: 0.5 }],
      obstacles: [{ name: 'floor', shape: 'plane' }],
      primitives: [
        {
          name: 'ball',
          object: 'ball',
          shape: 'point',
          thickness: 1,
          stiffness: 60,
          kind: 'quadratic',
          corners: [0, 1.2, 0],
        },
      ],
      sampling: 6,
    });
    let [y, v] = [1.2, 0];
    for (let step = 0; step < 1500; step++) {
      v += (world.forces[1] / mass - 9.8) / 300;
      y += v / 300;
      world.corners[1] = y;
      world.velocities[1] = v;
      world.update(1 / 300);
    }
    const [{ positions, triangles }] = world.polygonise({ resolution: 10 });
    meshes.push({ positions: positions.map((p, at) => p + (at % 3 ? 0 : 2.6 * n)), triangles, color: COLORS[n] });
  });
  return renderPicture({ ...size, meshes, camera: { azimuth: 8, elevation: 14 } });
}

function renderArm() {
  const limb = { object: 'man', shape: 'segment', stiffness: 30, falloff: 'smooth' };
  const world = createSoftWorld({
    objects: [
      {
        name: 'man',
        blending: 'fixed',
        blends: [
          ['body', 'upper arm'],
          ['upper arm', 'forearm'],
        ],
      },
    ],
    primitives: [
      { ...limb, name: 'body', thickness: 0.5, radius: 0.9, corners: [0, -2, 0, 0, 1, 0] },
      { ...limb, name: 'upper arm', thickness: 0.3, radius: 0.54, corners: [0, 1, 0, 1.3, 0.8, 0] },
      { ...limb, name: 'forearm', thickness: 0.25, radius: 0.45, corners: [1.3, 0.8, 0, 2.4, 0.6, 0] },
    ],
  });
  for (let n = 0; n <= 60; n++) {
    const angle = (2.35 * n) / 60;
    world.corners[21] = 1.3 + 1.1 * Math.cos(angle);
    world.corners[22] = 0.8 - 1.1 * Math.sin(angle);
    world.update(1 / 60);
  }
  const meshes = world.polygonise({ resolution: 6, rounds: 2 });
  return renderPicture({ ...size, meshes, camera: { azimuth: 25, elevation: 8 } });
}

const pictures = [renderTerritories(), renderContact(), renderBalls(), renderArm()];
const captions = [
  'territories over their seeds',
  'contact surface, cut open',
  'mass 1, 2, 4, 8',
  'arm against the body',
];
mkdirSync(folder, { recursive: true });
writeFileSync(`${folder}soft.png`, await encodePng(composePictures(pictures, 2, captions)));
console.log('soft.png');
