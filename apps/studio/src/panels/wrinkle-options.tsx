import type { WrinkleTool } from '@isoskin/core';
import { WRINKLE_TOOL } from '@isoskin/core/stack';
import { WRINKLE_PRESET_NAMES, WRINKLE_PRESETS, type WrinklePresetName } from '@isoskin/core/wrinkles';
import { assign } from '../controls/assign.js';
import { Button, Choice, Switch, SwitchField } from '../controls/button.js';
import { NumberField } from '../controls/number-field.js';
import { changeWrinkle, listWrinkles, removeWrinkle, type WrinkleChange } from '../state/edit-wrinkles.js';
import { explainWrinkle } from '../state/explain-wrinkle.js';
import { changeStack } from './change-stack.js';
import { useStudio } from './studio-context.js';

const STRATEGIES = [
  { value: 'everywhere', label: 'Everywhere at once' },
  { value: 'both-ends', label: 'From both ends' },
  { value: 'from-a', label: 'From the start' },
];

const ATTENUATION_NAMES = [
  { value: 'wyvill', label: 'Bell' },
  { value: 'linear', label: 'Evenly' },
  { value: 'none', label: 'Not at all' },
];

/** What the schema says it is when it is not given. */
const initialOf = (key: keyof WrinkleTool) => WRINKLE_TOOL[key].initial;

interface Field {
  readonly key: 'points' | 'width' | 'strength' | 'maxHeight' | 'spacing' | 'crest' | 'restLength';
  readonly label: string;
  readonly range: readonly [number, number, number];
  readonly unit?: string;
  readonly tip: string;
  /** What it is at first where the schema has no number: a share of the wrinkle's length, as it is shown. */
  readonly share?: number;
}

const FIELDS: readonly Field[] = [
  {
    ...{ key: 'points', label: 'Points', range: [3, 31, 2] },
    tip: 'Points of the folding thread: more give more and finer folds.',
  },
  {
    ...{ key: 'width', label: 'Width', range: [0.1, 4, 0.05], unit: '%', share: 0.8 },
    tip: 'Width of the folds, in per cent of the wrinkle’s length.',
  },
  {
    ...{ key: 'strength', label: 'Strength', range: [0, 2, 0.05], unit: '%' },
    tip: 'Height of the folds: 100 % is what the lost length asks for.',
  },
  {
    ...{ key: 'maxHeight', label: 'Height', range: [0.01, 0.4, 0.01], unit: '%', share: 0.125 },
    tip: 'Height after which the next fold begins, in per cent of the length.',
  },
  { ...{ key: 'spacing', label: 'Spacing', range: [0, 8, 1] }, tip: 'Flat steps between folds.' },
  { ...{ key: 'crest', label: 'Crest', range: [1, 8, 1] }, tip: 'Points on the crest of a fold: more make it broad.' },
  {
    ...{ key: 'restLength', label: 'Rest length', range: [0.5, 2, 0.01], unit: '%', share: 1 },
    tip: 'Length that the skin wants to have, in per cent of that at rest: as drawn at first; more folds it at rest.',
  },
];

/** Beside the view while wrinkles are drawn: the kind of the next one, and the settings of the one chosen. */
export function WrinkleOptions() {
  const studio = useStudio();
  const tools = listWrinkles(studio.document.value.stack);
  const index = Math.min(studio.wrinkle.value, tools.length - 1);
  const tool = tools[index];
  return (
    <div class="tool-options">
      <h3>Wrinkles</h3>
      <p>Drag along the skin, across the folds that should appear.</p>
      <Choice
        id="wrinkle-preset"
        class="two"
        label="Kind"
        tip="What the next wrinkle is like"
        value={studio.wrinklePreset.value}
        options={WRINKLE_PRESET_NAMES.map((name) => ({ value: name, label: WRINKLE_PRESETS[name].label }))}
        onChange={(name) => assign(studio.wrinklePreset, name as WrinklePresetName)}
      />
      {tools.length > 0 && (
        <Choice
          id="wrinkle-choice"
          class="two"
          label="Edit"
          value={String(index)}
          options={[
            ...(tool ? [] : [{ value: '-1', label: 'Choose one' }]),
            ...tools.map(({ name }, n) => ({ value: String(n), label: `${n + 1} · ${name ?? 'wrinkle'}` })),
          ]}
          onChange={(value) => assign(studio.wrinkle, Number(value))}
        />
      )}
      {tool && <ToolFields key={index} tool={tool} index={index} />}
    </div>
  );
}

interface ToolProps {
  readonly tool: WrinkleTool;
  readonly index: number;
}

type ChangeTool = (label: string, change: WrinkleChange, merge?: string) => void;

function useChange(index: number): ChangeTool {
  const studio = useStudio();
  return (label, change, merge) => {
    changeStack(studio, `Wrinkle: ${label}`, (stack) => changeWrinkle(stack, index, change), merge);
  };
}

