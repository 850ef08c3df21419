// WebGPU: full corrected frames on this machine's GPU against its own memory bandwidth.
//
//   node benchmarks/bundle-gpu.mjs && ISOSKIN_GPU=<module with gpu and globals> node out/gpu-bench.mjs      on a bare machine
//   npm run build && node benchmarks/gpu.mjs                               here, through the npm package `webgpu`
//
// Options: --vertices 1000000 --crowd 1000 --frames 200 --steps 2 --coldSteps 5 --out FOLDER (default $OUT, else benchmarks/results)
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createCharacter, planBody, presetStack } from '@isoskin/core';
import { planVolume } from '@isoskin/core/kernels';
import { createExtendedPositions, createRegionGradients, measureRegionVolumes } from '@isoskin/core/mesh';
import { createClipPlayer, createGpuFrame } from '@isoskin/webgpu';
import manifest from '../packages/webgpu/package.json' with { type: 'json' };
import { createTorusInput, poseTorus } from './gpu-torus.mjs';

const { values: options } = parseArgs({
  options: {
    vertices: { type: 'string', default: '1000000' },
    crowd: { type: 'string', default: '1000' },
    frames: { type: 'string', default: '200' },
    steps: { type: 'string', default: '2' },
    coldSteps: { type: 'string', default: '5' },
    out: { type: 'string', default: process.env.OUT ?? 'benchmarks/results' },
  },
});
const frames = Number(options.frames);
const FPS = 60;
const { version } = manifest;
const STORAGE = 128;

const { adapter, device } = await openDevice();
const info = adapter.info;
const machine = [info.vendor, info.architecture, info.device, info.description].filter(Boolean).join(' ');
const timed = device.features.has('timestamp-query');
console.log(`adapter      ${machine}${timed ? '' : ' (no timestamp-query: wall times only)'}`);
const copy = createCopy();
const bandwidth = await measureBandwidth();
console.log(`copy         ${(bandwidth / 1e9).toFixed(0)} GB/s\n`);

const rows = [];
const stageRows = [];
const side = Math.sqrt(Number(options.vertices) / 25); // a long thin torus: 25 times as long as around
await runCase('one', Math.round(side), Math.round(Number(options.vertices) / Math.round(side)), 40, 1);
await runCase('crowd', 40, 143, 20, Number(options.crowd));
await runCase('crowd clips', 40, 143, 20, Number(options.crowd), true);
const file = `gpu-${slug(info.architecture || info.device || machine)}`;
writeCsv(`${file}.csv`, rows);
writeCsv(`${file}-stages.csv`, stageRows);
process.exit(0); // Dawn keeps the process alive

async function openDevice() {
  const source = process.env.ISOSKIN_GPU;
  const module = await import(source ?? 'webgpu');
  Object.assign(globalThis, module.globals);
  globalThis.isoskinGpu = module.gpu ?? module.create(['enable-dawn-features=allow_unsafe_apis']); // kept alive
  const adapter = await globalThis.isoskinGpu.requestAdapter({ powerPreference: 'high-performance' });
  if (!adapter) throw new Error('No GPU adapter: install a Vulkan driver, or point VK_ICD_FILENAMES at one.');
  const { maxBufferSize, maxStorageBufferBindingSize } = adapter.limits;
  const device = await adapter.requestDevice({
    requiredFeatures: ['timestamp-query', 'subgroups'].filter((name) => adapter.features.has(name)),
    requiredLimits: { maxBufferSize, maxStorageBufferBindingSize },
  });
  device.addEventListener('uncapturederror', ({ error }) => {
    console.error(error.message);
    process.exit(1);
  });
  return { adapter, device };
}

