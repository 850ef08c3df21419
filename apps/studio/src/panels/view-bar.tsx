import { Button, Segments, Select } from '../controls/button.js';
import { changeView } from '../state/change-view.js';
import type { Colouring, ViewLayout } from '../state/studio-document.js';
import { CaptureButtons } from './capture-buttons.js';
import { formatNumber } from './format-number.js';
import { useStudio, viewportHolder } from './studio-context.js';

const LAYOUTS = [
  { value: 'split', label: 'Split', icon: 'split' },
  { value: 'side', label: 'Side by side', icon: 'side' },
  { value: 'overlay', label: 'Overlay', icon: 'overlay' },
  { value: 'corrected', label: 'Corrected only', icon: 'corrected' },
] as const satisfies readonly { value: ViewLayout; label: string; icon: string }[];

export const COLOURING_NAMES: readonly { readonly value: Colouring; readonly label: string }[] = [
  { value: 'plain', label: 'No colours' },
  { value: 'gamma', label: 'Flesh map γ' },
  { value: 'displacement', label: 'Heat: moved by' },
  { value: 'moved-x', label: 'Heat: moved along x' },
  { value: 'moved-y', label: 'Heat: moved along y' },
  { value: 'moved-z', label: 'Heat: moved along z' },
  { value: 'region', label: 'Regions' },
  { value: 'volume', label: 'Heat: volume' },
  { value: 'weight', label: 'Joint weight' },
];

/** How the character is shown. */
export function ViewBar() {
  const studio = useStudio();
  const { view } = studio.document.value;
  return (
    <div class="view-bar" role="toolbar" aria-label="View">
      <Segments
        label="Comparison"
        value={view.layout}
        options={LAYOUTS}
        onChange={(layout) =>
          changeView(studio, `View: ${LAYOUTS.find(({ value }) => value === layout)!.label}`, { layout })
        }
      />
      <Select
        label="Colour by"
        tip="What the colours show"
        value={view.colouring}
        options={COLOURING_NAMES}
        onChange={(value) => changeView(studio, 'Colour', { colouring: value as Colouring })}
      />
      <label class="exaggerate" data-tip="Exaggerate what the correction does, in this view only">
        <input
          type="range"
          aria-label="Exaggerate"
          min={1}
          max={10}
          step={0.5}
          value={view.exaggerate}
          style={{ '--fill': `${(100 * (view.exaggerate - 1)) / 9}%` }}
          onInput={({ currentTarget: { valueAsNumber: exaggerate } }) =>
            changeView(studio, 'Exaggerate', { exaggerate }, 'exaggerate')
          }
          onChange={() => studio.history.seal()}
        />
        <b class="number">×{formatNumber(view.exaggerate, 1)}</b>
      </label>
      <Button
        icon="clay"
        kind="plain"
        label="Clay (C)"
        disabled={!studio.character.value?.file}
        pressed={view.look === 'clay' || !studio.character.value?.file}
        onClick={() => changeView(studio, 'Clay', { look: view.look === 'clay' ? 'author' : 'clay' })}
      />
      <Button
        icon="wireframe"
        kind="plain"
        label="Wireframe (W)"
        pressed={view.wireframe}
        onClick={() => changeView(studio, 'Wireframe', { wireframe: !view.wireframe })}
      />
      <Button
        icon="bones"
        kind="plain"
        label="Bones (B)"
        pressed={view.bones}
        onClick={() => changeView(studio, 'Bones', { bones: !view.bones })}
      />
      <Button
        icon="frame"
        kind="plain"
        label="Frame the selection, or all (F)"
        onClick={() => viewportHolder.current?.frame()}
      />
      <CaptureButtons />
    </div>
  );
}