function ToolFields({ tool, index }: ToolProps) {
  const studio = useStudio();
  const change = useChange(index);
  const { folds, words } = explainWrinkle(studio.document.value.stack, index, studio.frame.value?.wrinkles);
  const length = tool.length ?? 1;
  return (
    <>
      <p class={folds ? 'folds' : 'folds none'} role="status">
        {words}
      </p>
      {FIELDS.map(({ key, share, ...field }) => {
        const stored = tool[key];
        if (stored !== undefined && typeof stored !== 'number') return null; // keys, or a morph target
        const unit = share === undefined ? 1 : length;
        const initial = share ?? (initialOf(key) as number);
        return (
          <NumberField
            {...field}
            key={key}
            id={`wrinkle-${key}`}
            value={(stored ?? initial * unit) / unit}
            initial={initial}
            onChange={(value) => change(field.label, { [key]: value * unit }, `wrinkle ${index} ${key}`)}
            onDone={studio.history.seal}
          />
        );
      })}
      <LevelFields tool={tool} index={index} />
      <ShapeFields tool={tool} index={index} />
      <div class="button-row">
        <Switch
          label="Wrinkle on"
          on={tool.enabled !== false}
          tip="Switch this wrinkle on or off"
          onChange={(on) => change(on ? 'on' : 'off', { enabled: on })}
        />
        <span class="spacer" />
        <Button
          icon="trash"
          onClick={() => {
            changeStack(studio, 'Wrinkle: remove', (stack) => removeWrinkle(stack, index));
            studio.wrinkle.value = -1;
          }}
        >
          Remove
        </Button>
      </div>
    </>
  );
}

/** H4: finer folds on the coarse ones. */
function LevelFields({ tool: { levels = [] }, index }: ToolProps) {
  const studio = useStudio();
  const change = useChange(index);
  const share = levels[0]?.share ?? FINE_SHARE;
  const field = { initial: 0, onDone: studio.history.seal };
  return (
    <>
      <NumberField
        {...field}
        id="wrinkle-levels"
        label="Levels"
        range={[0, 3, 1]}
        value={levels.length}
        tip="Finer folds on the coarse ones: every level doubles the points."
        onChange={(count) => {
          const next = Array.from({ length: count }, (_, n) => levels[n] ?? { share: share / 2 ** n });
          change('Levels', { levels: next }, `wrinkle ${index} levels`);
        }}
      />
      {levels.length > 0 && (
        <NumberField
          {...field}
          id="wrinkle-share"
          label="Fine share"
          range={[0, 0.5, 0.01]}
          unit="%"
          value={share}
          initial={FINE_SHARE}
          tip="How much of the lost length the first finer level takes up; the next ones half of it each."
          onChange={(first) => {
            const next = levels.map((level, n) => ({ ...level, share: first / 2 ** n }));
            change('Fine share', { levels: next }, `wrinkle ${index} share`);
          }}
        />
      )}
    </>
  );
}

const FINE_SHARE = 0.2;

/** Where it lies, and how folds look. */
function ShapeFields({ tool, index }: ToolProps) {
  const studio = useStudio();
  const change = useChange(index);
  /** Its ends as they stand, measured by the engine. */
  const place = async (label: string, curved: boolean, take: (placed: WrinkleTool) => WrinkleChange) => {
    try {
      const [placed] = await studio.engine.placeWrinkle({ a: tool.a, b: tool.b, curved });
      change(label, take(placed!));
    } catch (error) {
      studio.notices.show('error', 'The wrinkle stays as it is', error);
    }
  };
  return (
    <>
      <Choice
        id="wrinkle-attenuation"
        class="two"
        label="Fade"
        tip="How folds fade across the width"
        value={tool.attenuation ?? String(initialOf('attenuation'))}
        options={ATTENUATION_NAMES}
        onChange={(value) => change('Folds fade', { attenuation: value as NonNullable<WrinkleTool['attenuation']> })}
      />
      <Choice
        id="wrinkle-strategy"
        class="two"
        label="Begin"
        value={tool.strategy ?? String(initialOf('strategy'))}
        options={STRATEGIES}
        onChange={(value) => change('Folds begin', { strategy: value as NonNullable<WrinkleTool['strategy']> })}
      />
      <SwitchField
        label="Rounded folds"
        on={tool.profile !== 'linear'}
        tip="Rounded folds, or straight between the points"
        onChange={(on) => change('Profile', { profile: on ? 'smooth' : 'linear' })}
      />
      <SwitchField
        label="Follow the skin"
        on={tool.via !== undefined}
        tip="Along the skin from end to end, or straight through it"
        onChange={(on) => place('Follow the skin', on, ({ via, length }) => ({ via, length: length! }))}
      />
      <Button
        tip="The skin is as long as it wants to be in the pose that is shown: it folds where it gets shorter than now"
        onClick={() => place('Rest length', tool.via !== undefined, ({ restLength }) => ({ restLength: restLength! }))}
      >
        Rest length from this pose
      </Button>
    </>
  );
}
