/**
 * E1–E3. Cuts the closed surface into regions: by bone, by joint, or one per component; names them after what they are (name-joints.ts).
 *
 * Every triangle gets the label of its strongest joint; connected patches of one label are the candidates; patches that
 * hold too little volume, or whose caps are larger than themselves, are absorbed by the neighbour with the longest common
 * border. Components without meaningful volume, and rigid ones, are in no region and ride along. What is its own mirror image
 * (find-mirror.ts) is cut into regions that are mirror images.
 */

import type { Character } from '../character/character.js';
import { IsoskinError } from '../error.js';
import { measureTriangleArea } from '../mesh/cross.js';
import { type BoneSegments, planBoneSegments } from '../skeleton/plan-bone-segments.js';
import type { ClosedSurface } from '../volume/plan-closed-surface.js';
import { NO_REGION } from '../volume/plan-region-volumes.js';
import { absorbPatches } from './absorb-patches.js';
import { findImages, findMirror, type Mirror, pairImages } from './find-mirror.js';
import { findPatches } from './find-patches.js';
import { findRegion, listNames, type RegionNames } from './find-region.js';
import { findRigidParts, type RigidPart } from './find-rigid-parts.js';
import { labelTriangles } from './label-triangles.js';
import type { NameRegions } from './name-regions.js';

export const REGION_KINDS = ['bone', 'joint', 'component'] as const;
export type RegionKind = (typeof REGION_KINDS)[number];

export interface RegionOptions {
  /**
   * E1 `bone`: borders run through the joints. E2 `joint`: borders run across mid-bone, so that flesh comes back at the joint that lost
   * it. `component`: no cut at all. Default: by joint, and by bone where the skin is too coarse for that.
   */
  readonly by?: RegionKind;
  /** Joints that form one region, by joint name; `name` names it. */
  readonly merge?: readonly { readonly name: string; readonly joints: readonly string[] }[];
  /** Regions, by name, that share one volume and one shape: a rehearsal joins them where there would be more morph targets than the budget. */
  readonly join?: readonly (readonly string[])[];
  /** Joints that get no region of their own: their triangles go to the parent joint. */
  readonly ignore?: readonly string[];
  /** Smaller patches are absorbed: share of the component's volume. */
  readonly minShare?: number;
  /** Patches with fewer triangles are absorbed: on a coarse surface a region needs enough vertices to be corrected. */
  readonly minTriangles?: number;
  /** What hangs on one bone (armour, eyes, teeth, weapons) is left alone; `cut`: it gets regions like all the rest. */
  readonly rigid?: RigidKind;
  /** E2: half bones at joints where nothing bends (tips without skin, the root of a chain) are regions of their own, or `join` the joint that bends. */
  readonly still?: StillKind;
}

export const STILL_KINDS = ['cut', 'join'] as const;
export type StillKind = (typeof STILL_KINDS)[number];

export const RIGID_KINDS = ['leave', 'cut'] as const;
export type RigidKind = (typeof RIGID_KINDS)[number];

export const REGION_DEFAULTS = { minShare: 0.002, minTriangles: 8, rigid: 'leave', still: 'cut' } as const;

/** Triangles per bone from which on a skin has room for borders in the middle of its bones. */
const FINE = 40;

/** What is known of regions when they are cut. */
export interface CutRegions {
  readonly count: number;
  readonly names: readonly string[];
  /** The same after the joints themselves: stacks may use either. */
  readonly ids: readonly string[];
  /** Components that are left alone, as they hang on one bone, and its joint. */
  readonly rigid: readonly RigidPart[];
  /** Region of every triangle of the closed surface, NO_REGION for what rides along. */
  readonly triangleRegion: Uint32Array;
  /** Component of every region. */
  readonly component: Uint32Array;
  /** Joint (node of the skeleton) whose label the region carries, and its bone. */
  readonly joints: Int32Array;
  /** Pieces that were joined: with the layers that they lie on, because they cannot keep a volume of their own, and to need fewer morph targets. */
  readonly joined?: { readonly layered: number; readonly short: number; readonly few: number };
}

export interface Regions extends CutRegions {
  /** Region → its mirror image, itself in the middle of the body, −1 where there is none. */
  readonly mates: Int32Array;
  readonly segments: BoneSegments;
}

export interface JoinableRegions extends Regions {
  readonly cut: RegionCut;
}

