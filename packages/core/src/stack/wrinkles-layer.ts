import { planWrinkles, type Wrinkles } from '../wrinkles/plan-wrinkles.js';
import type { WrinklesOptions } from '../wrinkles/wrinkle-tool.js';
import type { Layer, LayerContext } from './layer.js';

export interface WrinklesLayer extends Layer {
  readonly wrinkles: Wrinkles;
}

/**
 * Folds of the skin (H1–H9), above everything else: it reads the final surface and its normals and leaves them alone; what is
 * to be drawn is `frame.refined`, absent while every tool is stretched.
 */
export function planWrinklesLayer({ character }: LayerContext, options: WrinklesOptions = {}): WrinklesLayer {
  const wrinkles = planWrinkles(character, options);
  return {
    wrinkles,
    apply(frame) {
      frame.refined = wrinkles.apply(frame);
    },
  };
}
