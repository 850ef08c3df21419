/**
 * Makes every picture of the README and of docs/ with the project's own characters and renderer, and prints the numbers
 * of their captions. The packages must be built.
 *
 * node scripts/render-docs.mjs [name …]     all pictures, or those whose name contains one of the words
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  createCharacter,
  createFrameSource,
  createPose,
  POSE_STRIDE,
  planBody,
  planVolumeMeter,
  presetStack,
} from '@isoskin/core';
import { measureQuality, planQuality } from '@isoskin/core/quality';
import { refineWeights, rigMesh } from '@isoskin/core/weights';
import { createDemo, createDemoInput } from '@isoskin/demos';
import { CLAY, colorMap, colorValues, encodePng, renderPicture } from '@isoskin/report';
import { composePictures } from './pictures/compose-pictures.mjs';

const folder = fileURLToPath(new URL('../docs/images/', import.meta.url));
const SKIN_ONLY = { skin: {} };
const SIZE = { width: 400, height: 320 };
/** Displacement that gets the full colour, relative to the diagonal of the character; the tube is all joint. */
const FULL_COLOUR = 0.02;
const FULL_COLOUR_TUBE = 0.06;

const FIST = { clip: 'fist', time: 2.07 };
const FIST_CAMERA = { azimuth: 35, elevation: 5, box: [-0.6, 0.45, -0.5, 0.6, 1.25, 0.6] };
const BY_BONE = { regions: { by: 'bone' }, map: { kind: 'uniform' } };
const TUBE_CAMERA = { azimuth: 0, elevation: 50 };
const tube = () => take('tube', 1602);
/** The trotting elephant where its belly swings up and where it hangs. */
const BOUNCE = { high: 0.3, low: 0.6, box: [-1, 0.2, -2, 1, 2.7, 3] };
const BELLY = { ...presetStack('organic'), flesh: { frequency: 1.6, damping: 0.15, maxStretch: 0.35 } };
const bent = (degrees) => ({ joint: 'upper', degrees });
const volume = (method, more = {}) => ({
  skin: {},
  volume: { method, regions: { by: 'component' }, map: { kind: 'power' }, ...more },
});

