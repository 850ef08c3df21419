/**
 * The studio without its page: the document with its history, the engine that follows it, playback and what is shown.
 *
 * Panels read signals and call `commit`; nobody talks to the engine but this file. When the document's source, stack or paint
 * changes — by a slider, by undo, by a session — the engine is brought to the same state: one plan at a time, the latest wins.
 */
import type { WrinklePresetName } from '@isoskin/core/wrinkles';
import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import type {
  CharacterFacts,
  EngineCalls,
  FrameArrays,
  FrameResult,
  KernelChoice,
  PlanFacts,
  SourceData,
} from '../engine/protocol.js';
import { FIRST_BRUSH } from './brush.js';
import { createHistory } from './create-history.js';
import { createTour, type Tour } from './create-tour.js';
import { fitStack } from './edit-regions.js';
import { createNotices, messageOf } from './notices.js';
import { createPlayback } from './playback.js';
import { createRigs } from './rigs.js';
import { sayFault, sayMended } from './say-opened.js';
import {
  changeDocument,
  createDocument,
  demoSource,
  FIRST_DEMO,
  NO_POSE,
  NO_SELECTION,
  type PoseEdits,
  type Source,
  type StudioDocument,
  type View,
} from './studio-document.js';

export type ToolName = 'select' | 'pose' | 'paint' | 'wrinkle';
export type DialogName = 'gallery' | 'help' | 'export' | 'presets' | 'bind' | '';

/** A frame, and what it was asked for. */
export interface ShownFrame extends FrameResult {
  readonly clip: number;
  readonly pose: PoseEdits;
  /** Number of the plan that made it. */
  readonly plan?: number;
}

/** An engine that may be told that a plan is out of date, and that nobody waits for it just now. */
export type StudioEngine = EngineCalls & { cancelPlan?(): void; prepare?(): void };

export interface StudioOptions {
  /** Document to start with. Default: a demo. */
  readonly first?: StudioDocument;
  /** It has just been opened: shown at its worst moment, and what was mended is said. Default: without a `first`. */
  readonly isFresh?: boolean;
  /** Bytes of its file, if it is one. */
  readonly data?: SourceData;
  /** A demo made beforehand, if there is one. */
  readonly fetchDemo?: (name: string) => Promise<Uint8Array | undefined>;
}

/** Opening a character and looking at its worst moment are one step of the history. */
export const OPENING = 'open';

export class Studio {
  readonly history;
  readonly document: ReadonlySignal<StudioDocument>;
  readonly playback = createPlayback();
  readonly notices = createNotices();
  readonly character = signal<CharacterFacts | null>(null);
  readonly plan = signal<PlanFacts | null>(null);
  readonly frame = signal<ShownFrame | null>(null);
  /** Why the present stack cannot be planned; empty when it can. */
  readonly planError = signal('');
  readonly kernels = signal<KernelChoice>('auto');
  readonly tool = signal<ToolName>('select');
  readonly brush = signal(FIRST_BRUSH);
  readonly mirrorsPose = signal(false);
  readonly rigs = createRigs();
  readonly dialog = signal<DialogName>('');
  /** A mesh that was opened and has no skin. */
  readonly bare = signal<SourceData | null>(null);
  /** Index of the wrinkle whose settings are shown, −1 for none, and the preset of the next one. */
  readonly wrinkle = signal(-1);
  readonly wrinklePreset = signal<WrinklePresetName>('wrist-crease');
  readonly theme = signal<'dark' | 'light'>('dark');
  /** Seconds of the present clip or simulation. */
  readonly duration: ReadonlySignal<number>;
  readonly sceneDuration = signal(0);
  /** Index of the region under the mouse or in focus in a list, −1 for none. */
  readonly hoveredRegion = signal(-1);
  /** What is drawn: clay until the materials of the file are there. */
  readonly look = signal<View['look']>('clay');
  /** While a key is held: what is corrected is shown as it was before. */
  readonly blink = signal(false);
  /** The worst moments of the file. */
  readonly tour: Tour;
  /** What is being opened, in words; empty when nothing is. */
  readonly opening = signal('');
  private readonly planning = signal(false);
  /** What the engine is busy with, in a word for the reader; empty when idle. */
  readonly busy = computed(() => this.opening.value || (this.planning.value ? 'Planning' : ''));
  /** What `character` was read from. */
  openedData: SourceData | undefined;
  private readonly data = new Map<string, SourceData>();
  private opened = ''; // id of the source that the engine has open
  private planned: unknown[] = [];
  private plans = 0;
  private isFollowing = false;
  private spare: FrameArrays | undefined;
  private isAsking = false;
  private lastTime = Number.NaN;
  private isStale = true;
  /** What has come of the wrinkled surface: triangles come once. */
  private folded: FrameResult['refined'];

