import {
  type StackSpec,
  WRINKLE_PRESET_NAMES,
  WRINKLE_PRESETS,
  type WrinklePresetName,
  type WrinkleTool,
} from '@isoskin/core';
import { Button, Select, Switch } from '../controls/button.js';
import { NumberField } from '../controls/number-field.js';
import { changeWrinkle, listWrinkles, removeWrinkle } from '../state/edit-wrinkles.js';
import { changeStack } from './change-stack.js';
import { useStudio } from './studio-context.js';

const STRATEGIES = [
  { value: 'everywhere', label: 'Everywhere at once' },
  { value: 'both-ends', label: 'From both ends' },
  { value: 'from-a', label: 'From the start' },
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
      <div class="field two">
        <label for="wrinkle-preset">Kind</label>
        <Select
          id="wrinkle-preset"
          class="wide"
          label="Kind"
          tip="What the next wrinkle is like"
          value={studio.wrinklePreset.value}
          options={WRINKLE_PRESET_NAMES.map((name) => ({ value: name, label: WRINKLE_PRESETS[name].label }))}
          onChange={(name) => {
            studio.wrinklePreset.value = name as WrinklePresetName;
          }}
        />
      </div>
      {tools.length > 0 && (
        <div class="field two">
          <label for="wrinkle-choice">Edit</label>
          <Select
            id="wrinkle-choice"
            class="wide"
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
        </div>
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
  const field = (key: 'width' | 'strength' | 'points' | 'maxHeight', label: string, unit: number) => ({
    id: `wrinkle-${key}`,
    label,
    onChange: (value: number) =>
      change(label, (stack) => changeWrinkle(stack, index, { [key]: value * unit }), `wrinkle ${index} ${key}`),
    onDone: studio.history.seal,
  });
  return (
    <>
      <NumberField
        {...field('points', 'Points', 1)}
        tip="Points of the folding thread: more give more and finer folds."
        value={tool.points ?? 9}
        initial={9}
        min={3}
        max={31}
        step={2}
      />
      <NumberField
        {...field('width', 'Width', length)}
        tip="Width of the folds, in per cent of the wrinkle’s length."
        value={tool.width / length}
        initial={0.8}
        min={0.1}
        max={4}
        step={0.05}
        factor={100}
        unit="%"
      />
      <NumberField
        {...field('strength', 'Strength', 1)}
        tip="Height of the folds: 100 % is what the lost length asks for."
        value={tool.strength ?? 1}
        initial={1}
        min={0}
        max={2}
        step={0.05}
        factor={100}
        unit="%"
      />
      <NumberField
        {...field('maxHeight', 'Height', length)}
        tip="Height after which the next fold begins, in per cent of the length."
        value={(tool.maxHeight ?? length / 8) / length}
        initial={0.08}
        min={0.01}
        max={0.4}
        step={0.01}
        factor={100}
        unit="%"
      />
      <div class="field two">
        <label for="wrinkle-strategy">Begin</label>
        <Select
          id="wrinkle-strategy"
          class="wide"
          label="Folds begin"
          value={tool.strategy ?? 'everywhere'}
          options={STRATEGIES}
          onChange={(value) =>
            change('Folds begin', (stack) =>
              changeWrinkle(stack, index, { strategy: value as NonNullable<WrinkleTool['strategy']> }),
            )
          }
        />
      </div>
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
