/** Everything a person can change in the studio, as one immutable value: what undo, the session and files are made of. */
import { presetStack, type StackSpec } from '@isoskin/core';
import type { SkinWeights } from './skin-weights.js';

export interface StudioDocument {
  readonly source: Source;
  readonly stack: StackSpec;
  readonly clip: number;
  readonly pose: PoseEdits;
  readonly paint: Paint;
  /** Poses that a person has saved: they go with them from file to file. */
  readonly poses: readonly SavedPose[];
  readonly view: View;
  readonly selection: Selection;
  /** A simulation that is shown instead of the character. */
  readonly scene?: SceneSettings | undefined;
}

export interface SceneSettings {
  /** A built-in scene (`sceneNames`). */
  readonly name: string;
  /** Times the gravity of the scene. */
  readonly gravity: number;
  readonly volumeControl: boolean;
  /** Watertight and smooth, or the quick one that shows the territories. */
  readonly surface: 'closed' | 'seeds';
}

/** Where the character comes from; the bytes of a file are kept by `sources`, under its id. */
export interface Source {
  readonly kind: 'demo' | 'file';
  readonly id: string;
  readonly name: string;
}

export type Quaternion = readonly [x: number, y: number, z: number, w: number];

/** Turns of joints on top of the clip: q ← q_clip · turn. */
export interface PoseEdits {
  /** Turns that are not keyed yet, by node: they hold at every time. */
  readonly loose: Readonly<Record<number, Quaternion>>;
  /** Keyed turns, by clip and node, ascending in time. */
  readonly keys: Readonly<Record<number, Readonly<Record<number, readonly PoseKey[]>>>>;
}

export interface PoseKey {
  readonly time: number;
  readonly turn: Quaternion;
}

/** Turns by the names of the joints. */
export interface SavedPose {
  readonly name: string;
  readonly turns: Readonly<Record<string, Quaternion>>;
}

/** Painted values, one number per welded vertex; absent where nothing has been painted. Never written in place. */
export interface Paint {
  /** Multipliers. */
  readonly gamma?: Float32Array;
  readonly softness?: Float32Array;
  /** Above ½: the skin stays as skinning makes it. */
  readonly fixed?: Float32Array;
  /** Instead of those of the file. */
  readonly weights?: SkinWeights;
}
/** What is one number per vertex. */
export type PaintChannel = Exclude<keyof Paint, 'weights'>;

export const VIEW_LAYOUTS = ['split', 'side', 'overlay', 'corrected'] as const;
export type ViewLayout = (typeof VIEW_LAYOUTS)[number];
export const COLOURINGS = [
  'plain',
  'gamma',
  'displacement',
  'moved-x',
  'moved-y',
  'moved-z',
  'region',
  'volume',
  'weight',
  'softness',
] as const;
export type Colouring = (typeof COLOURINGS)[number];

export interface View {
  readonly layout: ViewLayout;
  /** Place of the split slider, 0 … 1. */
  readonly split: number;
  readonly colouring: Colouring;
  /** The materials of the file, or clay. */
  readonly look: 'author' | 'clay';
  /** Times how far the correction moves the skin in the view: 1 … 10. */
  readonly exaggerate: number;
  readonly wireframe: boolean;
  readonly bones: boolean;
}

export interface Selection {
  /** Node of the skeleton, −1 for none. */
  readonly joint: number;
  /** Names of regions. */
  readonly regions: readonly string[];
}

export const NO_POSE: PoseEdits = { loose: {}, keys: {} };
export const NO_SELECTION: Selection = { joint: -1, regions: [] };

export function createDocument(source: Source): StudioDocument {
  return {
    source,
    stack: presetStack(),
    clip: 0,
    pose: NO_POSE,
    paint: {},
    poses: [],
    view: {
      layout: 'side',
      split: 0.5,
      colouring: 'plain',
      look: 'author',
      exaggerate: 1,
      wireframe: false,
      bones: false,
    },
    selection: NO_SELECTION,
  };
}

/** What the page opens on: a fist, in which every finger collapses. */
export const FIRST_DEMO = 'hand';

export function demoSource(name: string): Source {
  return { kind: 'demo', id: `demo:${name}`, name };
}

/** The same document where the change is itself: nothing is different. */
export function changeDocument(present: StudioDocument, change: Partial<StudioDocument>): StudioDocument {
  return change === present ? present : { ...present, ...change };
}