/** Every picture by its file name: a list of panels, each a character, a stack, a pose and a colouring. */
const PICTURES = {
  hand: () => compare('linear skinning', take('hand'), presetStack('organic'), FIST, FIST_CAMERA),
  characters: () => [
    ...compare('linear skinning', take('giraffe'), presetStack('organic'), at('neck', 1.73), { azimuth: 60 }),
    ...compare('linear skinning', take('hero'), presetStack('organic'), at('squat', 1.13), { azimuth: 60 }),
  ],
  'plan-axis-linear': () => method('C1', volume('axis-linear')),
  'plan-axis-exact': () => method('C2', volume('axis-exact')),
  'plan-normal-linear': () => method('C5', volume('normal-linear')),
  'plan-normal-exact': () => method('C6', volume('normal-exact')),
  'plan-small-steps': () => method('C7', volume('small-steps')),
  'plan-laplacian': () => [
    panel('C6, plain', tube(), volume('normal-exact'), bent(90), { color: 'displacement' }),
    panel('C8', tube(), volume('laplacian'), bent(90), { color: 'displacement' }),
  ],
  'mesh-independence': () =>
    [false, true].flatMap((areaNorm) =>
      ['even', 'dense half'].map((sampling) =>
        panel(
          `${areaNorm ? 'area norm' : 'plain norm'}, ${sampling}`,
          sampledTube(sampling),
          volume('normal-exact', { map: { kind: 'uniform' }, options: { areaNorm } }),
          bent(90),
          { color: 'displacement' },
        ),
      ),
    ),
  'plan-regions-linear': () =>
    ['prism', 'exact'].map((estimator) =>
      panel(
        `C10, ${estimator}`,
        tube(),
        volume('regions-linear', {
          regions: { by: 'bone' },
          map: { kind: 'power', local: true },
          options: { estimator },
        }),
        bent(90),
        { color: 'displacement' },
      ),
    ),
  'plan-regions-exact': () => [
    panel('skinned', take('hand'), SKIN_ONLY, FIST, { ...FIST_CAMERA, caption: 'region' }),
    panel('one constraint', take('hand'), volume('normal-exact', { map: { kind: 'uniform' } }), FIST, {
      ...FIST_CAMERA,
      color: 'displacement',
      caption: 'region',
    }),
    panel('C11', take('hand'), volume('regions-exact', BY_BONE), FIST, {
      ...FIST_CAMERA,
      color: 'displacement',
      caption: 'region',
    }),
  ],
  'plan-shapes': () =>
    compare('linear skinning', take('giraffe'), presetStack('organic'), at('neck', 1.73), { azimuth: 60 }),
  'plan-progressive-pose': () =>
    [0, 8].map((progressive) =>
      panel(
        progressive ? `${progressive} steps of the pose` : 'at once',
        tube(),
        volume('normal-exact', { progressive }),
        bent(120),
        { color: 'displacement' },
      ),
    ),
  'plan-target-volumes': () =>
    [0.85, 1, 1.15].map((all) =>
      panel(
        `target × ${all}`,
        take('toy'),
        volume('shapes', { regions: { by: 'bone' }, target: { all } }),
        at('wobble', 0.33),
        { color: 'displacement' },
      ),
    ),
  'apply-shape': () => [
    panel('even', take('finger'), presetStack('organic'), at('wave', 0.6), { color: 'displacement' }),
    ...[{ axis: 0 }, { across: 0 }].map((shares) => {
      const { volume } = presetStack('organic');
      const shaped = { volume: { ...volume, shape: [{ region: '*', along: 0, ...shares }] } };
      return panel(`not ${'axis' in shares ? 'along the axis' : 'across'}`, take('finger'), shaped, at('wave', 0.6), {
        color: 'displacement',
      });
    }),
  ],
  'measure-map': () =>
    [
      ['D1 uniform', { kind: 'uniform' }],
      ['D2 power', { kind: 'power' }],
      ['D3 rubber', { kind: 'rubber' }],
      ['D4 organic', { kind: 'organic' }],
      ['D6 intermediate', { kind: 'intermediate' }],
      ['D8 local', { kind: 'uniform', local: true }],
    ].map(([name, map]) =>
      panel(
        name,
        take('hero'),
        volume('normal-exact', { map, regions: { by: 'bone' } }),
        { rest: true },
        { color: 'gamma', caption: false, azimuth: 20 },
      ),
    ),
  'off-centre-tube': () =>
    [
      ['linear skinning', undefined],
      ['D3 rubber', { kind: 'rubber' }],
      ['D4 organic', { kind: 'organic' }],
    ].map(([name, map]) =>
      panel(
        name,
        take('off-centre-tube', 2000),
        map ? volume('normal-exact', { map, regions: { by: 'component' } }) : { skin: {} },
        bent(60),
        { ...TUBE_CAMERA, caption: false },
      ),
    ),
  'plan-regions': () =>
    [
      ['E1 by bone', { by: 'bone' }],
      ['E2 by joint', { by: 'joint' }],
      ['by component', { by: 'component' }],
    ].map(([name, regions]) =>
      panel(
        name,
        take('elephant'),
        volume('normal-exact', { regions }),
        { rest: true },
        { color: 'region', caption: false },
      ),
    ),
  presets: () =>
    [
      ['finger', at('curl', 1.5)],
      ['hero', at('punch', 0.6)],
    ].flatMap(([name, moment]) => [
      panel('linear skinning', take(name), SKIN_ONLY, moment, { azimuth: 20 }),
      ...['organic', 'rubber', 'muscle', 'toy'].map((preset) =>
        panel(preset, take(name), presetStack(preset), moment, { azimuth: 20, caption: false }),
      ),
    ]),
  flesh: () =>
    [BOUNCE.high, BOUNCE.low].flatMap((time) =>
      compare('linear skinning', take('elephant'), BELLY, at('trot', time), {
        azimuth: 75,
        elevation: -8,
        box: BOUNCE.box,
      }),
    ),
  'flesh-travel': () =>
    [BOUNCE.high, BOUNCE.low].flatMap((time) =>
      [0, 2].map((travel) =>
        panel(`travel ${travel}`, take('elephant'), { flesh: { ...BELLY.flesh, travel } }, at('trot', time), {
          azimuth: 75,
          elevation: -8,
          box: BOUNCE.box,
          color: 'displacement',
          caption: false,
        }),
      ),
    ),
  'refine-weights': () =>
    [
      ['hand', FIST, FIST_CAMERA],
      ['finger', at('curl', 1.5), { azimuth: 20 }],
    ].flatMap(([name, moment, camera]) => [
      panel('linear skinning', take(name), SKIN_ONLY, moment, camera),
      panel('linear, refined', { ...take(name), binding: refineWeights(take(name)) }, SKIN_ONLY, moment, camera),
    ]),
  rig: () => ['hero', 'cat', 'elephant', 'giraffe', 'hand'].map(drawSkeleton),
  'measure-quality': () =>
    [
      ['raw normals', volume('regions-exact', BY_BONE)],
      ['organic', presetStack('organic')],
    ].map(([name, stack]) =>
      panel(name, take('hand'), stack, FIST, { ...FIST_CAMERA, color: 'displacement', caption: 'quality' }),
    ),
};

const COLUMNS = { presets: 5, flesh: 3, characters: 3, 'mesh-independence': 2, 'measure-map': 3 };

