import type { LayerSpec } from '@isoskin/core';
import { useState } from 'preact/hooks';
import { Select, Switch } from '../controls/button.js';
import { Icon } from '../controls/icon.js';
import { Menu } from '../controls/menu.js';
import { NumberField } from '../controls/number-field.js';
import { moveLayer, readOption, removeLayer, resetLayer, writeOption } from '../state/edit-stack.js';
import { changeStack } from './change-stack.js';
import { LAYERS, type LayerField } from './layer-fields.js';
import { useStudio } from './studio-context.js';

interface LayerCardProps {
  readonly layer: LayerSpec;
  readonly index: number;
  readonly count: number;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  /** Pressed on the grip: the panel follows the pointer. */
  readonly onGrip: (event: PointerEvent) => void;
  readonly mark: string;
}

/** One layer of the stack: a switch, its settings, and what can be done with it. */
export function LayerCard({ layer, index, count, isOpen, onToggle, onGrip, mark }: LayerCardProps) {
  const studio = useStudio();
  const [isMore, setMore] = useState(false);
  const description = LAYERS[layer.layer];
  const title = description?.title ?? layer.layer;
  const isOn = layer.enabled !== false;
  const fields = (description?.fields ?? []).filter((field) => isShown(field, layer));
  const usual = fields.filter((field) => !field.rare);
  const rare = fields.filter((field) => field.rare);
  const move = (to: number) => changeStack(studio, `Move ${title}`, (stack) => moveLayer(stack, index, to));
  const isSkin = layer.layer === 'skin';

  return (
    <section class={`layer ${isOn ? '' : 'off'} ${mark}`} aria-label={`${title} layer`} data-layer={layer.layer}>
      <div class="layer-head">
        <button
          type="button"
          class="grip"
          aria-label={`Move ${title}: arrow keys`}
          data-tip="Drag to reorder, or press ↑ ↓"
          onPointerDown={onGrip}
          onKeyDown={(event) => {
            const to = index + ({ ArrowUp: -1, ArrowDown: 1 }[event.key] ?? 0);
            if (to === index || to < 0 || to >= count) return;
            event.preventDefault();
            move(to);
          }}
        >
          <Icon name="grip" />
        </button>
        <button type="button" class="layer-title" aria-expanded={isOpen} data-tip={description?.tip} onClick={onToggle}>
          <Icon name={description?.icon ?? 'volume'} />
          <strong>{title}</strong>
          <span class="summary">{isOpen ? '' : summarise(layer, description?.fields ?? [])}</span>
        </button>
        <Switch
          label={`${title} on`}
          on={isOn}
          disabled={isSkin}
          tip={isSkin ? 'Skinning is always on' : isOn ? 'Switch this layer off' : 'Switch this layer on'}
          onChange={(on) =>
            changeStack(studio, `${title} ${on ? 'on' : 'off'}`, (stack) =>
              writeOption(stack, index, 'enabled', on ? undefined : false),
            )
          }
        />
        <Menu
          label={`${title}: more`}
          icon="more"
          items={[
            {
              label: 'Reset',
              icon: 'reset',
              run: () => changeStack(studio, `Reset ${title}`, (stack) => resetLayer(stack, index)),
            },
            { label: 'Move up', icon: 'up', disabled: index === 0, run: () => move(index - 1) },
            { label: 'Move down', icon: 'down', disabled: index === count - 1, run: () => move(index + 1) },
            null,
            {
              label: 'Remove',
              icon: 'trash',
              disabled: isSkin,
              run: () => changeStack(studio, `Remove ${title}`, (stack) => removeLayer(stack, index)),
            },
          ]}
        />
      </div>
      {isOpen && (
        <div class="layer-body">
          {usual.map((field) => (
            <Field key={field.path} field={field} layer={layer} index={index} />
          ))}
          {rare.length > 0 && (
            <button type="button" class="button plain more" aria-expanded={isMore} onClick={() => setMore(!isMore)}>
              <Icon name={isMore ? 'chevron' : 'right'} />
              {isMore ? 'Fewer settings' : 'More settings'}
            </button>
          )}
          {isMore && rare.map((field) => <Field key={field.path} field={field} layer={layer} index={index} />)}
        </div>
      )}
    </section>
  );
}

function Field({ field, layer, index }: { field: LayerField; layer: LayerSpec; index: number }) {
  const studio = useStudio();
  const stored = readOption(layer, field.path);
  const id = `${layer.layer}-${index}-${field.path}`;
  const title = LAYERS[layer.layer]?.title ?? layer.layer;
  const write = (value: unknown, merge?: string) =>
    changeStack(studio, `${title}: ${field.label}`, (stack) => writeOption(stack, index, field.path, value), merge);
  if (field.kind === 'slider') {
    return (
      <NumberField
        {...field}
        id={id}
        value={typeof stored === 'number' ? stored : field.initial}
        onChange={(value) => write(value, id)}
        onDone={studio.history.seal}
      />
    );
  }
  if (field.kind === 'choice') {
    return (
      <div class="field">
        <label for={id} data-tip={field.tip}>
          {field.label}
        </label>
        <Select
          id={id}
          class="wide"
          label={field.label}
          tip={field.tip}
          value={typeof stored === 'string' ? stored : field.initial}
          options={field.options}
          onChange={write}
        />
      </div>
    );
  }
  return (
    <div class="field">
      <span class="label" data-tip={field.tip}>
        {field.label}
      </span>
      <span class="end">
        <Switch
          label={field.label}
          tip={field.tip}
          on={typeof stored === 'boolean' ? stored : field.initial}
          onChange={write}
        />
      </span>
    </div>
  );
}

function isShown({ when }: LayerField, layer: LayerSpec): boolean {
  return !when || when.is.includes(String(readOption(layer, when.path) ?? when.initial));
}

/** The first choice of a layer in words. */
function summarise(layer: LayerSpec, fields: readonly LayerField[]): string {
  const field = fields.find((one) => one.kind === 'choice');
  if (field?.kind !== 'choice') return '';
  const value = readOption(layer, field.path) ?? field.initial;
  return field.options.find((option) => option.value === value)?.label ?? '';
}
