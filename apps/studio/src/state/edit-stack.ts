/** Changes of a stack as values: every function gives a new stack and leaves the old one as it is. */
import { checkStack, type LayerName, PRESET_NAMES, type PresetName, presetStack, type StackSpec } from '@isoskin/core';
import { listUsedLayers, PRESETS, VOLUME_METHODS, type VolumeMethodName } from '@isoskin/core/stack';

/** Reads `map.a` of a layer. */
export function readOption(stack: StackSpec, layer: LayerName, path: string): unknown {
  let value: unknown = stack[layer];
  for (const key of path.split('.')) value = (value as Record<string, unknown> | undefined)?.[key];
  return value;
}

/** Sets `map.a` of a layer; undefined takes the option out, and groups that are empty then with it. A method leaves what it does not read. */
export function writeOption(stack: StackSpec, layer: LayerName, path: string, value: unknown): StackSpec {
  const keys = path.split('.');
  const write = (object: Record<string, unknown>, depth: number): Record<string, unknown> => {
    const key = keys[depth]!;
    const { [key]: old, ...rest } = object;
    const inner = depth === keys.length - 1 ? value : write((old as Record<string, unknown>) ?? {}, depth + 1);
    const isEmpty = inner === undefined || (depth < keys.length - 1 && Object.keys(inner as object).length === 0);
    return isEmpty ? rest : { ...object, [key]: inner };
  };
  const written = { ...stack, [layer]: write((stack[layer] ?? {}) as Record<string, unknown>, 0) };
  if (layer !== 'volume' || path !== 'method') return written;
  const { options } = VOLUME_METHODS[(value ?? 'shapes') as VolumeMethodName];
  const unread = Object.keys(stack.volume?.options ?? {}).filter((name) => !Object.hasOwn(options, name));
  return unread.reduce<StackSpec>((rest, name) => writeOption(rest, layer, `options.${name}`, undefined), written);
}

export function isOn(stack: StackSpec, layer: LayerName): boolean {
  return layer === 'skin' || (stack[layer] !== undefined && stack[layer].enabled !== false);
}

/** A layer that is switched off keeps its settings. */
export function switchLayer(stack: StackSpec, layer: LayerName, on: boolean): StackSpec {
  return writeOption(stack, layer, 'enabled', on ? undefined : false);
}

/** All options are the defaults again, or those of the preset natural. */
export function resetLayer(stack: StackSpec, layer: LayerName): StackSpec {
  return { ...stack, [layer]: (presetStack() as StackSpec)[layer] ?? {} };
}

/** Name of the preset that a stack equals; empty when it is nobody's. */
export function findPreset(stack: StackSpec): PresetName | '' {
  const describe = (spec: StackSpec) => JSON.stringify(listUsedLayers(spec));
  return PRESET_NAMES.find((name) => describe(PRESETS[name]) === describe(stack)) ?? '';
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