  /** @param engine open to all for picking. */
  constructor(
    readonly engine: StudioEngine,
    private readonly options: StudioOptions = {},
  ) {
    const { first = createDocument(demoSource(FIRST_DEMO)), data, isFresh = !options.first } = options;
    this.history = createHistory(first);
    this.document = this.history.present;
    if (data) this.data.set(first.source.id, data);
    this.duration = computed(() => {
      const { scene, clip } = this.document.value;
      return scene ? this.sceneDuration.value : (this.character.value?.clips[clip]?.duration ?? 0);
    });
    this.tour = createTour(this);
    if (isFresh) this.tour.start();
    effect(() => {
      void [this.document.value, this.kernels.value];
      this.isStale = true;
      if (this.planning.peek() && !this.isPlanned()) engine.cancelPlan?.();
      void this.follow();
    });
  }

  commit(label: string, change: (present: StudioDocument) => Partial<StudioDocument>, merge?: string): void {
    this.history.commit(label, (present) => changeDocument(present, change(present)), merge);
  }

  /** Opens a demo or a file; on an error the present character stays and a notice says why. Resolves to whether it opened. */
  async open(source: Source, data: SourceData | Promise<SourceData>): Promise<boolean> {
    this.opening.value = `Opening ${source.name}`;
    try {
      this.data.set(source.id, await data);
      await this.load(source);
    } catch (error) {
      this.opening.value = '';
      sayFault(this, source, error);
      void this.follow(); // what was changed meanwhile
      return false;
    }
    const facts = this.character.peek()!;
    this.playback.seek(0);
    const fresh = { source, clip: 0, pose: NO_POSE, paint: facts.paint, selection: NO_SELECTION, scene: undefined };
    this.commit(`Open ${source.name}`, ({ stack }) => ({ ...fresh, stack: fitStack(stack, facts) }), OPENING);
    this.tour.start();
    sayMended(this, source);
    return true;
  }

  openDemo(name: string): Promise<boolean> {
    return this.open(demoSource(name), { kind: 'demo', name });
  }

  /** What a source was opened from: for the session and the export. */
  findData(source: Source): SourceData | undefined {
    return source.kind === 'demo' ? { kind: 'demo', name: source.name } : this.data.get(source.id);
  }

  /** Advances the clock and asks the engine for the next picture if it is free: once per screen refresh. */
  step(seconds: number): void {
    // Time does not run where no frame can follow it: the one engine opens, or makes its first plan.
    const stands = this.opening.peek() !== '' || (this.planning.peek() && !this.plan.peek());
    if (!stands) this.playback.advance(seconds, this.duration.peek());
    this.ask();
  }

  private async load(source: Source): Promise<void> {
    const found = this.findData(source);
    if (!found) throw new Error(`“${source.name}” is no longer there: open the file again.`);
    this.opening.value = `Opening ${source.name}`;
    try {
      const packed = found.kind === 'demo' ? await this.options.fetchDemo?.(found.name) : undefined;
      const data: SourceData = packed ? { kind: 'demo', name: source.name, packed } : found;
      const facts = await this.engine.open(data);
      this.opened = source.id;
      this.openedData = data;
      this.plan.value = null;
      this.character.value = facts;
      this.frame.value = null;
      this.isStale = true;
    } finally {
      this.opening.value = '';
    }
  }

