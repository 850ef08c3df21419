/**
 * What a person can set on each layer, in the words of the panel and in its order. What an option means and what it is when it is not set
 * comes from the schema of the stack.
 */

import type { LayerName } from '@isoskin/core';
import { describeOption, VOLUME_METHODS, type VolumeMethodName } from '@isoskin/core/stack';
import type { IconName } from '../controls/icon.js';

interface FieldBase {
  /** Place in the layer's JSON. */
  readonly path: string;
  readonly label: string;
  readonly tip: string;
  /** Shown only when another option has one of these values. */
  readonly when?: { readonly path: string; readonly is: readonly string[]; readonly initial: string };
  /** Under “More”. */
  readonly rare?: boolean;
}

export interface SliderField extends FieldBase {
  readonly kind: 'slider';
  readonly initial: number;
  readonly range: readonly [number, number, number];
  readonly unit?: string;
}

export interface ChoiceField extends FieldBase {
  readonly kind: 'choice';
  readonly initial: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

export interface SwitchField extends FieldBase {
  readonly kind: 'switch';
  readonly initial: boolean;
}

export type LayerField = SliderField | ChoiceField | SwitchField;

export interface LayerDescription {
  readonly title: string;
  readonly icon: IconName;
  readonly tip: string;
  readonly fields: readonly LayerField[];
}

/** What only some maps or methods read. */
const onlyFor = (path: string, is: readonly string[]) => ({
  when: { path, is, initial: String(describeOption('volume', path).initial) },
});
const RARE = { rare: true };

export const LAYERS: Readonly<Record<LayerName, LayerDescription>> = {
  skin: {
    title: 'Skin',
    icon: 'skin',
    tip: 'Skeleton skinning as in the file: the surface that all other layers work on.',
    fields: [
      choice('skin', 'skinning', 'Method', {
        linear: 'Linear blend',
        'dual-quaternion': 'Dual quaternion',
        rigid: 'Rigid',
      }),
    ],
  },
  flesh: {
    title: 'Flesh',
    icon: 'flesh',
    tip: 'Soft flesh lags behind its bones and swings back.',
    fields: [
      slider('flesh', 'frequency', 'Swing', [0.5, 12, 0.1], 'Hz'),
      slider('flesh', 'damping', 'Calm', [0.02, 1, 0.01], '%'),
      slider('flesh', 'maxStretch', 'Give', [0, 1, 0.01], '%'),
    ],
  },
  contact: {
    title: 'Contact',
    icon: 'contact',
    tip: 'Keeps the skin out of itself: bent fingers, an arm on the belly. The pose stays as it is.',
    fields: [
      slider('contact', 'strength', 'Strength', [0, 1, 0.01], '%'),
      slider('contact', 'gap', 'Gap', [0, 0.1, 0.005], '%'),
    ],
  },
  volume: {
    title: 'Volume',
    icon: 'volume',
    tip: 'Moves the skin so that every region keeps its volume.',
    fields: [
      choice('volume', 'method', 'Method', {
        shapes: 'Shapes',
        'regions-exact': 'Exact regions',
        'regions-linear': 'Linear regions',
        laplacian: 'Laplacian',
        'normal-exact': 'Normals, exact',
        'normal-linear': 'Normals, linear',
        'small-steps': 'Small steps',
        'axis-exact': 'Axes, exact',
        'axis-linear': 'Axes, linear',
      }),
      { ...ofShapes('strength', 'Strength', [0, 1, 0.01]), rare: false, ...onlyFor('method', ['shapes']) },
      slider('volume', 'target.all', 'Keep', [0.5, 1.5, 0.01], '%'),
      {
        ...choice('volume', 'regions.by', 'Regions', {
          joint: 'One per joint',
          bone: 'One per bone',
          component: 'One per part',
        }),
        initial: 'joint',
      },
      choice('volume', 'map.kind', 'Flesh map γ', {
        uniform: 'Uniform',
        rubber: 'Rubber',
        organic: 'Organic',
        intermediate: 'Muscle',
        power: 'Power',
      }),
      {
        ...slider('volume', 'map.a', 'Joint focus', [0, 6, 0.05]),
        ...onlyFor('map.kind', ['rubber', 'organic', 'intermediate']),
      },
      { ...slider('volume', 'map.b', 'Distance', [0, 4, 0.05]), ...onlyFor('map.kind', ['organic']) },
      { ...slider('volume', 'map.p', 'Outer power', [0, 20, 0.5]), ...onlyFor('map.kind', ['power']) },
      { ...slider('volume', 'map.q', 'Weight power', [0, 30, 0.5]), ...onlyFor('map.kind', ['power']) },
      slider('volume', 'map.floor', 'Least γ', [0, 1, 0.01], '%'),
      { ...limit('shapes'), ...onlyFor('method', ['shapes']) },
      {
        ...limit('regions-exact'),
        ...onlyFor('method', ['regions-exact', 'regions-linear', 'normal-exact', 'laplacian', 'small-steps']),
      },
      { ...ofShapes('harmonics', 'Bulge', [0, 2, 0.05]), ...onlyFor('method', ['shapes']) },
      { ...ofShapes('twist', 'Untwist', [0, 1, 0.05]), ...onlyFor('method', ['shapes']) },
      { ...ofShapes('crease', 'Creases', [0, 1, 0.05]), ...onlyFor('method', ['shapes']) },
      {
        ...choice('volume', 'regions.rigid', 'Rigid parts', { leave: 'Leave alone', cut: 'Correct too' }),
        ...RARE,
      },
      { ...slider('volume', 'directions.spread', 'Spread', [0, 40, 0.5]), ...RARE },
      { ...slider('volume', 'directions.sweeps', 'Sweeps', [0, 12, 1], '×'), ...RARE },
      { ...slider('volume', 'regions.minShare', 'Least region', [0, 0.1, 0.005], '%'), ...RARE },
      { ...flag('volume', 'map.local', 'Stop at borders'), ...RARE },
      { ...slider('volume', 'progressive', 'Pose steps', [0, 24, 1], '×'), ...RARE },
    ],
  },
  wrinkles: {
    title: 'Wrinkles',
    icon: 'wrinkle',
    tip: 'Folds the skin where it is pushed together. Draw wrinkles with the wrinkle tool.',
    fields: [
      slider('wrinkles', 'refine', 'Detail', [0, 4, 1], '×'),
      flag('wrinkles', 'keepVolume', 'Keep volume'),
      choice('wrinkles', 'combine', 'Overlaps', { add: 'Add up', max: 'The higher one', smooth: 'Flow together' }),
    ],
  },
};

/** Sentence of the schema as a tip: without links and code marks. */
function describe(layer: LayerName, path: string): { readonly tip: string; readonly initial: unknown } {
  const { says, initial } = describeOption(layer, path);
  const plain = says.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', '');
  return { tip: `${plain.charAt(0).toUpperCase()}${plain.slice(1)}.`, initial };
}

function slider(layer: LayerName, path: string, label: string, range: SliderField['range'], unit = ''): SliderField {
  const { tip, initial } = describe(layer, path);
  return { kind: 'slider', path, label, initial: initial as number, range, tip, unit };
}

function choice(layer: LayerName, path: string, label: string, names: Readonly<Record<string, string>>): ChoiceField {
  const { tip, initial } = describe(layer, path);
  const options = Object.entries(names).map(([value, name]) => ({ value, label: name }));
  return { kind: 'choice', path, label, initial: String(initial), tip, options };
}

function flag(layer: LayerName, path: string, label: string): SwitchField {
  const { tip, initial } = describe(layer, path);
  return { kind: 'switch', path, label, initial: initial === true, tip };
}

/** An option of the shapes, from their own table. */
function ofShapes(
  name: 'harmonics' | 'twist' | 'crease' | 'strength',
  label: string,
  range: SliderField['range'],
): SliderField {
  const { says, initial } = VOLUME_METHODS.shapes.options[name]!;
  const tip = `${says!.replace(/^(C16: )?(.)/, (_, _id, first: string) => first.toUpperCase())}.`;
  return { ...slider('volume', `options.${name}`, label, range, '%'), initial: initial as number, tip, ...RARE };
}

/** The limit of a method, from its own table. */
function limit(method: VolumeMethodName): SliderField {
  const { initial } = VOLUME_METHODS[method].options.limit!;
  const tip = 'How far skin may be pushed, in per cent of the local thickness. 0: as far as it takes.';
  return { ...slider('volume', 'options.limit', 'Limit', [0, 2, 0.05], '%'), initial: initial as number, tip, ...RARE };
}
