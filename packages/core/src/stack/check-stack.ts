/** The door of the stack: says what is wrong with a stack's JSON, where, and what would be right. */
import { type CheckTable, checkJson, fail, isRecord, joinPath, object, shorten, show } from '../check-json.js';
import { VOLUME_METHODS } from '../correction/volume-methods.js';
import { STACK_SCHEMA } from './stack-schema.js';
import { LAYER_NAMES, type StackSpec } from './stack-spec.js';
import type { VolumeLayerOptions } from './volume-layer.js';

const STACK: CheckTable = {
  ...Object.fromEntries(LAYER_NAMES.map((name) => [name, object(STACK_SCHEMA[name])])),
  volume: checkVolume,
};

/** Throws an `IsoskinError` that names the place, or gives the stack. */
export function checkStack(value: unknown): StackSpec {
  let spec = value;
  checkJson(
    value,
    (json, path) => {
      if (isLayerList(json)) spec = readLayerList(json);
      object(STACK)(spec, path);
    },
    'STACK',
    'stack',
  );
  return spec as StackSpec;
}

/** The form of before: `{ "layers": [{ "layer": "skin" }, { "layer": "volume", … }] }`. It is read, but no longer written. */
export function isLayerList(value: unknown): value is { readonly layers: unknown } {
  return isRecord(value) && 'layers' in value;
}

function readLayerList(value: { readonly layers: unknown }): StackSpec {
  const beside = Object.keys(value).filter((key) => key !== 'layers');
  if (beside.length > 0) {
    fail(
      `“${shorten(beside[0]!)}” cannot stand beside “layers”: write the layers by name, without a list.`,
      joinPath('', beside[0]!),
    );
  }
  if (!Array.isArray(value.layers)) fail(`Expected a list; found ${show(value.layers)}.`, 'layers');
  const found: Record<string, unknown> = {};
  for (const [n, each] of (value.layers as unknown[]).entries()) {
    const { layer, ...options } = (isRecord(each) ? each : {}) as { layer?: unknown; enabled?: unknown };
    if (typeof layer !== 'string' || !Object.hasOwn(STACK_SCHEMA, layer)) {
      const names = LAYER_NAMES.map((name) => `“${name}”`).join(' or ');
      fail(`A layer needs “layer”: ${names}, not ${show(layer)}.`, `layers[${n}].layer`);
    }
    const known = found[layer] as { enabled?: unknown } | undefined;
    if (known && known.enabled !== false && options.enabled !== false) {
      fail(`There can be only one ${layer} layer: remove the others.`, 'layers');
    }
    if (!known || known.enabled === false) found[layer] = options;
  }
  return found as StackSpec;
}

/** A method's own options, and what only the shapes can do. */
function checkVolume(value: unknown, path: string): void {
  const { method = 'shapes' } = (isRecord(value) ? value : {}) as VolumeLayerOptions;
  const { options } = Object.hasOwn(VOLUME_METHODS, method) ? VOLUME_METHODS[method] : { options: {} };
  object({ ...STACK_SCHEMA.volume, options: object(options) })(value, path);
  const { shape, regions } = value as VolumeLayerOptions;
  if (shape && method !== 'shapes')
    fail(`“shape” steers the method “shapes” only: remove it, or the method “${method}”.`, `${path}.shape`);
  if (shape && regions?.by === 'component')
    fail(
      '“shape” follows the bone of a region, and regions by component have none: cut by joint or bone.',
      `${path}.shape`,
    );
}
