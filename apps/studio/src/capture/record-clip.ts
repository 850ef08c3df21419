/** Records the view while the clip plays once: WebM by the browser's own encoder, GIF by gifenc. */
import type { Studio } from '../state/studio.js';
import type { Viewport } from '../viewport/viewport.js';
import { composePicture } from './compose-picture.js';

export type RecordFormat = 'webm' | 'gif';

export interface Recording {
  /** The file, or undefined when it was cancelled. */
  readonly done: Promise<Blob | undefined>;
  /** Ends early and keeps what there is. */
  stop(): void;
  cancel(): void;
}

const MOST_SECONDS = 12;
const GIF_WIDTH = 480;
const GIF_FPS = 15;

export function recordClip(
  viewport: Viewport,
  studio: Studio,
  format: RecordFormat,
  onProgress: (share: number) => void,
): Recording {
  const { playback } = studio;
  const { canvas } = viewport;
  const scale = format === 'gif' ? Math.min(1, GIF_WIDTH / canvas.width) : 1;
  const out = document.createElement('canvas');
  out.width = 2 * Math.round((canvas.width * scale) / 2); // encoders want even sizes
  out.height = 2 * Math.round((canvas.height * scale) / 2);
  const compose = () => composePicture(out, canvas, studio.document.peek().view);
  compose();
  const encoder = format === 'gif' ? encodeGif(out) : encodeWebm(out);

  const seconds = Math.min(MOST_SECONDS, studio.duration.peek() / Math.max(0.1, playback.speed.peek()) || 3);
  const before = { playing: playback.playing.peek(), time: playback.time.peek() };
  const start = performance.now();
  let isOver = false;
  let settle: (keep: boolean) => void = () => {};
  const done = new Promise<Blob | undefined>((resolve) => {
    settle = (keep) => {
      if (isOver) return;
      isOver = true;
      viewport.onDraw = undefined;
      clearInterval(timer);
      playback.playing.value = before.playing;
      playback.time.value = before.time;
      resolve(keep ? encoder.finish() : undefined);
    };
  });
  viewport.onDraw = () => {
    compose();
    encoder.add((performance.now() - start) / 1000);
  };
  playback.seek(0);
  playback.playing.value = true;
  const timer = setInterval(() => {
    const share = (performance.now() - start) / 1000 / seconds;
    onProgress(Math.min(1, share));
    viewport.invalidate();
    if (share >= 1) settle(true);
  }, 50);
  return { done, stop: () => settle(true), cancel: () => settle(false) };
}

interface Encoder {
  /** The canvas shows a new picture, `time` seconds after the start. */
  add(time: number): void;
  finish(): Promise<Blob>;
}

function encodeWebm(canvas: HTMLCanvasElement): Encoder {
  const type = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm'].find(MediaRecorder.isTypeSupported);
  if (!type) throw new Error('This browser cannot record WebM: choose GIF.');
  const recorder = new MediaRecorder(canvas.captureStream(30), { mimeType: type, videoBitsPerSecond: 8e6 });
  const parts: Blob[] = [];
  recorder.ondataavailable = ({ data }) => parts.push(data);
  recorder.start();
  return {
    add() {}, // the stream follows the canvas
    finish: () =>
      new Promise((resolve) => {
        recorder.onstop = () => resolve(new Blob(parts, { type: 'video/webm' }));
        recorder.stop();
      }),
  };
}

function encodeGif(canvas: HTMLCanvasElement): Encoder {
  const { width, height } = canvas;
  const frames: { pixels: Uint8ClampedArray; time: number }[] = [];
  return {
    add(time) {
      const last = frames.at(-1)?.time ?? -1;
      if (time - last < 0.9 / GIF_FPS) return;
      const { data } = canvas.getContext('2d')!.getImageData(0, 0, width, height);
      frames.push({ pixels: data, time });
    },
    async finish() {
      const { applyPalette, GIFEncoder, quantize } = await import('gifenc');
      const gif = GIFEncoder();
      for (const [n, { pixels, time }] of frames.entries()) {
        const next = frames[n + 1]?.time ?? time + 1 / GIF_FPS;
        const palette = quantize(pixels, 256);
        gif.writeFrame(applyPalette(pixels, palette), width, height, { palette, delay: 1000 * (next - time) });
        await new Promise((resolve) => setTimeout(resolve)); // the page goes on
      }
      gif.finish();
      return new Blob([gif.bytes()], { type: 'image/gif' });
    },
  };
}
