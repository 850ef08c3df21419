import { PRESET_NAMES, type PresetName, presetStack } from '@isoskin/core';
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { Button, Select } from '../controls/button.js';
import { pickFiles, saveFile } from '../controls/files.js';
import { Menu } from '../controls/menu.js';
import {
  addLayer,
  findPreset,
  formatStack,
  LAYER_ORDER,
  type LayerName,
  moveLayer,
  parseStack,
} from '../state/edit-stack.js';
import { changeStack } from './change-stack.js';
import { LayerCard } from './layer-card.js';
import { LAYERS } from './layer-fields.js';
import { useStudio } from './studio-context.js';

const nameOf = (preset: string) => preset.charAt(0).toUpperCase() + preset.slice(1);

/** Left: the layers in their order, presets, and the stack as JSON. */
export function StackPanel() {
  const studio = useStudio();
  const { stack } = studio.document.value;
  const closed = useSignal<readonly string[]>(['skin']);
  const drag = useSignal<{ from: number; to: number } | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const preset = findPreset(stack);
  const missing = LAYER_ORDER.filter((name) => LAYERS[name] && !stack.layers.some(({ layer }) => layer === name));

  const grip = (from: number) => (event: PointerEvent) => {
    event.preventDefault();
    const target = event.currentTarget as HTMLElement;
    target.focus();
    target.setPointerCapture(event.pointerId);
    drag.value = { from, to: from };
    const follow = (moved: PointerEvent) => {
      const cards = [...list.current!.querySelectorAll('.layer')].map((card) => card.getBoundingClientRect());
      const below = cards.filter((box) => moved.clientY > box.top + box.height / 2).length;
      drag.value = { from, to: below > from ? below - 1 : below };
    };
    const drop = () => {
      target.removeEventListener('pointermove', follow);
      const { to } = drag.value ?? { to: from };
      drag.value = null;
      if (to !== from) changeStack(studio, 'Reorder layers', (present) => moveLayer(present, from, to));
    };
    target.addEventListener('pointermove', follow);
    target.addEventListener('lostpointercapture', drop, { once: true });
  };
  const mark = (index: number) => {
    const at = drag.value;
    if (!at) return '';
    if (index === at.from) return 'dragged';
    if (index !== at.to) return '';
    return at.to > at.from ? 'drop-after' : 'drop-before';
  };

  const paste = async (read: () => Promise<string>) => {
    try {
      const next = parseStack(await read());
      studio.commit('Load a stack', (present) => ({ ...present, stack: next }));
    } catch (error) {
      studio.notices.show('error', 'This is not a stack', error instanceof Error ? error.message : String(error));
    }
  };

  return (
    <aside class="panel stack-panel" aria-label="Stack">
      <div class="panel-head">
        <h2>Stack</h2>
        <Menu
          label="Add a layer"
          icon="plus"
          items={
            missing.length > 0
              ? missing.map((name) => ({
                  label: LAYERS[name]!.title,
                  icon: LAYERS[name]!.icon,
                  run: () => changeStack(studio, `Add ${LAYERS[name]!.title}`, (s) => addLayer(s, name as LayerName)),
                }))
              : [{ label: 'All layers are there', disabled: true, run: () => {} }]
          }
        />
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
            { label: 'Paste JSON', icon: 'paste', run: () => paste(() => navigator.clipboard.readText()) },
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
                if (file) await paste(() => file.text());
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
          icon="reset"
          label="Reset the stack"
          disabled={preset === 'organic'}
          onClick={() => changeStack(studio, 'Reset the stack', () => presetStack('organic'))}
        />
      </div>
      {studio.planError.value && (
        <p class="stack-fault" role="alert">
          {studio.planError.value}
        </p>
      )}
      <div class="panel-body scroll" ref={list}>
        {stack.layers.map((layer, index) => (
          <LayerCard
            key={`${layer.layer} ${index}`}
            layer={layer}
            index={index}
            count={stack.layers.length}
            isOpen={!closed.value.includes(layer.layer)}
            onToggle={() => {
              closed.value = closed.value.includes(layer.layer)
                ? closed.value.filter((name) => name !== layer.layer)
                : [...closed.value, layer.layer];
            }}
            onGrip={grip(index)}
            mark={mark(index)}
          />
        ))}
      </div>
    </aside>
  );
}
