/** Rows of benchmarks/contact.mjs: one for every move of a character. */
import { createFrameSource, createPose, planBody, presetStack, samplePose } from '@isoskin/core';
import { displace } from '@isoskin/core/kernels';
import { createTemporalQuality, planFlesh } from '@isoskin/core/quality';
import { planContact } from '@isoskin/core/stack';

/** Frames of a move whose overlap is measured, and frames a second of its temporal quality. */
const FRAMES = 12;
const FPS = 240;
/** Edges in thicknesses below which skin is fine. */
const FINE = 1 / 3;

/**
 * @param solid what measures the overlap instead of the core
 * @param fps frames a second of the temporal quality; 0: it is not measured
 */
export function* judgeContact(name, character, moves, solid, fps = FPS) {
  const alone = createFrameSource(planBody(character), presetStack('organic'));
  const both = createFrameSource(planBody(character), { ...presetStack('organic'), contact: {} });
  const contact = planContact(character);
  const judge = { character, alone, both, contact, fps, overlap: planOverlap(character, solid) };
  const { samples } = planContact(character, {}, { slope: 1e9 }); // thickness as it is
  const skin = measureFineness(samples) < FINE ? 'fine' : 'coarse';
  for (const move of moves) yield { model: name, clip: move.name, skin, ...judgeMove(judge, move) };
}

function judgeMove({ character, alone, both, contact, fps, overlap }, { clip, duration, pose: place }) {
  const sampled = createPose(character);
  const poseAt = (t) => {
    if (place) return place(t / duration);
    samplePose(sampled, character, clip, t);
    return sampled;
  };
  const sum = { linear: 0, volume: 0, contact: 0 };
  const most = { stretch: 0, displacement: 0, region: 0, deepest: 0 };
  let [when, moved] = [0, 0];
  for (let n = 0; n < FRAMES; n++) {
    const t = ((n + 1) / FRAMES) * duration;
    const pose = poseAt(t);
    for (const source of [alone, both]) {
      source.reset();
      source.evaluate(pose, t);
    }
    if (both.frame.bones.some((value, i) => value !== alone.frame.bones[i])) moved++;
    const scale = measureScale(both);
    sum.linear += (100 * overlap(both.frame.skinned, scale)) / FRAMES;
    sum.volume += (100 * overlap(alone.frame.positions, scale)) / FRAMES;
    sum.contact += (100 * overlap(both.frame.positions, scale)) / FRAMES;
    const stretch = [both, alone].map(({ frame }) => measureStretch(character, frame.positions));
    most.stretch = Math.max(most.stretch, stretch[0] / stretch[1]);
    most.region = Math.max(most.region, measureRegions(both.frame.report));
    const { largest, deepest } = measurePush(both, contact);
    most.displacement = Math.max(most.displacement, largest);
    if (deepest > most.deepest) [most.deepest, when] = [deepest, t];
  }
  const from = Math.max(0, Math.min(duration - 1, when - 0.5));
  const temporal = [alone, both].map((source) => {
    const quality = createTemporalQuality(character.surface.vertexCount);
    for (let n = 0; n <= fps * Math.min(1, duration) && most.deepest > 0 && fps > 0; n++) {
      source.reset();
      source.evaluate(poseAt(from + n / fps), from + n / fps);
      quality.push(source.frame.skinned, source.frame.positions);
    }
    return quality.value;
  });
  return {
    linear: sum.linear.toFixed(4),
    volume: sum.volume.toFixed(4),
    contact: sum.contact.toFixed(4),
    stretch: most.stretch.toFixed(3),
    displacement: (most.displacement / (most.deepest || 1)).toFixed(2),
    temporal_volume: temporal[0].toFixed(2),
    temporal: temporal[1].toFixed(2),
    region: most.region.toExponential(1),
    bones: moved,
  };
}

/** Largest |f|, and the deepest penetration on the surface without it: y − f, f = y − x − Σ λ d. */
function measurePush({ frame, volume }, contact) {
  const { shapes, amounts } = volume.shapes;
  const without = frame.skinned.slice();
  displace(
    without,
    { ...shapes, positions: frame.skinned, directions: frame.directions, amounts },
    0,
    without.length / 3,
  );
  let largest = 0;
  for (let k = 0; k < without.length; k += 3)
    largest = Math.max(largest, Math.hypot(...[0, 1, 2].map((r) => frame.positions[k + r] - without[k + r])));
  contact.find(without, frame.bones);
  return { largest: largest > 1e-9 ? largest : 0, deepest: contact.deepest };
}

function measureScale({ frame, volume }) {
  const sum = (values) => values.reduce((a, b) => a + b, 0);
  return sum(frame.report.targets) / sum(volume.rest) || 1;
}

/** Worst error of the regions that are not held back, relative to their targets. */
function measureRegions({ volumes, targets, inexact }) {
  return volumes.reduce((worst, v, s) => (inexact[s] ? worst : Math.max(worst, Math.abs(v / targets[s] - 1))), 0);
}

/** 99th percentile of |e|/|ē|. */
function measureStretch({ surface: { triangles, positions: rest } }, y) {
  const length = (p, i, j) => Math.hypot(p[i] - p[j], p[i + 1] - p[j + 1], p[i + 2] - p[j + 2]);
  const ratios = Float64Array.from(triangles, (i, c) => {
    const j = 3 * triangles[c % 3 === 2 ? c - 2 : c + 1];
    return length(y, 3 * i, j) / length(rest, 3 * i, j);
  }).sort();
  return ratios[Math.floor(0.99 * (ratios.length - 1))];
}

/** Median of edge over thickness, by area. */
function measureFineness({ edges, thickness, areas }) {
  const order = [...edges.keys()].sort((a, b) => edges[a] / thickness[a] - edges[b] / thickness[b]);
  let left = areas.reduce((a, b) => a + b, 0) / 2;
  const middle = order.find((s) => (left -= areas[s]) <= 0);
  return middle === undefined ? Number.POSITIVE_INFINITY : edges[middle] / thickness[middle];
}

function planOverlap(character, solid) {
  if (!solid) {
    const flesh = planFlesh(character);
    return (positions, scale) => flesh.measure(positions, scale).overlap;
  }
  const { triangles, positions: bind, vertexCount } = character.surface;
  const list = [...triangles];
  const components = solid.split(list, vertexCount);
  const turned = solid.split(
    list.map((_, i) => list[i % 3 === 1 ? i + 1 : i % 3 === 2 ? i - 1 : i]),
    vertexCount,
  );
  const rest = solid.solid(bind, list, { components });
  return (positions, scale) => {
    const now = solid.solid(positions, list, { components: scale < 0 ? turned : components });
    return Math.max(0, now.overlap / Math.abs(scale) - rest.overlap) / rest.signed;
  };
}
