/**
 * The studio without its page: the document with its history, the engine that follows it, playback and what is shown.
 *
 * Panels read signals and call `commit`; nobody talks to the engine but this file. When the document's source, stack or paint
 * changes — by a slider, by undo, by a session — the engine is brought to the same state: one plan at a time, the latest wins.
 */
import type { WrinklePresetName } from '@isoskin/core';
import { computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type {
  CharacterFacts,
  EngineCalls,
  FrameArrays,
  FrameResult,
  KernelChoice,
  PlanFacts,
  SourceData,
} from '../engine/protocol.js';
import { type BrushSettings, FIRST_BRUSH } from './brush.js';
import { createHistory, type History } from './create-history.js';
import { createNotices, type Notices } from './notices.js';
import { createPlayback, type Playback } from './playback.js';
import {
  createDocument,
  demoSource,
  NO_POSE,
  NO_SELECTION,
  type Source,
  type StudioDocument,
} from './studio-document.js';

export type ToolName = 'select' | 'pose' | 'paint' | 'wrinkle';
export type DialogName = 'gallery' | 'help' | 'export' | '';

export interface Studio {
  readonly history: History<StudioDocument>;
  readonly document: ReadonlySignal<StudioDocument>;
  readonly playback: Playback;
  readonly notices: Notices;
  readonly character: ReadonlySignal<CharacterFacts | null>;
  readonly plan: ReadonlySignal<PlanFacts | null>;
  readonly frame: ReadonlySignal<FrameResult | null>;
  /** What the engine is busy with, in a word for the reader; empty when idle. */
  readonly busy: ReadonlySignal<string>;
  /** Why the present stack cannot be planned; empty when it can. */
  readonly planError: ReadonlySignal<string>;
  readonly kernels: Signal<KernelChoice>;
  readonly tool: Signal<ToolName>;
  readonly brush: Signal<BrushSettings>;
  readonly dialog: Signal<DialogName>;
  /** Index of the wrinkle whose settings are shown, −1 for none, and the preset of the next one. */
  readonly wrinkle: Signal<number>;
  readonly wrinklePreset: Signal<WrinklePresetName>;
  readonly theme: Signal<'dark' | 'light'>;
  /** Seconds of the present clip or simulation. */
  readonly duration: ReadonlySignal<number>;
  readonly sceneDuration: Signal<number>;
  /** Index of the region under the mouse or in focus in a list, −1 for none. */
  readonly hoveredRegion: Signal<number>;
  /** Changes the document; see `History.commit`. */
  commit(label: string, change: (present: StudioDocument) => StudioDocument, merge?: string): void;
  /** Opens a demo or a file; on an error the present character stays and a notice says why. Resolves to whether it opened. */
  open(source: Source, data: SourceData): Promise<boolean>;
  openDemo(name: string): Promise<boolean>;
  /** What a source was opened from: for the session and the export. */
  findData(source: Source): SourceData | undefined;
  /** Advances the clock and asks the engine for the next picture if it is free. Called once per screen refresh. */
  step(seconds: number): void;
  /** The engine itself, for picking. */
  readonly engine: EngineCalls;
}

/** An engine that may be told that a plan is out of date. */
export type StudioEngine = EngineCalls & { cancelPlan?(): void };

export interface StudioOptions {
  /** Document to start with. Default: the elephant. */
  readonly first?: StudioDocument;
  /** Bytes of its file, if it is one. */
  readonly data?: SourceData;
  /** A demo made beforehand, if there is one. */
  readonly fetchDemo?: (name: string) => Promise<Uint8Array | undefined>;
}

export function createStudio(engine: StudioEngine, options: StudioOptions = {}): Studio {
  const { first = createDocument(demoSource('elephant')), fetchDemo } = options;
  const history = createHistory(first);
  const document = history.present;
  const playback = createPlayback();
  const notices = createNotices();
  const character = signal<CharacterFacts | null>(null);
  const plan = signal<PlanFacts | null>(null);
  const frame = signal<FrameResult | null>(null);
  const opening = signal('');
  const planning = signal(false);
  const planError = signal('');
  const kernels = signal<KernelChoice>('auto');
  const data = new Map<string, SourceData>(options.data ? [[first.source.id, options.data]] : []);
  /** Id of the source that the engine has open. */
  let opened = '';
  let spare: FrameArrays | undefined;
  let isAsking = false;
  let lastTime = Number.NaN;
  let isStale = true;
  /** Triangles of the wrinkled surface that have come. */
  let topology = 0;

  const sceneDuration = signal(0);
  const duration = computed(() =>
    document.value.scene ? sceneDuration.value : (character.value?.clips[document.value.clip]?.duration ?? 0),
  );

  async function load(source: Source): Promise<void> {
    const found = findData(source);
    if (!found) throw new Error(`“${source.name}” is no longer there: open the file again.`);
    opening.value = `Opening ${source.name}`;
    try {
      const packed = found.kind === 'demo' ? await fetchDemo?.(found.name) : undefined;
      const facts = await engine.open(packed ? { kind: 'demo', name: source.name, packed } : found);
      opened = source.id;
      plan.value = null;
      character.value = facts;
      frame.value = null;
      isStale = true;
    } finally {
      opening.value = '';
    }
  }

  function findData(source: Source): SourceData | undefined {
    return source.kind === 'demo' ? { kind: 'demo', name: source.name } : data.get(source.id);
  }

  async function open(source: Source, bytes: SourceData): Promise<boolean> {
    data.set(source.id, bytes);
    try {
      await load(source);
    } catch (error) {
      notices.show('error', `“${source.name}” could not be opened`, messageOf(error));
      void follow(); // what was changed meanwhile
      return false;
    }
    const facts = character.peek()!;
    playback.time.value = 0;
    history.commit(`Open ${source.name}`, (present) => ({
      ...present,
      source,
      clip: 0,
      pose: NO_POSE,
      paint: facts.paint,
      selection: NO_SELECTION,
      scene: undefined,
    }));
    const { length } = facts.warnings;
    if (length > 0) {
      const more = length > 1 ? ` And ${length - 1} more.` : '';
      notices.show('info', `${source.name}: mended while reading`, facts.warnings[0]!.message + more);
    }
    return true;
  }

  /** A character is shown before its stack is planned: the plan would hold up the first picture. */
  function firstPicture(): Promise<void> {
    return new Promise((resolve) => {
      const stop = effect(() => {
        if (!frame.value) return;
        queueMicrotask(() => stop());
        resolve();
      });
    });
  }

  // The engine follows the document.
  let isFollowing = false;
  let planned: unknown[] = [];
  const isPlannedFor = ({ source, stack, paint }: StudioDocument) =>
    [source.id, stack, paint, kernels.peek()].every((value, i) => value === planned[i]);
  async function follow(): Promise<void> {
    if (isFollowing) return;
    isFollowing = true;
    try {
      for (;;) {
        const { source, stack, paint } = document.peek();
        if (opening.peek() !== '') return; // `open` commits when it is done, which calls again
        if (source.id !== opened) {
          await load(source);
          continue;
        }
        if (isPlannedFor(document.peek())) return;
        planned = [opened, stack, paint, kernels.peek()];
        planning.value = true;
        await firstPicture();
        try {
          const facts = await engine.plan({ stack, paint, kernels: kernels.peek() });
          if (source.id !== opened) continue; // another character was opened meanwhile
          plan.value = facts;
          planError.value = '';
          isStale = true;
        } catch (error) {
          if (codeOf(error) !== 'ENGINE_STOPPED') planError.value = messageOf(error);
          else planned = []; // stopped because something newer is wanted
        }
      }
    } catch (error) {
      notices.show('error', 'The character could not be opened', messageOf(error));
    } finally {
      planning.value = false;
      isFollowing = false;
    }
  }
  effect(() => {
    void document.value;
    void kernels.value;
    isStale = true;
    if (planning.peek() && !isPlannedFor(document.peek())) engine.cancelPlan?.();
    void follow();
  });

  function ask(): void {
    const facts = character.peek();
    if (isAsking || !facts) return;
    const { clip, pose, view, selection } = document.peek();
    const time = playback.time.peek();
    if (!isStale && time === lastTime) return;
    const dt = time - lastTime;
    const recycle = spare;
    spare = undefined;
    isAsking = true;
    isStale = false;
    engine
      .frame({
        clip,
        time,
        // Only what plays goes on from the frame before; a time that is chosen shows the same picture however one came there.
        dt: playback.playing.peek() && dt > 0 && dt < 0.25 ? dt : 0,
        pose,
        colouring: view.colouring,
        joint: selection.joint,
        skinned: view.layout !== 'corrected',
        topology,
        ...(recycle && { recycle }),
      })
      .then((result) => {
        if (character.peek() !== facts) return; // of a character that is gone
        spare = frame.peek()?.arrays;
        topology = result.refined?.topology ?? topology;
        frame.value = result;
        lastTime = time;
      })
      .catch((error: unknown) => {
        playback.playing.value = false; // once is enough
        lastTime = time;
        notices.show('error', 'This frame could not be computed', messageOf(error));
      })
      .finally(() => {
        isAsking = false;
      });
  }

  return {
    history,
    document,
    playback,
    notices,
    character,
    plan,
    frame,
    busy: computed(() => opening.value || (planning.value ? 'Planning' : '')),
    planError,
    kernels,
    tool: signal<ToolName>('select'),
    brush: signal(FIRST_BRUSH),
    dialog: signal<DialogName>(''),
    wrinkle: signal(-1),
    wrinklePreset: signal<WrinklePresetName>('wrist-crease'),
    theme: signal<'dark' | 'light'>('dark'),
    duration,
    sceneDuration,
    hoveredRegion: signal(-1),
    commit: history.commit,
    open,
    openDemo: (name) => open(demoSource(name), { kind: 'demo', name }),
    findData,
    step(seconds) {
      playback.advance(seconds, duration.peek());
      ask();
    },
    engine,
  };
}

function codeOf(error: unknown): string {
  return (error as { code?: string } | null)?.code ?? '';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