mkdirSync(folder, { recursive: true });
const words = process.argv.slice(2);
for (const [name, list] of Object.entries(PICTURES)) {
  if (words.length > 0 && !words.some((word) => name.includes(word))) continue;
  const panels = list();
  const captions = panels.map(({ caption }) => caption);
  const sheet = composePictures(
    panels.map(({ picture }) => picture),
    COLUMNS[name] ?? panels.length,
    captions,
  );
  const png = await encodePng(sheet);
  writeFileSync(`${folder}${name}.png`, png);
  console.log(`${name}.png, ${Math.round(png.length / 1024)} kB: ${captions.join(' | ')}`);
}

/** A demo character, made once. */
function take(name, vertices) {
  take.made ??= new Map();
  const key = `${name} ${vertices}`;
  if (!take.made.has(key)) take.made.set(key, createDemo(name, vertices ? { vertices } : {}));
  return take.made.get(key);
}

/** The reference tube with its rings spaced evenly, or three times as densely at one end as at the other. */
function sampledTube(sampling) {
  if (sampling === 'even') return tube();
  const input = createDemoInput('tube', { vertices: 1602 });
  const [part] = input.parts;
  const { positions, weights } = part;
  for (let v = 0; v < weights.length / 2; v++) {
    const [x, y, z] = positions.subarray(3 * v, 3 * v + 3);
    const u = x / 3.3;
    positions[3 * v] = 3.3 * (u + 0.25 * (u * u - 1));
    // ω ∝ d⁻⁴ at the new place, as the demo has it.
    const [lower, upper] = [1, -1].map((side) => (y * y + z * z + Math.max(0, side * positions[3 * v]) ** 2) ** -2);
    if (Number.isFinite(lower) && Number.isFinite(upper)) weights[2 * v] = lower / (lower + upper);
    weights[2 * v + 1] = 1 - weights[2 * v];
  }
  return createCharacter(input);
}

function at(clip, time) {
  return { clip, time };
}

/** Skinned, corrected, and where the skin moved. */
function compare(name, character, stack, moment, camera) {
  return [
    panel(name, character, SKIN_ONLY, moment, camera),
    panel('isoskin', character, stack, moment, camera),
    panel('where it moved', character, stack, moment, { ...camera, color: 'displacement', caption: false }),
  ];
}

/** The same for one method on the reference tube, bent by 90°. */
function method(name, stack) {
  return compare('linear skinning', tube(), stack, bent(90), TUBE_CAMERA).map((one, n) =>
    n === 1 ? { ...one, caption: one.caption.replace('isoskin', name) } : one,
  );
}

function panel(name, character, spec, moment, { color, caption = 'volume', ...camera } = {}) {
  const stack = createFrameSource(planBody(character), spec);
  const layer = stack.volume;
  const meter = planVolumeMeter(character, layer);
  const clip = character.clips.find(({ name }) => name === moment.clip);
  const frame = clip ? stack.seek(clip, moment.time) : stack.evaluate(poseOf(character, moment));
  const { positions, skinned } = moment.rest
    ? { positions: character.surface.positions, skinned: character.surface.positions }
    : frame;
  const view = character.name === 'tube' ? { ...TUBE_CAMERA, ...camera } : camera;
  const box = view.box ?? boxOf(skinned);
  const mesh = {
    positions,
    triangles: character.surface.triangles,
    ...colourOf(color, character, layer, positions, skinned),
  };
  const picture = renderPicture({ ...SIZE, camera: { ...view, box }, meshes: [mesh] });
  return { picture, caption: caption ? `${name}, ${describe(caption, meter, frame, character)}` : name };
}

/** A body, pale, and the skeleton that its surface alone gives. */
function drawSkeleton(name) {
  const { surface } = take(name);
  const skeleton = rigMesh(surface);
  const camera = { azimuth: name === 'hand' ? 0 : 40, elevation: 8, box: boxOf(surface.positions) };
  const [x0, y0, z0, x1, y1, z1] = camera.box;
  const width = 0.008 * Math.hypot(x1 - x0, y1 - y0, z1 - z0);
  const places = [];
  const bones = { positions: [], triangles: [] };
  skeleton.parents.forEach((parent, j) => {
    const way = [0, 1, 2].map((r) => skeleton.locals[POSE_STRIDE * j + r]);
    const from = places[parent] ?? [0, 0, 0];
    places.push(way.map((x, r) => x + from[r]));
    if (parent >= 0) addBone(bones, from, way, width);
  });
  const colors = new Float32Array(bones.positions.length);
  for (let i = 0; i < colors.length; i += 3) colors.set([0.85, 0.3, 0.1], i);
  const meshes = [
    { positions: Float64Array.from(bones.positions), triangles: Uint32Array.from(bones.triangles), colors },
  ];
  const picture = renderPicture({ ...SIZE, camera, meshes: [surface] });
  const front = renderPicture({ ...SIZE, camera, meshes, background: null });
  for (let i = 0; i < picture.rgba.length; i++) {
    const share = front.rgba[i - (i % 4) + 3] / 255;
    picture.rgba[i] = share * front.rgba[i] + (1 - share) * (i % 4 === 3 ? 255 : 0.5 * picture.rgba[i] + 127);
  }
  return { picture, caption: `${name}, ${skeleton.boneCount} joints` };
}

