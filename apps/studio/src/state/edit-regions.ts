/**
 * Changes of regions as values: names, merges and splits are `regions.merge` of the volume layer (a renamed region is a merge of one
 * joint), locks are painted: the skin of a locked region stays as skinning makes it.
 */
import type { StackSpec } from '@isoskin/core';
import type { CharacterFacts, PlanFacts, RegionFacts } from '../engine/protocol.js';
import { readOption, writeOption } from './edit-stack.js';
import { listWrinkles } from './edit-wrinkles.js';
import type { Paint } from './studio-document.js';

type Joints = CharacterFacts['joints'];
type Merge = { readonly name: string; readonly joints: readonly string[] };

/** Vertices on the border of a locked region may belong to its neighbours. */
const NEARLY_ALL = 0.95;

const listMerges = (stack: StackSpec) => (readOption(stack, 'volume', 'regions.merge') ?? []) as readonly Merge[];

const writeMerges = (stack: StackSpec, merges: readonly Merge[]) =>
  writeOption(stack, 'volume', 'regions.merge', merges.length > 0 ? merges : undefined);

/** The joints that a region is made of: those of its merge, or its own; none where it has no joint. */
export function listJointsOf(stack: StackSpec, { joint }: RegionFacts, joints: Joints): readonly string[] {
  const name = joints.find(({ node }) => node === joint)?.name;
  if (name === undefined) return [];
  return listMerges(stack).find((merge) => merge.joints.includes(name))?.joints ?? [name];
}

/** One region out of several, called `name`; of one region, another name for it. */
export function mergeRegions(stack: StackSpec, regions: readonly RegionFacts[], joints: Joints, name: string) {
  const own = [...new Set(regions.flatMap((region) => listJointsOf(stack, region, joints)))];
  if (own.length === 0) return stack;
  return writeMerges(stack, [...dropMerges(stack, own), { name, joints: own }]);
}

/** A merged region is those that it was made of again, and a renamed one is called after its joint. */
export function splitRegion(stack: StackSpec, region: RegionFacts, joints: Joints): StackSpec {
  return writeMerges(stack, dropMerges(stack, listJointsOf(stack, region, joints)));
}

const dropMerges = (stack: StackSpec, joints: readonly string[]) =>
  listMerges(stack).filter((merge) => !merge.joints.some((joint) => joints.includes(joint)));

/** What a stack says of joints and triangles that a character does not have is left out: it comes from another one. */
export function fitStack(
  stack: StackSpec,
  { joints, triangles }: Pick<CharacterFacts, 'joints' | 'triangles'>,
): StackSpec {
  const isKnown = (name: string) => joints.some((joint) => joint.name === name);
  const merges = listMerges(stack);
  const known = merges.filter((merge) => merge.joints.every(isKnown));
  const tools = listWrinkles(stack);
  const count = triangles.length / 3;
  const placed = tools.filter(({ a, b, via = [] }) => [a, b, ...via].every(({ triangle }) => triangle < count));
  const fitted = known.length === merges.length ? stack : writeMerges(stack, known);
  return placed.length === tools.length ? fitted : { ...fitted, wrinkles: { ...fitted.wrinkles, tools: placed } };
}

/** By region: nearly all of its skin is fixed. */
export function listLocked({ regions, vertexRegion }: PlanFacts, { fixed }: Paint): boolean[] {
  const all = new Float64Array(regions.length);
  const held = new Float64Array(regions.length);
  vertexRegion.forEach((region, k) => {
    if (region < 0) return;
    all[region]!++;
    if (fixed && fixed[k]! > 0.5) held[region]!++;
  });
  return regions.map((_, s) => held[s]! > NEARLY_ALL * all[s]!);
}

/** Paint that locks or frees some regions, by index, with their borders. */
export function lockRegions(
  { triangleRegion, vertexRegion }: PlanFacts,
  { triangles }: CharacterFacts,
  paint: Paint,
  regions: readonly number[],
  isLocked: boolean,
): Paint {
  const fixed = paint.fixed?.slice() ?? new Float32Array(vertexRegion.length);
  const chosen = new Set(regions);
  triangles.forEach((k, i) => {
    if (chosen.has(triangleRegion[Math.trunc(i / 3)]!)) fixed[k] = isLocked ? 1 : 0;
  });
  const { fixed: _, ...others } = paint;
  return fixed.some((value) => value > 0) ? { ...others, fixed } : others;
}
