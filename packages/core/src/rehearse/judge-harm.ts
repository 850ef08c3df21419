/**
 * The gate (Q9, Q11): a corrected surface against plain skinning, and the regions whose shapes did the harm. The planner rehearses the clips with it
 * (rehearse-stack.ts), and a bake judges the bytes that it wrote.
 *
 *   blame_s = Σ over harmed vertices k of the frames that break a limit of |λ_s φ_s,k|;   jumps: |λ_s(t − h) − 2 λ_s(t) + λ_s(t + h)|
 *   used_s  = largest share of its ceiling that an amount of region s has in those frames
 *
 * Besides the kinds of quality/measure-harm.ts, flesh must not be misplaced more than by plain skinning, in the mean of all frames, and no
 * region may end further from its volume. The solver sees to that but for what bends (C16) change, which are given before it begins.
 */
import type { Character } from '../character/character.js';
import type { VertexValues } from '../correction/plan-bases.js';
import type { Shapes } from '../correction/plan-shapes.js';
import {
  createHarmMeter,
  HARM_LIMITS,
  type HarmFigure,
  type HarmMoment,
  type HarmTally,
  joinHarm,
} from '../quality/measure-harm.js';
import type { HarmPlan } from '../quality/plan-harm.js';
import { planPlacement } from '../quality/plan-placement.js';

/** Limits in per cent; misplaced flesh is a share of plain skinning's own, volume what a region is further off than under plain skinning. */
export const GATE_LIMITS = { ...HARM_LIMITS, misplaced: 100, volume: 1 } as const;
export type GateKind = keyof typeof GATE_LIMITS;
export const GATE_KINDS = Object.keys(GATE_LIMITS) as readonly GateKind[];

/** Kinds that are mended where they are seen, whichever region did them. */
export const LOCAL_KINDS: readonly GateKind[] = ['crumple', 'crease', 'flipped', 'torn', 'poke', 'ledge'];

/** Kinds that are judged over all frames together. */
export const OF_ALL_FRAMES: readonly GateKind[] = ['ledge', 'misplaced'];

/** Written bytes may pass a limit by a tenth of it: nobody sees that. */
const TOLERATED = 1.1;
/** Regions are blamed, the worst first, until they make up this share. */
const BLAMED_SHARE = 0.7;
/** Frames that misplace less than this share of what plain skinning does are not to blame for the mean. */
const BLAMED_MISPLACED = 0.8;
/** Less misplaced flesh than this share of the body, in the mean, is nobody's fault. */
const LEAST_MISPLACED = 1e-3;

export const NO_HARM: HarmFigure = { value: 0, clip: '', time: 0, vertex: -1 };

/** The findings of one judge: data alone, so that those of several threads can be joined. */
export interface HarmBlock {
  readonly tally: HarmTally;
  /** #kinds×#regions. */
  readonly blame: Float64Array;
  readonly used: Float64Array;
  /** How much of the harm of local kinds is seen at each vertex, #V. */
  readonly places: Float64Array;
  /** Sums of misplaced flesh over the frames, plain and corrected, and the frame that is worst. */
  readonly misplaced: { frames: number; plain: number; corrected: number; worst: HarmFigure };
  /** Moments that break a limit of a single frame, or nearly do. */
  readonly close: HarmMoment[];
}

/** A figure, and the region that did most of it where a limit is passed. */
export interface JudgedHarm extends HarmFigure {
  readonly region: string;
}

export interface PlayedHarm {
  readonly worst: Readonly<Record<GateKind, JudgedHarm>>;
  readonly broken: readonly GateKind[];
  /** Kind that is broken → regions that did it, the worst first, and the largest share of their ceilings that they used then. */
  readonly blamed: ReadonlyMap<GateKind, readonly { readonly region: number; readonly used: number }[]>;
  readonly places: Float64Array;
  /** Moments that break a limit of a single frame, or nearly do. */
  readonly close: readonly HarmMoment[];
}

/** A frame to judge: plain skinning x and the corrected surface y, #V×3. */
export interface JudgedFrame extends HarmMoment {
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Of the shapes that are blamed; empty for a stack without shapes. */
  readonly amounts: Float64Array;
  /** Target volume, of the volume at rest. */
  readonly scale: number;
  /** Whether the look of the frame is judged; otherwise it counts for jumps alone. */
  readonly isLook: boolean;
}

