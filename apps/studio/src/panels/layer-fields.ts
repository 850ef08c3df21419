/** What a person can set on each layer: one line per option, in the words of the panel. The order here is that of the panel. */
import { DIRECTION_DEFAULTS, MAP_DEFAULTS, REGION_DEFAULTS, SHAPE_DEFAULTS } from '@isoskin/core';
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
  readonly group?: string;
}

export interface SliderField extends FieldBase {
  readonly kind: 'slider';
  readonly initial: number;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  readonly unit?: string;
  readonly factor?: number;
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
  /** A few words about the present settings, for the closed card. */
  readonly summary: string;
}

const MAP = { path: 'map.kind', initial: MAP_DEFAULTS.kind };
const METHOD = { path: 'method', initial: 'shapes' };

export const LAYERS: Readonly<Record<string, LayerDescription>> = {
  skin: {
    title: 'Skin',
    icon: 'skin',
    tip: 'Skeleton skinning as in the file: the surface that all other layers work on.',
    summary: 'skinning',
    fields: [
      {
        kind: 'choice',
        path: 'skinning',
        label: 'Method',
        initial: 'linear',
        tip: 'How bones move the skin: blended matrices, blended rotations, or each vertex with its strongest bone.',
        options: [
          { value: 'linear', label: 'Linear blend' },
          { value: 'dual-quaternion', label: 'Dual quaternion' },
          { value: 'rigid', label: 'Rigid' },
        ],
      },
    ],
  },
  flesh: {
    title: 'Flesh',
    icon: 'flesh',
    tip: 'Soft flesh lags behind its bones and swings back.',
    summary: '',
    fields: [
      slider('frequency', 'Swing', 2.5, 0.5, 12, 0.1, 'How fast the flesh swings: swings per second.', 'Hz'),
      slider(
        'damping',
        'Calm',
        0.2,
        0.02,
        1,
        0.01,
        'How soon it comes to rest: 10 % swings long, 100 % not at all.',
        '%',
        100,
      ),
      slider(
        'maxStretch',
        'Give',
        0.3,
        0,
        1,
        0.01,
        'How far it gives at most, in per cent of the local thickness.',
        '%',
        100,
      ),
    ],
  },
  contact: {
    title: 'Contact',
    icon: 'contact',
    tip: 'Keeps the skin out of itself: bent fingers, an arm on the belly. The pose stays as it is.',
    summary: '',
    fields: [
      slider('strength', 'Strength', 1, 0, 1, 0.01, 'How much of what lies in other skin is parted.', '%', 100),
      slider(
        'gap',
        'Gap',
        0.01,
        0,
        0.1,
        0.005,
        'Distance kept where skin touches, in per cent of the local thickness.',
        '%',
        100,
      ),
    ],
  },
  volume: {
    title: 'Volume',
    icon: 'volume',
    tip: 'Moves the skin so that every region keeps its volume.',
    summary: 'method',
    fields: [
      {
        kind: 'choice',
        path: 'method',
        label: 'Method',
        initial: 'shapes',
        tip: 'How the skin is moved. “Shapes” is exact, smooth and the fastest; the others are the literature’s.',
        options: [
          { value: 'shapes', label: 'Shapes' },
          { value: 'regions-exact', label: 'Exact regions' },
          { value: 'regions-linear', label: 'Linear regions' },
          { value: 'laplacian', label: 'Laplacian' },
          { value: 'normal-exact', label: 'Normals, exact' },
          { value: 'normal-linear', label: 'Normals, linear' },
          { value: 'small-steps', label: 'Small steps' },
          { value: 'axis-exact', label: 'Axes, exact' },
          { value: 'axis-linear', label: 'Axes, linear' },
        ],
      },
      slider('target.all', 'Keep', 1, 0.5, 1.5, 0.01, 'Volume to keep: 100 % is that of the rest pose.', '%', 100),
      {
        kind: 'choice',
        path: 'regions.by',
        label: 'Regions',
        initial: 'joint',
        tip: 'What keeps its own volume: the flesh around each joint, of each bone, or every part as a whole. Unset: by joint, or by bone on coarse skin.',
        options: [
          { value: 'joint', label: 'One per joint' },
          { value: 'bone', label: 'One per bone' },
          { value: 'component', label: 'One per part' },
        ],
      },
      {
        kind: 'choice',
        path: 'map.kind',
        label: 'Flesh map γ',
        initial: MAP_DEFAULTS.kind,
        tip: 'Where the flesh gives way: everywhere, near joints, far from bones, or in the middle of bones.',
        options: [
          { value: 'uniform', label: 'Uniform' },
          { value: 'rubber', label: 'Rubber' },
          { value: 'organic', label: 'Organic' },
          { value: 'intermediate', label: 'Muscle' },
          { value: 'power', label: 'Power' },
        ],
      },
      {
        ...slider(
          'map.a',
          'Joint focus',
          MAP_DEFAULTS.a,
          0,
          6,
          0.05,
          'Higher: only flesh near the joints moves (exponent of the weight term).',
        ),
        when: { ...MAP, is: ['rubber', 'organic', 'intermediate'] },
      },
      {
        ...slider(
          'map.b',
          'Distance',
          MAP_DEFAULTS.b,
          0,
          4,
          0.05,
          'Higher: flesh far from the bones moves more (exponent of the distance).',
        ),
        when: { ...MAP, is: ['organic'] },
      },
      {
        ...slider('map.p', 'Outer power', 8, 0, 20, 0.5, 'Outer exponent of the power map.'),
        when: { ...MAP, is: ['power'] },
      },
      {
        ...slider('map.q', 'Weight power', 15, 0, 30, 0.5, 'Exponent of the weight in the power map.'),
        when: { ...MAP, is: ['power'] },
      },
      slider('map.floor', 'Least γ', 0, 0, 1, 0.01, 'How much the stiffest flesh still gives way.', '%', 100),
      {
        ...slider(
          'options.limit',
          'Limit',
          SHAPE_DEFAULTS.limit,
          0,
          2,
          0.05,
          'How far skin may be pushed, in per cent of the local thickness. 0: as far as it takes.',
          '%',
          100,
        ),
        rare: true,
        when: {
          ...METHOD,
          is: ['shapes', 'regions-exact', 'regions-linear', 'normal-exact', 'laplacian', 'small-steps'],
        },
      },
      {
        ...slider(
          'directions.spread',
          'Spread',
          DIRECTION_DEFAULTS.spread,
          0,
          40,
          0.5,
          'How far the directions of the push are averaged, in squared edges.',
          '',
        ),
        rare: true,
      },
      {
        ...slider(
          'directions.sweeps',
          'Sweeps',
          DIRECTION_DEFAULTS.sweeps,
          0,
          12,
          1,
          'How often the directions are smoothed, once, at rest.',
          '×',
        ),
        rare: true,
      },
      {
        ...slider(
          'regions.minShare',
          'Least region',
          REGION_DEFAULTS.minShare,
          0,
          0.1,
          0.005,
          'Smaller regions join a neighbour: share of their part’s volume.',
          '%',
          100,
        ),
        rare: true,
      },
      { ...flag('map.local', 'Stop at borders', false, 'Lets γ fade to 0 where regions meet.'), rare: true },
      {
        ...slider(
          'progressive',
          'Pose steps',
          0,
          0,
          24,
          1,
          'Carries the correction through small steps of the pose: for extreme poses. 0: at once.',
          '×',
        ),
        rare: true,
      },
    ],
  },
  wrinkles: {
    title: 'Wrinkles',
    icon: 'wrinkle',
    tip: 'Folds the skin where it is pushed together. Draw wrinkles with the wrinkle tool.',
    summary: '',
    fields: [
      slider('refine', 'Detail', 2, 0, 4, 1, 'How often triangles are split where the skin folds.', '×'),
      flag('keepVolume', 'Keep volume', true, 'Folds take their volume from the skin between them.'),
    ],
  },
};

function slider(
  path: string,
  label: string,
  initial: number,
  min: number,
  max: number,
  step: number,
  tip: string,
  unit = '',
  factor = 1,
): SliderField {
  return { kind: 'slider', path, label, initial, min, max, step, tip, unit, factor };
}

function flag(path: string, label: string, initial: boolean, tip: string): SwitchField {
  return { kind: 'switch', path, label, initial, tip };
}
