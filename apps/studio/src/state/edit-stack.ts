/** Changes of a stack as values: every function gives a new stack and leaves the old one as it is. */
import { checkStack, type LayerSpec, PRESET_NAMES, PRESETS, type PresetName, type StackSpec } from '@isoskin/core';

export type LayerName = LayerSpec['layer'];

/** The order that layers make sense in. */
export const LAYER_ORDER = ['skin', 'flesh', 'contact', 'volume', 'wrinkles'] as const;

/** Reads `map.a` of a layer. */
export function readOption(layer: LayerSpec, path: string): unknown {
  let value: unknown = layer;
  for (const key of path.split('.')) value = (value as Record<string, unknown> | undefined)?.[key];
  return value;
}

/** Sets `map.a` of a layer; undefined takes the option out, and groups that are empty then with it. */
export function writeOption(stack: StackSpec, index: number, path: string, value: unknown): StackSpec {
  const keys = path.split('.');
  const write = (object: Record<string, unknown>, depth: number): Record<string, unknown> => {
    const key = keys[depth]!;
    const { [key]: old, ...rest } = object;
    const inner = depth === keys.length - 1 ? value : write((old as Record<string, unknown>) ?? {}, depth + 1);
    const isEmpty = inner === undefined || (depth < keys.length - 1 && Object.keys(inner as object).length === 0);
    return isEmpty ? rest : { ...object, [key]: inner };
  };
  const layers = stack.layers.map((layer, n) =>
    n === index ? (write(layer as unknown as Record<string, unknown>, 0) as unknown as LayerSpec) : layer,
  );
  return { ...stack, layers };
}

export function moveLayer(stack: StackSpec, from: number, to: number): StackSpec {
  const layers = [...stack.layers];
  const [moved] = layers.splice(from, 1);
  layers.splice(to, 0, moved!);
  return { ...stack, layers };
}

export function removeLayer(stack: StackSpec, index: number): StackSpec {
  return { ...stack, layers: stack.layers.filter((_, n) => n !== index) };
}

/** Puts a new layer where its kind usually stands. */
export function addLayer(stack: StackSpec, name: LayerName): StackSpec {
  const rank = (layer: string) => (LAYER_ORDER as readonly string[]).indexOf(layer);
  const at = stack.layers.findIndex(({ layer }) => rank(layer) > rank(name));
  const layers = [...stack.layers];
  layers.splice(at < 0 ? layers.length : at, 0, { layer: name } as LayerSpec);
  return { ...stack, layers };
}

/** A layer with nothing but its name: all options are the defaults again, or those of the preset it comes from. */
export function resetLayer(stack: StackSpec, index: number): StackSpec {
  const { layer } = stack.layers[index]!;
  const initial = PRESETS.organic.layers.find((one) => one.layer === layer) ?? ({ layer } as LayerSpec);
  return { ...stack, layers: stack.layers.map((one, n) => (n === index ? initial : one)) };
}

/** Name of the preset that a stack equals; empty when it is nobody's. */
export function findPreset(stack: StackSpec): PresetName | '' {
  const text = JSON.stringify(stack);
  return PRESET_NAMES.find((name) => JSON.stringify(PRESETS[name]) === text) ?? '';
}

/** Text → stack, checked at the door. */
export function parseStack(text: string): StackSpec {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new Error('This is not JSON: copy the whole text of a stack, from { to }.');
  }
  return checkStack(json);
}

export function formatStack(stack: StackSpec): string {
  return `${JSON.stringify(stack, null, 2)}\n`;
}