/** A kernel that copies, many times. */
function createCopy() {
  const bytes = Math.min(2 ** 28, device.limits.maxStorageBufferBindingSize, timedSize());
  const [from, to] = [0, 1].map(() => device.createBuffer({ size: bytes, usage: STORAGE }));
  const module = device.createShaderModule({
    code: `@group(0) @binding(0) var<storage, read> a: array<vec4f>;
      @group(0) @binding(1) var<storage, read_write> b: array<vec4f>;
      @compute @workgroup_size(256) fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) n: vec3u) {
        let i = id.x + id.y * n.x * 256u;
        if (i < arrayLength(&a)) { b[i] = a[i]; }
      }`,
  });
  const pipeline = device.createComputePipeline({ layout: 'auto', compute: { module } });
  const group = device.createBindGroup({
    layout: pipeline.getBindGroupLayout(0),
    entries: [from, to].map((buffer, binding) => ({ binding, resource: { buffer } })),
  });
  const groups = Math.ceil(bytes / 16 / 256);
  return {
    bytes,
    encode(encoder, repeats, timestampWrites) {
      const pass = encoder.beginComputePass(timestampWrites && { timestampWrites });
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, group);
      for (let r = 0; r < repeats; r++) pass.dispatchWorkgroups(Math.min(groups, 32768), Math.ceil(groups / 32768));
      pass.end();
    },
  };
}

/** Bytes per second that the copy kernel reads and writes. */
async function measureBandwidth() {
  const repeats = 20;
  let best = Number.POSITIVE_INFINITY;
  for (let n = 0; n < 5; n++) best = Math.min(best, await measure((...args) => copy.encode(args[0], repeats, args[1])));
  return (2 * copy.bytes * repeats) / (best / 1e3);
}

function timedSize() {
  return frames < 20 ? 2 ** 22 : 2 ** 28; // small runs are tests of this file
}

/** Milliseconds of what `encode` puts into one submit: by time stamps where there are any, else by the clock. */
async function measure(encode) {
  const encoder = device.createCommandEncoder();
  const stamps = timed ? createStamps(2) : undefined;
  encode(encoder, stamps && { querySet: stamps.set, beginningOfPassWriteIndex: 0, endOfPassWriteIndex: 1 });
  stamps?.resolve(encoder);
  const start = performance.now();
  device.queue.submit([encoder.finish()]);
  await device.queue.onSubmittedWorkDone();
  const wall = performance.now() - start;
  if (!stamps) return wall;
  const [from, to] = await stamps.read();
  return (to - from) / 1e6;
}