export interface HarmJudge {
  readonly block: HarmBlock;
  /**
   * Frames of a clip in order; jumps are seen where three of them follow each other at equal steps. Returns the frame's worst figure as a share of its
   * limit; 0 where it is far from all of them. Hems and misplaced flesh, which are judged over all frames, do not count.
   */
  judge(frame: JudgedFrame): number;
}

/** Shapes that a frame is blamed on. */
export interface BlamedShapes extends VertexValues {
  readonly regionCount: number;
  /** Region of every shape, and its largest amount; ∞ where nothing limits it. */
  readonly regionOf: ArrayLike<number>;
  readonly ceilings: Float64Array;
}

export function planSolvedBlame(shapes: Shapes | undefined): BlamedShapes | undefined {
  return shapes && { ...shapes, regionOf: listRegions(shapes), ceilings: listCeilings(shapes) };
}

export function createHarmJudge(
  character: Character,
  shapes: BlamedShapes | undefined,
  plan: HarmPlan,
): () => HarmJudge {
  const placement = planPlacement(character);
  return () => {
    const meter = createHarmMeter(plan);
    const regionCount = shapes?.regionCount ?? 0;
    const blame = new Float64Array(GATE_KINDS.length * regionCount);
    const used = new Float64Array(blame.length);
    const places = new Float64Array(plan.surface.vertexCount);
    const misplaced = { frames: 0, plain: 0, corrected: 0, worst: NO_HARM };
    const excesses = new Float64Array(plan.surface.vertexCount);
    const close: HarmMoment[] = [];
    let past: Float64Array[] = [];
    let last = 0;
    const block: HarmBlock = { tally: meter.tally, blame, used, places, misplaced, close };
    return {
      block,
      judge({ clip, time, x, y, amounts, scale, isLook }) {
        past = [...past.slice(-2), amounts];
        const [before, middle] = past.length > 2 ? past : [];
        let worst = 0;
        const accuse = (kind: GateKind, k: number, weight: number): void => {
          if (!OF_ALL_FRAMES.includes(kind)) worst = Math.max(worst, weight);
          if (LOCAL_KINDS.includes(kind)) places[k] = Math.max(places[k]!, weight);
          if (!shapes) return;
          const row = GATE_KINDS.indexOf(kind) * regionCount;
          for (let e = shapes.offsets[k]!; e < shapes.offsets[k + 1]!; e++) {
            const s = shapes.shapes[e]!;
            const at = row + shapes.regionOf[s]!;
            let push = Math.abs(amounts[s]!);
            let change = push;
            if (kind === 'jump') {
              change = Math.abs(before![s]! - 2 * middle![s]! + amounts[s]!);
              push = Math.max(push, Math.abs(before![s]!), Math.abs(middle![s]!));
            }
            blame[at]! += weight * change * Math.abs(shapes.values[e]!);
            used[at] = Math.max(used[at]!, push / shapes.ceilings[s]!);
          }
        };
        const moment = { clip, time };
        meter.follow(x, y, moment, accuse);
        if (worst > 0) close.push({ clip, time: last });
        last = time;
        if (!isLook) return worst;
        meter.add(x, y, moment, accuse);
        const [plain, corrected] = [placement.measure(x, scale), placement.measure(y, scale)];
        misplaced.frames++;
        misplaced.plain += plain;
        misplaced.corrected += corrected;
        const more = corrected - plain;
        if (more > misplaced.worst.value) misplaced.worst = { value: more, ...moment, vertex: -1 };
        if (corrected > BLAMED_MISPLACED * plain) {
          excesses.fill(0);
          placement.blame(x, y, scale, (vertex, excess) => void (excesses[vertex]! += excess));
          for (let k = 0; k < excesses.length; k++) if (excesses[k]! > 0) accuse('misplaced', k, excesses[k]!);
        }
        if (worst > 0) close.push(moment);
        return worst;
      },
    };
  };
}

