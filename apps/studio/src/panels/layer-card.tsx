import type { LayerName, StackSpec } from '@isoskin/core';
import { useState } from 'preact/hooks';
import { Choice, Switch, SwitchField } from '../controls/button.js';
import { Icon } from '../controls/icon.js';
import { Menu } from '../controls/menu.js';
import { NumberField } from '../controls/number-field.js';
import { isOn, readOption, resetLayer, switchLayer, writeOption } from '../state/edit-stack.js';
import { changeStack } from './change-stack.js';
import { LAYERS, type LayerField } from './layer-fields.js';
import { useStudio } from './studio-context.js';

interface LayerCardProps {
  readonly name: LayerName;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

/** One layer of the stack: a switch, its settings, and what can be done with it. */
export function LayerCard({ name, isOpen, onToggle }: LayerCardProps) {
  const studio = useStudio();
  const { stack } = studio.document.value;
  const [isMore, setMore] = useState(false);
  const { title, icon, tip, fields: all } = LAYERS[name];
  const on = isOn(stack, name);
  const fields = all.filter((field) => isShown(field, stack, name));
  const usual = fields.filter((field) => !field.rare);
  const rare = fields.filter((field) => field.rare);
  const isSkin = name === 'skin';

  return (
    <section class={`layer ${on ? '' : 'off'}`} aria-label={`${title} layer`} data-layer={name}>
      <div class="layer-head">
        <button type="button" class="layer-title" aria-expanded={isOpen} data-tip={tip} onClick={onToggle}>
          <Icon name={icon} />
          <strong>{title}</strong>
          <span class="summary">{isOpen ? '' : summarise(stack, name, all)}</span>
        </button>
        <Switch
          label={`${title} on`}
          on={on}
          disabled={isSkin}
          tip={isSkin ? 'Skinning is always on' : on ? 'Switch this layer off' : 'Switch this layer on'}
          onChange={(next) =>
            changeStack(studio, `${title} ${next ? 'on' : 'off'}`, (present) => switchLayer(present, name, next))
          }
        />
        <Menu
          label={`${title}: more`}
          icon="more"
          items={[
            {
              label: 'Reset',
              icon: 'reset',
              run: () => changeStack(studio, `Reset ${title}`, (present) => resetLayer(present, name)),
            },
          ]}
        />
      </div>
      {isOpen && (
        <div class="layer-body">
          {usual.map((field) => (
            <Field key={field.path} field={field} name={name} />
          ))}
          {rare.length > 0 && (
            <button type="button" class="button plain more" aria-expanded={isMore} onClick={() => setMore(!isMore)}>
              <Icon name={isMore ? 'chevron' : 'right'} />
              {isMore ? 'Fewer settings' : 'More settings'}
            </button>
          )}
          {isMore && rare.map((field) => <Field key={field.path} field={field} name={name} />)}
        </div>
      )}
    </section>
  );
}

function Field({ field, name }: { field: LayerField; name: LayerName }) {
  const studio = useStudio();
  const stored = readOption(studio.document.value.stack, name, field.path);
  const id = `${name}-${field.path}`;
  const { title } = LAYERS[name];
  const write = (value: unknown, merge?: string) =>
    changeStack(studio, `${title}: ${field.label}`, (stack) => writeOption(stack, name, field.path, value), merge);
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
      <Choice
        id={id}
        label={field.label}
        tip={field.tip}
        value={typeof stored === 'string' ? stored : field.initial}
        options={field.options}
        onChange={write}
      />
    );
  }
  const on = typeof stored === 'boolean' ? stored : field.initial;
  return <SwitchField label={field.label} tip={field.tip} on={on} onChange={write} />;
}

function isShown({ when }: LayerField, stack: StackSpec, name: LayerName): boolean {
  return !when || when.is.includes(String(readOption(stack, name, when.path) ?? when.initial));
}

/** The first choice of a layer in words. */
function summarise(stack: StackSpec, name: LayerName, fields: readonly LayerField[]): string {
  const field = fields.find((one) => one.kind === 'choice');
  if (!isOn(stack, name) || field?.kind !== 'choice') return '';
  const value = readOption(stack, name, field.path) ?? field.initial;
  return field.options.find((option) => option.value === value)?.label ?? '';
}
