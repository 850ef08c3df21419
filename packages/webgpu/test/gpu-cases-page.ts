/** Entry of the bundle that gpu-frame.test.ts runs in a page: `isoskinCases(frames, { name: base64 })`. */
import { runCases } from './gpu-cases.js';

Object.assign(globalThis, {
  isoskinCases: (frames: number, files: Record<string, string>) => {
    const decode = (text: string) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    const models = Object.fromEntries(Object.entries(files).map(([name, text]) => [name, decode(text)]));
    return runCases(navigator.gpu, { models, frames, short: true });
  },
});
