/** A worker that plans characters: { id, input, options } in, { id, bytes } or { id, error } out; says hello first. */
import { IsoskinError } from '../error.js';
import { planCharacter } from './plan-character.js';
import type { PlanAnswer, PlanJob } from './request-plan.js';

declare const self: {
  onmessage: (event: { readonly data: PlanJob }) => void;
  postMessage(answer: PlanAnswer | 'hello', transfer?: ArrayBuffer[]): void;
};

self.onmessage = ({ data: { id, input, options } }) => {
  try {
    const bytes = planCharacter(input, options);
    self.postMessage({ id, bytes }, [bytes.buffer as ArrayBuffer]);
  } catch (error) {
    const { code, message, place } = error as IsoskinError;
    self.postMessage({ id, error: error instanceof IsoskinError ? { code, message, place } : { message: `${error}` } });
  }
};
self.postMessage('hello');