/** An octahedron from a place along a way. */
function addBone({ positions, triangles }, from, way, width) {
  const length = Math.hypot(...way) || 1;
  const axis = way.map((x) => x / length);
  const cross = (a, b) => [0, 1, 2].map((r) => a[(r + 1) % 3] * b[(r + 2) % 3] - a[(r + 2) % 3] * b[(r + 1) % 3]);
  const side = cross(axis, Math.abs(axis[1]) < 0.9 ? [0, 1, 0] : [1, 0, 0]);
  const unit = side.map((x) => x / Math.hypot(...side));
  const other = cross(axis, unit);
  const first = positions.length / 3;
  positions.push(...from, ...from.map((x, r) => x + way[r]));
  for (const [c, s] of [
    [1, 0],
    [0, 1],
    [-1, 0],
    [0, -1],
  ]) {
    positions.push(...from.map((x, r) => x + 0.15 * way[r] + width * (c * unit[r] + s * other[r])));
  }
  for (let k = 0; k < 4; k++) {
    const [a, b] = [first + 2 + k, first + 2 + ((k + 1) % 4)];
    triangles.push(first, b, a, first + 1, a, b);
  }
}

function describe(kind, meter, { positions, skinned, bones }, character) {
  const change = meter.measure(positions) / meter.measureTargets(bones, 0) - 1;
  if (kind === 'volume') return `volume ${showChange(change)}`;
  if (kind === 'quality') {
    const { roughness, flipped, stretch99 } = measureQuality(planQuality(character.surface), skinned, positions);
    return `roughness ${roughness.toFixed(2)}, flipped ${(100 * flipped).toFixed(2)} %, stretch ${stretch99.toFixed(2)}`;
  }
  const cut = planVolumeMeter(character, { by: 'bone' });
  cut.measure(positions);
  cut.measureTargets(bones, 0);
  const changes = [...cut.regionVolumes].map((v, s) => v / cut.targets[s] - 1);
  return `worst region ${showChange(changes.reduce((a, b) => (Math.abs(b) > Math.abs(a) ? b : a)))}`;
}

function poseOf(character, moment) {
  const pose = createPose(character);
  if (moment.joint) {
    const half = (moment.degrees * Math.PI) / 360;
    const node = character.skeleton.names.indexOf(moment.joint);
    pose.locals.set([0, Math.sin(half), 0, Math.cos(half)], node * POSE_STRIDE + 3);
  }
  return pose;
}

function colourOf(color, character, layer, positions, skinned) {
  const { vertexCount, triangles } = character.surface;
  if (color === 'gamma') return { colors: colorValues(layer.gamma, 0, Math.max(...layer.gamma)) };
  if (color === 'region') {
    const colors = new Float32Array(3 * vertexCount);
    const { triangleRegion, count } = layer.regions;
    // Neighbouring numbers get distant colours.
    for (let t = 0; t < triangles.length; t++) {
      const s = triangleRegion[Math.floor(t / 3)];
      colors.set(
        s < count ? colorMap(((s * 0.618) % 1) * 0.9, s % 2 ? 'diverging' : 'sequential') : CLAY,
        3 * triangles[t],
      );
    }
    return { colors };
  }
  if (color !== 'displacement') return {};
  const box = boxOf(skinned);
  const size = Math.hypot(box[3] - box[0], box[4] - box[1], box[5] - box[2]);
  const lengths = Float64Array.from({ length: vertexCount }, (_, k) =>
    Math.hypot(...[0, 1, 2].map((i) => positions[3 * k + i] - skinned[3 * k + i])),
  );
  return { colors: colorValues(lengths, 0, (character.name === 'tube' ? FULL_COLOUR_TUBE : FULL_COLOUR) * size) };
}

function boxOf(positions) {
  const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i++) {
    box[i % 3] = Math.min(box[i % 3], positions[i]);
    box[3 + (i % 3)] = Math.max(box[3 + (i % 3)], positions[i]);
  }
  return box;
}

function showChange(change) {
  const percent = 100 * Math.abs(change);
  const size = percent < 0.00995 ? percent.toExponential(0) : percent.toFixed(2);
  return percent === 0 ? '0 %' : `${change < 0 ? '-' : '+'}${size} %`;
}