/** @param nameRegions for names that a person understands; without it regions are called after the joints themselves */
export function planRegions(
  character: Character,
  closed: ClosedSurface,
  options: RegionOptions = {},
  nameRegions?: NameRegions,
): JoinableRegions {
  const {
    by = chooseKind(character),
    minShare = REGION_DEFAULTS.minShare,
    minTriangles = REGION_DEFAULTS.minTriangles,
  } = options;
  const { surface, skeleton } = character;
  const segments = planBoneSegments(skeleton);
  const mirror = by === 'component' ? undefined : findMirror(character, segments);
  const rigid = options.rigid === 'cut' ? [] : findRigidParts(character);
  const isLeft = new Set(rigid.map(({ component }) => component));
  const merged = mergeJoints(character, options);
  const labels =
    by === 'component'
      ? new Int32Array(closed.triangleCount)
      : labelTriangles(character, closed, segments, by, options.still === 'join', mirror).map(
          (node) => merged.label[node]!,
        );
  const found = findPatches(closed, labels);
  const images = mirror && findImages(mirror, surface, found.trianglePatch, found.count);
  const kept = absorbPatches(closed, found, minShare, minTriangles, images);

  // Number the surviving patches of solid components in order of appearance.
  const region = new Map<number, number>();
  const triangleRegion = new Uint32Array(closed.triangleCount).fill(NO_REGION);
  for (let t = 0; t < closed.triangleCount; t++) {
    const own = closed.triangleComponent[t]!;
    if (!surface.components[own]!.solid || isLeft.has(own)) continue;
    const patch = kept.patchOf[found.trianglePatch[t]!]!;
    let s = region.get(patch);
    if (s === undefined) region.set(patch, (s = region.size));
    triangleRegion[t] = s;
  }
  const component = Uint32Array.from(region.keys(), (p) => found.component[p]!);
  const cutBy = by === 'component' ? undefined : labels;
  const cut: RegionCut = { labels: cutBy, names: merged.names, by, nameRegions, segments, mirror, rigid };
  return describeRegions(character, closed, cut, triangleRegion, component);
}

/** By joint where the skin is fine enough, else by bone. */
function chooseKind({ surface, binding, skeleton }: Character): RegionKind {
  const isUsed = new Uint8Array(skeleton.boneCount);
  for (let n = 0; n < binding.bones.length; n++) isUsed[binding.bones[n]!] = 1;
  const used = isUsed.reduce((sum, one) => sum + one, 0);
  return surface.triangles.length / 3 >= FINE * used ? 'joint' : 'bone';
}

/** What a cut knows of its triangles, whatever regions they end in. */
export interface RegionCut {
  /** Joint (node) of every closed triangle; absent where components are not cut. */
  readonly labels: Int32Array | undefined;
  /** Names given by the user's merges. */
  readonly names: ReadonlyMap<number, string>;
  readonly by: RegionKind;
  readonly nameRegions: NameRegions | undefined;
  readonly segments: BoneSegments;
  readonly mirror: Mirror | undefined;
  readonly rigid: readonly RigidPart[];
}

function describeRegions(
  character: Character,
  closed: ClosedSurface,
  cut: RegionCut,
  triangleRegion: Uint32Array,
  component: Uint32Array,
): JoinableRegions {
  const { skeleton, surface } = character;
  const count = component.length;
  const joints = cut.labels
    ? findMainLabels(closed, cut.labels, triangleRegion, count)
    : new Int32Array(count).fill(-1);
  const mates = cut.mirror
    ? pairImages(findImages(cut.mirror, surface, triangleRegion, count))
    : new Int32Array(count).fill(-1);
  const plain = [...joints].map((joint, s) =>
    joint < 0 ? surface.components[component[s]!]!.name : (cut.names.get(joint) ?? skeleton.names[joint]!),
  );
  const ids = numberNames(plain);
  const { rigid, segments } = cut;
  const regions = { count, names: ids, ids, mates, rigid, triangleRegion, component, joints, segments, cut };
  return cut.nameRegions ? cut.nameRegions(regions, character) : regions;
}

/**
 * The same regions, joined: `owner` says which new region every old one becomes a part of.
 *
 * @param bodyOf component → main component of its body, where parts form bodies
 */
export function joinRegions(
  character: Character,
  closed: ClosedSurface,
  regions: JoinableRegions,
  owner: Uint32Array,
  bodyOf?: Uint32Array,
): JoinableRegions {
  const component: number[] = [];
  for (const [s, joined] of owner.entries()) {
    const own = regions.component[s]!;
    component[joined] = bodyOf ? bodyOf[own]! : own;
  }
  const triangleRegion = regions.triangleRegion.map((s) => (s === NO_REGION ? NO_REGION : owner[s]!));
  return describeRegions(character, closed, regions.cut, triangleRegion, Uint32Array.from(component));
}

