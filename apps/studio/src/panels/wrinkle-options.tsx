import type { StackSpec, WrinkleTool } from '@isoskin/core';
import { WRINKLE_PRESET_NAMES, WRINKLE_PRESETS, type WrinklePresetName } from '@isoskin/core/wrinkles';
import { Button, Choice, Switch } from '../controls/button.js';
import { NumberField } from '../controls/number-field.js';
import { changeWrinkle, listWrinkles, removeWrinkle } from '../state/edit-wrinkles.js';
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

const INITIAL = { points: 9, width: 0.8, strength: 1, maxHeight: 0.125, spacing: 0, crest: 1, restLength: 1 };
type NumberKey = keyof typeof INITIAL;

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
        onChange={(name) => {
          studio.wrinklePreset.value = name as WrinklePresetName;
        }}
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
          onChange={(value) => {
            studio.wrinkle.value = Number(value);
          }}
        />
      )}
      {tool && <ToolFields key={index} tool={tool} index={index} />}
    </div>
  );
}

function ToolFields({ tool, index }: { tool: WrinkleTool; index: number }) {
  const studio = useStudio();
  const length = tool.length ?? 1;
  const change = (label: string, edit: (stack: StackSpec) => StackSpec, merge?: string) =>
    changeStack(studio, `Wrinkle: ${label}`, edit, merge);
  // Of width and height a share of the length is shown.
  const field = (key: NumberKey, label: string, unit = 1) => ({
    id: `wrinkle-${key}`,
    label,
    value: (typeof tool[key] === 'number' ? tool[key] : INITIAL[key] * unit) / unit,
    initial: INITIAL[key],
    onChange: (value: number) =>
      change(label, (stack) => changeWrinkle(stack, index, { [key]: value * unit }), `wrinkle ${index} ${key}`),
    onDone: studio.history.seal,
  });
  return (
    <>
      <NumberField
        {...field('points', 'Points')}
        range={[3, 31, 2]}
        tip="Points of the folding thread: more give more and finer folds."
      />
      <NumberField
        {...field('width', 'Width', length)}
        range={[0.1, 4, 0.05]}
        unit="%"
        tip="Width of the folds, in per cent of the wrinkle’s length."
      />
      <NumberField
        {...field('strength', 'Strength')}
        range={[0, 2, 0.05]}
        unit="%"
        tip="Height of the folds: 100 % is what the lost length asks for."
      />
      <NumberField
        {...field('maxHeight', 'Height', length)}
        range={[0.01, 0.4, 0.01]}
        unit="%"
        tip="Height after which the next fold begins, in per cent of the length."
      />
      <NumberField {...field('spacing', 'Spacing')} range={[0, 8, 1]} tip="Flat steps between folds." />
      <NumberField
        {...field('crest', 'Crest')}
        range={[1, 8, 1]}
        tip="Points on the crest of a fold: more make it broad."
      />
      {(tool.restLength === undefined || typeof tool.restLength === 'number') && (
        <NumberField
          {...field('restLength', 'Rest length', length)}
          range={[0.5, 2, 0.01]}
          unit="%"
          tip="Length that the skin wants to have, in per cent of that at rest: as drawn at first; more folds it at rest."
        />
      )}
      <Choice
        id="wrinkle-attenuation"
        class="two"
        label="Fade"
        tip="How folds fade across the width"
        value={tool.attenuation ?? 'wyvill'}
        options={ATTENUATION_NAMES}
        onChange={(value) =>
          change('Folds fade', (stack) =>
            changeWrinkle(stack, index, { attenuation: value as NonNullable<WrinkleTool['attenuation']> }),
          )
        }
      />
      <Switch
        label="Rounded folds"
        on={tool.profile !== 'linear'}
        tip="Rounded folds, or straight between the points"
        onChange={(on) =>
          change('Profile', (stack) => changeWrinkle(stack, index, { profile: on ? 'smooth' : 'linear' }))
        }
      />
      <Choice
        id="wrinkle-strategy"
        class="two"
        label="Begin"
        value={tool.strategy ?? 'everywhere'}
        options={STRATEGIES}
        onChange={(value) =>
          change('Folds begin', (stack) =>
            changeWrinkle(stack, index, { strategy: value as NonNullable<WrinkleTool['strategy']> }),
          )
        }
      />
      <div class="button-row">
        <Switch
          label="Wrinkle on"
          on={tool.enabled !== false}
          tip="Switch this wrinkle on or off"
          onChange={(on) => change(on ? 'on' : 'off', (stack) => changeWrinkle(stack, index, { enabled: on }))}
        />
        <span class="spacer" />
        <Button
          icon="trash"
          onClick={() => {
            change('remove', (stack) => removeWrinkle(stack, index));
            studio.wrinkle.value = -1;
          }}
        >
          Remove
        </Button>
      </div>
    </>
  );
}
