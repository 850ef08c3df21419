/** Regions in colour, and the volume of each over time, before and after. */
import { planVolumeMeter } from '@isoskin/core';
import { skinLinear } from '@isoskin/core/kernels';
import { VolumeSkinnedMesh } from '@isoskin/three';
import * as THREE from 'three';
import { listSkinnedMeshes, loadDemo, play } from '../shared/load-demo.js';
import { publish } from '../shared/measure-drawn-volume.js';
import { createStage } from '../shared/stage.js';

const SECONDS = 4;
const stage = createStage({ target: [0, 1.3, 0.3], distance: 11, floor: 0 });
const gltf = await loadDemo('elephant', 3500);
stage.scene.add(gltf.scene);
const mesh = listSkinnedMeshes(gltf.scene)[0]!;
const body = new VolumeSkinnedMesh(mesh);
await body.ready;
const { character, volume } = body.plan;
const { volumes, regions } = volume;

// Colours of the regions, on the vertices that the mesh draws.
const palette = regions.names.map((_, s) =>
  new THREE.Color().setHSL((0.06 + 0.382 * s) % 1, 0.5, 0.5, THREE.SRGBColorSpace),
);
const colours = new Float32Array(3 * mesh.geometry.attributes.position!.count);
const regionOf = new Map<number, number>();
volumes.triangleRegion.forEach((s, t) => {
  for (let k = 0; k < 3; k++) regionOf.set(character.surface.triangles[3 * t + k]!, s);
});
for (const [i, v] of character.parts[0]!.welded.entries()) palette[regionOf.get(v) ?? 0]?.toArray(colours, 3 * i);
mesh.geometry.setAttribute('color', new THREE.BufferAttribute(colours, 3));
mesh.material = new THREE.MeshStandardMaterial({ vertexColors: true, roughness: 0.75 });
const kept = new VolumeSkinnedMesh(mesh); // takes the place of the first one, with the colours
await kept.ready;

// What skinning alone does to the regions.
const meter = planVolumeMeter(character, volume);
const skinned = {
  positions: new Float64Array(3 * character.surface.vertexCount),
  directions: new Float64Array(3 * character.surface.vertexCount),
};
const skin = { ...character.binding, positions: character.surface.positions, directions: volume.directions };

const shown = [...regions.names.keys()].sort((a, b) => volume.rest[b]! - volume.rest[a]!).slice(0, 6);
const history: { time: number; before: number[]; after: number[] }[] = [];
const mixer = play(gltf, gltf.scene, 'walk');
let time = 0;
stage.run((dt) => {
  mixer.update(dt);
  time += dt;
  const { report, bones } = kept;
  if (!kept.path || !Number.isFinite(bones[0])) return; // not drawn yet
  skinLinear(skinned, skin, bones, 0, character.surface.vertexCount);
  meter.measure(skinned.positions);
  history.push({
    time,
    before: shown.map((s) => meter.regionVolumes[s]! / report.targets[s]! - 1),
    after: shown.map((s) => report.volumes[s]! / report.targets[s]! - 1),
  });
  while (history[0]!.time < time - SECONDS) history.shift();
  draw();
  const last = history.at(-1)!;
  publish({
    regions: regions.count,
    before: Math.max(...last.before.map(Math.abs)),
    after: Math.max(...last.after.map(Math.abs)),
  });
});

const canvas = document.createElement('canvas');
canvas.className = 'plot';
document.body.append(canvas);

function draw(): void {
  const { clientWidth: width, clientHeight: height } = canvas;
  const scale = devicePixelRatio;
  if (canvas.width !== width * scale) Object.assign(canvas, { width: width * scale, height: height * scale });
  const plot = canvas.getContext('2d')!;
  plot.setTransform(scale, 0, 0, scale, 0, 0);
  plot.clearRect(0, 0, width, height);
  const range = Math.max(0.05, ...history.flatMap(({ before }) => before.map(Math.abs)));
  const x = (t: number) => 46 + ((t - time + SECONDS) / SECONDS) * (width - 170);
  const y = (change: number) => height / 2 - (change / range) * (height / 2 - 24);
  plot.font = '12px system-ui, sans-serif';
  for (const change of [-range, 0, range]) {
    plot.fillStyle = '#8a919c';
    plot.fillText(`${(100 * change).toFixed(0)} %`, 8, y(change) + 4);
    plot.fillStyle = '#d5d9df';
    plot.fillRect(46, y(change), width - 170, 1);
  }
  shown.forEach((s, i) => {
    plot.strokeStyle = plot.fillStyle = `#${palette[s]!.getHexString()}`;
    for (const [kind, line] of [
      ['before', 1],
      ['after', 2.5],
    ] as const) {
      plot.lineWidth = line;
      plot.beginPath();
      for (const each of history) plot.lineTo(x(each.time), y(each[kind][i]!));
      plot.stroke();
    }
    plot.fillText(regions.names[s]!, width - 112, 26 + 18 * i);
  });
}