/** Shape → the region that it stands in. */
function listRegions(shapes: Shapes): number[] {
  const out = Array.from({ length: shapes.regionCount }, (_, s) => s);
  for (const { size, region } of shapes.given?.families ?? []) for (let i = 0; i < size; i++) out.push(region);
  return out;
}

/** Largest amount of every shape; ∞ where nothing limits it. */
function listCeilings({ outward, inward, given, shapeCount }: Shapes): Float64Array {
  const out = new Float64Array(shapeCount).fill(Number.POSITIVE_INFINITY);
  outward.forEach((ceiling, s) => void (out[s] = Math.max(ceiling, inward[s]!)));
  const bends = given?.plan.harmonics?.ceilings;
  let at = outward.length;
  for (const { size, region } of given?.families ?? []) {
    for (let i = 0; i < size; i++, at++) if (bends && bends[region]! > 0) out[at] = bends[region]!;
  }
  return out;
}

/**
 * What all blocks found together.
 *
 * @param losses of every region
 * @param limits what may not be passed; default: the gate's, and a tenth
 */
export function joinBlame(
  blocks: readonly HarmBlock[],
  names: readonly string[],
  losses: readonly HarmFigure[],
  limits?: Readonly<Record<GateKind, number>>,
): PlayedHarm {
  const worst: Record<GateKind, HarmFigure> = {
    ...joinHarm(blocks.map(({ tally }) => tally)),
    misplaced: joinMisplaced(blocks),
    volume: losses.reduce((most, own) => (own.value > most.value ? own : most), NO_HARM),
  };
  const limitOf = (kind: GateKind) => limits?.[kind] ?? TOLERATED * GATE_LIMITS[kind];
  const broken = GATE_KINDS.filter((kind) => !(worst[kind].value <= limitOf(kind)));
  const listBlamed = (kind: GateKind, row: number): { region: number; used: number }[] => {
    if (!broken.includes(kind)) return [];
    if (kind === 'volume') {
      const worse = [...names.keys()].filter((s) => losses[s]!.value > limitOf(kind));
      return worse.sort((a, b) => losses[b]!.value - losses[a]!.value).map((region) => ({ region, used: 1 }));
    }
    const at = (s: number) => row * names.length + s;
    const sums = names.map((_, s) => blocks.reduce((sum, { blame }) => sum + (blame[at(s)] ?? 0), 0));
    return pickBlamed(sums).map((region) => ({
      region,
      used: blocks.reduce((most, { used }) => Math.max(most, used[at(region)] ?? 0), 0),
    }));
  };
  const blamed = new Map(GATE_KINDS.map((kind, row) => [kind, listBlamed(kind, row)] as const));
  const told = GATE_KINDS.map((kind) => [
    kind,
    { ...worst[kind], region: names[blamed.get(kind)![0]?.region ?? -1] ?? '' },
  ]);
  const places = new Float64Array(blocks[0]?.places.length ?? 0);
  for (const block of blocks) block.places.forEach((own, k) => void (places[k] = Math.max(places[k]!, own)));
  const close = blocks.flatMap((block) => block.close);
  return { worst: Object.fromEntries(told), broken, blamed, places, close };
}

/** Misplaced flesh in per cent of plain skinning's, with the frame in which it grows most. */
function joinMisplaced(blocks: readonly HarmBlock[]): HarmFigure {
  let [frames, plain, corrected] = [0, 0, 0];
  let worst = NO_HARM;
  for (const { misplaced } of blocks) {
    frames += misplaced.frames;
    plain += misplaced.plain;
    corrected += misplaced.corrected;
    if (misplaced.worst.value > worst.value) worst = misplaced.worst;
  }
  return { ...worst, value: Math.max(plain, corrected) > LEAST_MISPLACED * frames ? (100 * corrected) / plain : 0 };
}

function pickBlamed(sums: readonly number[]): number[] {
  const ranked = [...sums.keys()].filter((s) => sums[s]! > 0).sort((a, b) => sums[b]! - sums[a]!);
  let left = BLAMED_SHARE * sums.reduce((sum, own) => sum + own, 0);
  return ranked.filter((s) => {
    const isPicked = left > 0;
    left -= sums[s]!;
    return isPicked;
  });
}