/** Region → joined region after `merged`, whose regions are called `names`, with those of every list as one. */
export function joinNamed(
  merged: Uint32Array,
  regions: RegionNames,
  lists: readonly (readonly string[])[],
): Uint32Array {
  const into = Uint32Array.from(regions.names, (_, s) => s);
  for (const list of lists) {
    const [first, ...others] = list.map((name) => into[findRegion(name, regions, 'regions.join')]!);
    for (const other of others) into.forEach((s, r) => void (s === other && (into[r] = first!)));
  }
  const number = new Map<number, number>();
  return merged.map((s) => {
    const root = into[s]!;
    if (!number.has(root)) number.set(root, number.size);
    return number.get(root)!;
  });
}

/** Region → joined region: one per body and joint where a body has several parts. */
export function groupByBody({ component, joints }: CutRegions, bodyOf: Uint32Array): Uint32Array {
  const partCounts = new Uint32Array(bodyOf.length);
  for (const main of bodyOf) partCounts[main]!++;
  const number = new Map<string, number>();
  return component.map((c, s) => {
    const main = bodyOf[c]!;
    const key = partCounts[main]! > 1 ? `${main} ${joints[s]}` : `region ${s}`;
    if (!number.has(key)) number.set(key, number.size);
    return number.get(key)!;
  });
}

/** Of every region the label that covers most of its area: a trunk that has absorbed a leg is still a trunk. */
function findMainLabels(
  closed: ClosedSurface,
  labels: Int32Array,
  triangleRegion: Uint32Array,
  count: number,
): Int32Array {
  const { triangles, vertexCount, surface } = closed;
  const areas: Map<number, number>[] = Array.from({ length: count }, () => new Map());
  // Triangles beside each other have the same label: their sum is kept at hand.
  let [region, label, sum] = [NO_REGION, -1, 0];
  for (let t = 0; t < closed.triangleCount; t++) {
    if (triangleRegion[t] === NO_REGION || triangles[3 * t + 2]! >= vertexCount) continue; // caps have no skin
    if (triangleRegion[t] !== region || labels[t] !== label) {
      areas[region]?.set(label, sum);
      region = triangleRegion[t]!;
      label = labels[t]!;
      sum = areas[region]!.get(label) ?? 0;
    }
    sum += measureTriangleArea(
      surface.positions,
      3 * triangles[3 * t]!,
      3 * triangles[3 * t + 1]!,
      3 * triangles[3 * t + 2]!,
    );
  }
  areas[region]?.set(label, sum);
  return Int32Array.from(areas, (list) => [...list].reduce((a, b) => (b[1] > a[1] ? b : a), [-1, -1])[0]);
}

/** Joint → label after the user's merges and ignores; a joint that is in a merge is not ignored. */
function mergeJoints({ skeleton }: Character, { merge = [], ignore = [] }: RegionOptions) {
  const label = Int32Array.from({ length: skeleton.nodeCount }, (_, n) => n);
  const names = new Map<number, string>();
  const ignored = new Set(ignore);
  checkJoints(skeleton.names, ignore, 'regions.ignore');
  for (const { name, joints } of merge) {
    checkJoints(skeleton.names, joints, 'regions.merge');
    const members = new Set(joints);
    let first = -1;
    for (let n = 0; n < skeleton.nodeCount; n++) {
      if (!members.has(skeleton.names[n]!)) continue;
      if (first < 0) first = n;
      label[n] = first;
      ignored.delete(skeleton.names[n]!);
    }
    if (first >= 0) names.set(first, name);
  }
  // Parents come first, so an ignored joint finds where its parent went.
  for (let n = 0; n < skeleton.nodeCount; n++) {
    const parent = skeleton.parents[n]!;
    if (parent >= 0 && ignored.has(skeleton.names[n]!)) label[n] = label[parent]!;
  }
  return { label, names };
}

function checkJoints(known: readonly string[], joints: readonly string[], place: string): void {
  const missing = joints.find((name) => !known.includes(name));
  if (missing === undefined) return;
  throw new IsoskinError(
    'JOINT_UNKNOWN',
    `The regions name the joint “${missing}”, which the skeleton does not have; use one of: ${listNames(known)}.`,
    place,
  );
}

/** Unique names: a second “arm” is an “arm 2”. */
export function numberNames(names: readonly string[], number = (base: string, n: number) => `${base} ${n}`): string[] {
  const taken = new Set<string>();
  return names.map((base) => {
    let name = base;
    for (let n = 2; taken.has(name); n++) name = number(base, n);
    taken.add(name);
    return name;
  });
}
