/** Entry of the bundle that gpu-frame.test.ts runs in a page: `isoskinCases(options, { name: base64 })`. */
import { type CaseOptions, runCases } from './gpu-cases.js';

Object.assign(globalThis, {
  isoskinCases: (options: Omit<CaseOptions, 'models'>, files: Record<string, string>) => {
    const decode = (text: string) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    const models = Object.fromEntries(Object.entries(files).map(([name, text]) => [name, decode(text)]));
    return runCases(navigator.gpu, { ...options, models });
  },
});
