import { type LayerName, PRESET_NAMES, type PresetName, presetStack } from '@isoskin/core';
import { LAYER_NAMES } from '@isoskin/core/stack';
import { useSignal } from '@preact/signals';
import { assign } from '../controls/assign.js';
import { Button, Select } from '../controls/button.js';
import { pickFiles, saveFile } from '../controls/files.js';
import { Menu } from '../controls/menu.js';
import { findPreset, formatStack, isOn } from '../state/edit-stack.js';
import { changeStack } from './change-stack.js';
import { LayerCard } from './layer-card.js';
import { loadStack } from './load-stack.js';
import { useStudio } from './studio-context.js';

const nameOf = (preset: string) => preset.charAt(0).toUpperCase() + preset.slice(1);

/** Left: the layers in their fixed order, each with its switch; presets, and the stack as JSON. */
export function StackPanel() {
  const studio = useStudio();
  const { stack } = studio.document.value;
  // Layers that are off are closed until somebody opens them.
  const toggled = useSignal<readonly LayerName[]>([]);
  const isOpen = (name: LayerName) => (name !== 'skin' && isOn(stack, name)) !== toggled.value.includes(name);
  const preset = findPreset(stack);

  return (
    <aside class="panel stack-panel" aria-label="Stack">
      <div class="panel-head">
        <h2>Stack</h2>
        <Menu
          label="Stack as JSON"
          icon="file"
          items={[
            {
              label: 'Copy JSON',
              icon: 'copy',
              run: async () => {
                await navigator.clipboard.writeText(formatStack(studio.document.peek().stack));
                studio.notices.show('info', 'Stack copied', 'Paste it into a file, the CLI or another studio.');
              },
            },
            { label: 'Paste JSON', icon: 'paste', run: () => loadStack(studio, navigator.clipboard.readText()) },
            null,
            {
              label: 'Save stack.json',
              icon: 'save',
              run: () => saveFile('stack.json', formatStack(studio.document.peek().stack), 'application/json'),
            },
            {
              label: 'Load stack.json',
              icon: 'load',
              run: async () => {
                const [file] = await pickFiles('.json,application/json', false);
                if (file) await loadStack(studio, file.text());
              },
            },
          ]}
        />
      </div>
      <div class="preset-row">
        <Select
          label="Preset"
          tip="A stack to start from"
          value={preset}
          options={[
            ...(preset === '' ? [{ value: '', label: 'Custom' }] : []),
            ...PRESET_NAMES.map((name) => ({ value: name, label: nameOf(name) })),
          ]}
          onChange={(name) =>
            name && changeStack(studio, `Preset ${nameOf(name)}`, () => presetStack(name as PresetName))
          }
        />
        <Button
          icon="gallery"
          label="Compare them on this character"
          onClick={() => assign(studio.dialog, 'presets')}
        />
        <Button
          icon="reset"
          label="Reset the stack"
          disabled={preset === 'natural'}
          onClick={() => changeStack(studio, 'Reset the stack', () => presetStack())}
        />
      </div>
      {studio.planError.value && (
        <p class="stack-fault" role="alert">
          {studio.planError.value}
        </p>
      )}
      <div class="panel-body scroll">
        {LAYER_NAMES.map((name) => (
          <LayerCard
            key={name}
            name={name}
            isOpen={isOpen(name)}
            onToggle={() => {
              const others = toggled.value.filter((one) => one !== name);
              toggled.value = others.length < toggled.value.length ? others : [...others, name];
            }}
          />
        ))}
      </div>
    </aside>
  );
}
