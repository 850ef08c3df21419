/** The wrinkles of a stack: one layer holds all tools. */
import type { LayerSpec, StackSpec, WrinklesLayerSpec, WrinkleTool } from '@isoskin/core';
import { addLayer } from './edit-stack.js';

const isWrinkles = (layer: LayerSpec): layer is WrinklesLayerSpec => layer.layer === 'wrinkles';

export function listWrinkles(stack: StackSpec): readonly WrinkleTool[] {
  return stack.layers.find(isWrinkles)?.tools ?? [];
}

/** Tools behind those that are there; the layer is made when it is missing and switched on when it is off. */
export function addWrinkles(stack: StackSpec, tools: readonly WrinkleTool[]): StackSpec {
  const ready = stack.layers.some(isWrinkles) ? stack : addLayer(stack, 'wrinkles');
  return changeLayer(ready, ({ enabled: _, ...layer }) => ({ ...layer, tools: [...(layer.tools ?? []), ...tools] }));
}

export function changeWrinkle(stack: StackSpec, index: number, change: Partial<WrinkleTool>): StackSpec {
  return changeLayer(stack, (layer) => ({
    ...layer,
    tools: (layer.tools ?? []).map((tool, n) => (n === index ? { ...tool, ...change } : tool)),
  }));
}

export function removeWrinkle(stack: StackSpec, index: number): StackSpec {
  return changeLayer(stack, (layer) => ({ ...layer, tools: (layer.tools ?? []).filter((_, n) => n !== index) }));
}

function changeLayer(stack: StackSpec, change: (layer: WrinklesLayerSpec) => WrinklesLayerSpec): StackSpec {
  return { ...stack, layers: stack.layers.map((layer) => (isWrinkles(layer) ? change(layer) : layer)) };
}