function createStamps(count) {
  const set = device.createQuerySet({ type: 'timestamp', count });
  const resolved = device.createBuffer({
    size: 8 * count,
    usage: GPUBufferUsage.QUERY_RESOLVE | GPUBufferUsage.COPY_SRC,
  });
  const copy = device.createBuffer({ size: 8 * count, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
  return {
    set,
    resolve(encoder) {
      encoder.resolveQuerySet(set, 0, count, resolved, 0);
      encoder.copyBufferToBuffer(resolved, 0, copy, 0, 8 * count);
    },
    async read() {
      await copy.mapAsync(GPUMapMode.READ);
      const values = Array.from(new BigUint64Array(copy.getMappedRange().slice(0)), Number);
      set.destroy();
      resolved.destroy();
      copy.destroy();
      return values;
    },
  };
}

/**
 * Plans a character once; frames that start from the last one's amounts, then frames that start from nothing.
 * `isPlayed`: poses are made on the GPU from a clip, and the frame is written as a crowd draws it.
 */
async function runCase(name, around, along, boneCount, instances, isPlayed = false) {
  let start = performance.now();
  const character = createCharacter(createTorusInput(around, along, boneCount));
  const plan = planVolume(planBody(character), presetStack('organic').volume).framePlan();
  const planSeconds = (performance.now() - start) / 1e3;
  start = performance.now();
  const [steps, coldSteps] = [Number(options.steps), Number(options.coldSteps)];
  const frame = createGpuFrame(device, plan, { instances, steps, coldSteps, packed: isPlayed });
  const regions = plan.volumes.regionCount;
  const uploadSeconds = (performance.now() - start) / 1e3;
  console.log(`${name}: ${instances} × ${plan.vertexCount} vertices, ${regions} regions`);
  console.log(
    `  planned in ${planSeconds.toFixed(1)} s, lists and pipelines ${uploadSeconds.toFixed(1)} s, ` +
      `${(frame.bytes / 1e6).toFixed(0)} MB on the GPU\n`,
  );
  const rest = measureVolumes(plan, plan.positions, (k) => 3 * k);
  const targets = Float64Array.from({ length: regions * instances }, (_, n) => rest[n % regions]);
  const source = isPlayed ? playPoses(frame, boneCount, rest) : uploadPoses(frame, boneCount, targets);
  for (const warm of [true, false]) {
    const found = await measureMode({ plan, frame, source, targets, warm });
    report(warm ? name : `${name} cold`, { plan, frame, planSeconds, steps: warm ? steps : coldSteps }, found);
  }
  source.dispose();
  frame.dispose();
}

/** Bone matrices of every character go to the GPU with every frame. Posing is the caller's business: all poses are made beforehand. */
function uploadPoses(frame, boneCount, targets) {
  const poses = new Map();
  const pose = (n) => {
    if (!poses.has(n)) poses.set(n, createPoses(boneCount, frame.instances, n / FPS));
    return poses.get(n);
  };
  for (let n = -10; n <= 2 * frames + 40; n++) pose(n);
  return {
    encode: (encoder, n, timing) => frame.encode(encoder, pose(n), targets, timing),
    /** What a frame needs, and a frame from there. */
    buffer: frame.inputs,
    upload: (n) => device.queue.writeBuffer(frame.inputs, 0, frame.pack(pose(n), targets)),
    encodeUploaded: (encoder, timing) => frame.encode(encoder, undefined, undefined, timing),
    dispose: () => {},
  };
}

/** One clip for all on the GPU, each at a time of its own. */
function playPoses(frame, boneCount, rest) {
  const duration = 4 * Math.PI; // of the wave
  const count = Math.ceil(duration * FPS) + 1;
  const bones = new Float64Array(12 * boneCount * count);
  for (let n = 0; n < count; n++) {
    poseTorus(bones.subarray(12 * boneCount * n, 12 * boneCount * (n + 1)), boneCount, (duration * n) / (count - 1));
  }
  const targets = Float64Array.from({ length: rest.length * count }, (_, n) => rest[n % rest.length]);
  const player = createClipPlayer(device, frame, [{ duration, bones, targets }]);
  const plays = new Float32Array(2 * frame.instances);
  const place = (n) => {
    for (let i = 0; i < frame.instances; i++) plays[2 * i + 1] = n / FPS + 0.37 * i;
    return plays;
  };
  return {
    encode(encoder, n, timing) {
      player.encode(encoder, place(n));
      frame.encode(encoder, undefined, undefined, timing);
    },
    buffer: player.plays,
    upload: (n) => device.queue.writeBuffer(player.plays, 0, place(n)),
    encodeUploaded(encoder, timing) {
      player.encode(encoder);
      frame.encode(encoder, undefined, undefined, timing);
    },
    dispose: player.dispose,
  };
}

/** Times, errors and evaluations of the frames of a case, warm or cold. */
async function measureMode({ plan, frame, source, targets, warm }) {
  const worst = { total: 0, region: 0, evaluations: 0 };
  const check = async () => {
    const found = await measureAccuracy(plan, frame, targets);
    for (const field of Object.keys(worst)) worst[field] = Math.max(worst[field], found[field]);
  };
  const submit = (n, timing, after) => {
    const encoder = device.createCommandEncoder();
    if (timing) copy.encode(encoder, frames < 20 ? 1 : 1000); // raises the clock
    source.encode(encoder, n, { warm, ...timing });
    after?.(encoder);
    device.queue.submit([encoder.finish()]);
  };
  for (let n = -10; n < 0; n++) submit(n);
  await device.queue.onSubmittedWorkDone();
  const batchTimes = await measureBatches({ source, warm, submit });
  await check();

  // One frame per submit with a new pose each: GPU time by stamps, waiting for every frame …
  const times = [];
  for (let n = -4; n < frames; n++) {
    const time = await measure((encoder, stamps) =>
      source.encode(encoder, n, { warm, ...(stamps && { frame: stamps }) }),
    );
    if (n < 0) continue; // a jump back
    times.push(time);
    if (n % Math.ceil(frames / 5) === 0 || n === frames - 1) await check();
  }
  // … and by the clock, without waiting: upload, encoding, submit and GPU.
  let encoding = 0;
  const start = performance.now();
  for (let n = frames; n < 2 * frames; n++) {
    const from = performance.now();
    submit(n);
    encoding += performance.now() - from;
  }
  await device.queue.onSubmittedWorkDone();
  const wall = (performance.now() - start) / frames;
  let moving = 2 * frames - 1;
  const stages = timed ? await measureStages((timing, after) => submit(++moving, timing, after)) : [];
  return { worst, batchTimes, gpu: median(times), wall, cpu: encoding / frames, stages };
}

/** Many frames in one submit, each with a new pose that already lies on the GPU: no gaps between them. Milliseconds per frame. */
async function measureBatches({ source, warm, submit }) {
  const batch = Math.min(100, frames);
  const { size } = source.buffer;
  const poses = device.createBuffer({ size: size * batch, usage: GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST });
  for (let n = 0; n < batch; n++) {
    const encoder = device.createCommandEncoder();
    source.upload(frames + 1 + n);
    encoder.copyBufferToBuffer(source.buffer, 0, poses, size * n, size);
    device.queue.submit([encoder.finish()]);
  }
  const run = async () => {
    for (let n = -4; n < 0; n++) {
      submit(frames + 1 + n); // back to where the batch starts
      await device.queue.onSubmittedWorkDone();
    }
    const stamps = timed ? createStamps(2) : undefined;
    const encoder = device.createCommandEncoder();
    copy.encode(encoder, frames < 20 ? 1 : 3000); // an idle GPU takes a while to raise its clock
    for (let n = 0; n < batch; n++) {
      const writes = stamps && {
        querySet: stamps.set,
        ...(n === 0 && { beginningOfPassWriteIndex: 0 }),
        ...(n === batch - 1 && { endOfPassWriteIndex: 1 }),
      };
      const isMarked = writes && (n === 0 || n === batch - 1);
      encoder.copyBufferToBuffer(poses, size * n, source.buffer, 0, size);
      source.encodeUploaded(encoder, { warm, ...(isMarked && { frame: writes }) });
    }
    stamps?.resolve(encoder);
    const start = performance.now();
    device.queue.submit([encoder.finish()]);
    await device.queue.onSubmittedWorkDone();
    const clock = (performance.now() - start) / batch;
    if (!stamps) return clock;
    const [first, last] = await stamps.read();
    return (last - first) / 1e6 / batch;
  };
  const times = [];
  for (let n = 0; n < 5; n++) times.push(await run());
  poses.destroy();
  return times;
}

function report(name, { plan, frame, planSeconds, steps }, { worst, batchTimes, gpu, wall, cpu, stages }) {
  const bytes = frame.measureTraffic(worst.evaluations);
  const floor = (bytes / bandwidth) * 1e3;
  const batchTime = median(batchTimes);
  const perVertex = bytes / frame.instances / plan.vertexCount;
  console.log(`  ${name}: up to ${worst.evaluations.toFixed(2)} evaluations of ${steps} encoded`);
  console.log(
    `  GPU ${gpu.toFixed(4)} ms per frame (median of ${frames}), ${batchTime.toFixed(4)} in batches (${batchTimes.map((t) => t.toFixed(3)).join(' ')}), ` +
      `by the clock ${wall.toFixed(4)} (CPU ${cpu.toFixed(4)})`,
  );
  console.log(
    `  floor ${floor.toFixed(4)} ms: ${(bytes / 1e6).toFixed(0)} MB, ${perVertex.toFixed(0)} bytes per vertex; ` +
      `ratio ${(batchTime / floor).toFixed(2)} in batches, ${(gpu / floor).toFixed(2)} alone`,
  );
  console.log(`  total off by ${worst.total.toExponential(1)}, regions by ${worst.region.toExponential(1)} (worst)`);
  for (const [stage, us] of stages) console.log(`    ${stage.padEnd(24)} ${us.toFixed(1)} µs`);
  console.log();
  rows.push({
    version,
    machine,
    date: new Date().toISOString().slice(0, 10),
    case: name,
    vertices: plan.vertexCount,
    instances: frame.instances,
    regions: plan.volumes.regionCount,
    steps,
    evaluations: worst.evaluations,
    gpuMs: gpu,
    batchMs: batchTime,
    clockMs: wall,
    cpuMs: cpu,
    floorMs: floor,
    ratio: batchTime / floor,
    copyGBps: bandwidth / 1e9,
    bytes,
    totalError: worst.total,
    regionError: worst.region,
    planSeconds,
  });
  for (const [n, [stage, us]] of stages.entries()) stageRows.push({ version, machine, case: name, n, stage, us });
}

/** Bone matrices of all characters at one time. */
function createPoses(boneCount, instances, time) {
  const stride = 12 * boneCount;
  const bones = new Float64Array(stride * instances);
  for (let i = 0; i < instances; i++) {
    poseTorus(bones.subarray(stride * i, stride * (i + 1)), boneCount, time, 0.37 * i);
  }
  return bones;
}

/** Median microseconds of every stage, in order; each is a pass of its own here. */
async function measureStages(submit) {
  const sums = [];
  for (let n = 0; n < Math.min(30, frames); n++) {
    const stamps = createStamps(128);
    const names = [];
    submit(
      {
        stage: (stage) => {
          const at = 2 * names.push(stage) - 2;
          return { querySet: stamps.set, beginningOfPassWriteIndex: at, endOfPassWriteIndex: at + 1 };
        },
      },
      stamps.resolve,
    );
    const found = await stamps.read();
    for (const [i, stage] of names.entries()) {
      sums[i] ??= [stage, []];
      sums[i][1].push((found[2 * i + 1] - found[2 * i]) / 1e3);
    }
  }
  return sums.map(([stage, list]) => [stage, median(list)]);
}

/** Relative errors of the volumes of the last frame, measured on the CPU in f64, and its evaluations (mean of the characters). */
async function measureAccuracy(plan, frame, targets) {
  const { positions, evaluations } = await frame.read();
  const regions = plan.volumes.regionCount;
  const worst = {
    total: 0,
    region: 0,
    evaluations: evaluations.reduce((sum, count) => sum + count, 0) / frame.instances,
  };
  for (let i = 0; i < frame.instances; i += Math.max(1, Math.floor(frame.instances / 10))) {
    const isPacked = frame.vertexCount !== plan.vertexCount;
    const row = i * frame.vertexCount;
    const volumes = measureVolumes(plan, positions, (k) => 4 * (row + (isPacked ? frame.places[k] : k)));
    let missing = 0;
    let whole = 0;
    for (let s = 0; s < regions; s++) {
      const error = volumes[s] - targets[i * regions + s];
      missing += error;
      whole += targets[i * regions + s];
      worst.region = Math.max(worst.region, Math.abs(error / targets[i * regions + s]));
    }
    worst.total = Math.max(worst.total, Math.abs(missing / whole));
  }
  return worst;
}

/** @param find where a vertex starts in `positions` */
function measureVolumes(plan, positions, find) {
  const extended = createExtendedPositions(plan.volumes);
  const gradients = createRegionGradients(plan.volumes);
  for (let k = 0; k < plan.vertexCount; k++) {
    for (let r = 0; r < 3; r++) extended[3 * k + r] = positions[find(k) + r];
  }
  measureRegionVolumes(gradients, plan.volumes, extended);
  return gradients.volumes.slice();
}

function median(values) {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}

function slug(text) {
  return (
    text
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 40) || 'unknown'
  );
}

/** Rows of the file stay, but those of the same release, machine and case. */
function writeCsv(name, list) {
  if (list.length === 0) return;
  const file = join(options.out, name);
  const show = (value) =>
    typeof value === 'number' && !Number.isInteger(value) ? value.toPrecision(5) : `${value}`.replaceAll(',', ';');
  const head = Object.keys(list[0]).join(',');
  const keyOf = (cells) => ['version', 'machine', 'case'].map((field) => cells[head.split(',').indexOf(field)]).join();
  const lines = list.map((row) => Object.values(row).map(show));
  const found = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  const kept = found[0] === head ? found.slice(1).map((line) => line.split(',')) : [];
  const fresh = new Set(lines.map(keyOf));
  const all = [...kept.filter((cells) => !fresh.has(keyOf(cells))), ...lines].map((cells) => cells.join(','));
  mkdirSync(options.out, { recursive: true });
  writeFileSync(file, `${[head, ...all].join('\n')}\n`);
  console.log(`wrote ${file}`);
}