  /** What undo or the start of the page asks for. */
  private async loadFirst(source: Source): Promise<void> {
    const isFirst = this.options.isFresh && !this.character.peek();
    await this.load(source);
    if (!isFirst) return;
    sayMended(this, source);
    this.history.reset({ ...this.document.peek(), paint: this.character.peek()!.paint });
    this.tour.start();
  }

  private isPlanned(): boolean {
    const { source, stack, paint } = this.document.peek();
    return [source.id, stack, paint, this.kernels.peek()].every((value, i) => value === this.planned[i]);
  }

  /** Brings the engine to the document. */
  private async follow(): Promise<void> {
    if (this.isFollowing) return;
    this.isFollowing = true;
    try {
      // While something is opened nothing is planned: `open` commits when it is done, which calls again.
      while (this.opening.peek() === '') {
        const { source } = this.document.peek();
        if (source.id !== this.opened) await this.loadFirst(source);
        else if (this.isPlanned()) return;
        else await this.planDocument();
      }
    } catch (error) {
      sayFault(this, this.document.peek().source, error);
      if (!this.character.peek() && this.document.peek().source.id !== demoSource(FIRST_DEMO).id) {
        queueMicrotask(() => void this.openDemo(FIRST_DEMO)); // something is there to begin with
      }
    } finally {
      this.planning.value = false;
      this.isFollowing = false;
    }
  }

  private async planDocument(): Promise<void> {
    const { source, stack, paint } = this.document.peek();
    this.planned = [this.opened, stack, paint, this.kernels.peek()];
    this.planning.value = true;
    if (!this.frame.peek()) this.ask(); // shown before its stack is planned: what is asked first is answered first
    try {
      const facts = await this.engine.plan({ stack, paint, kernels: this.kernels.peek() });
      if (source.id !== this.opened) return; // another character was opened meanwhile
      this.isStale = true;
      this.ask(++this.plans); // before the worst moments are looked for
      this.plan.value = facts;
      this.planError.value = '';
    } catch (error) {
      if ((error as { code?: string } | null)?.code !== 'ENGINE_STOPPED') this.planError.value = messageOf(error);
      else this.planned = []; // stopped because something newer is wanted
    }
  }

  private ask(plan = this.plans): void {
    const facts = this.character.peek();
    const { clip, pose, view, selection } = this.document.peek();
    const time = this.playback.time.peek();
    // While another character is opened, a frame of this one would only come late, and keep the next one's waiting.
    if (this.isAsking || !facts || this.opening.peek() || (!this.isStale && time === this.lastTime)) return;
    const dt = time - this.lastTime;
    const recycle = this.spare;
    this.spare = undefined;
    this.isAsking = true;
    this.isStale = false;
    this.engine
      .frame({
        clip,
        time,
        // Only what plays goes on from the frame before; a time that is chosen shows the same picture however one came there.
        dt: this.playback.playing.peek() && dt > 0 && dt < 0.25 ? dt : 0,
        pose,
        colouring: view.colouring,
        joint: selection.joint,
        exaggerate: view.exaggerate,
        topology: this.folded?.topology ?? 0,
        ...(recycle && { recycle }),
      })
      .then((result) => {
        if (this.character.peek() !== facts) return; // of a character that is gone
        this.spare = this.frame.peek()?.arrays;
        if (result.refined) this.folded = { ...this.folded, ...result.refined };
        const refined = result.refined && this.folded && { refined: this.folded };
        this.frame.value = { ...result, ...refined, clip, pose, plan };
        this.lastTime = time;
      })
      .catch((error: unknown) => {
        this.playback.playing.value = false; // once is enough
        this.lastTime = time;
        this.notices.show('error', 'This frame could not be computed', error);
      })
      .finally(() => {
        this.isAsking = false;
      });
  }
}
