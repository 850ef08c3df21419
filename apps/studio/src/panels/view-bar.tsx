import { Button, Segments, Select } from '../controls/button.js';
import type { Colouring, View, ViewLayout } from '../state/studio-document.js';
import { CaptureButtons } from './capture-buttons.js';
import { useStudio, viewportHolder } from './studio-context.js';

const LAYOUTS = [
  { value: 'split', label: 'Split', icon: 'split' },
  { value: 'side', label: 'Side by side', icon: 'side' },
  { value: 'overlay', label: 'Overlay', icon: 'overlay' },
  { value: 'corrected', label: 'Corrected only', icon: 'corrected' },
] as const satisfies readonly { value: ViewLayout; label: string; icon: string }[];

export const COLOURING_NAMES: readonly { readonly value: Colouring; readonly label: string }[] = [
  { value: 'clay', label: 'Clay' },
  { value: 'gamma', label: 'Flesh map γ' },
  { value: 'displacement', label: 'Displacement' },
  { value: 'moved-x', label: 'Displacement, x' },
  { value: 'moved-y', label: 'Displacement, y' },
  { value: 'moved-z', label: 'Displacement, z' },
  { value: 'region', label: 'Regions' },
  { value: 'volume', label: 'Volume change' },
  { value: 'weight', label: 'Joint weight' },
];

/** How the character is shown. */
export function ViewBar() {
  const studio = useStudio();
  const { view } = studio.document.value;
  const set = (label: string, change: Partial<View>) =>
    studio.commit(label, (present) => ({ ...present, view: { ...present.view, ...change } }));
  return (
    <div class="view-bar" role="toolbar" aria-label="View">
      <Segments
        label="Comparison"
        value={view.layout}
        options={LAYOUTS}
        onChange={(layout) => set(`View: ${LAYOUTS.find(({ value }) => value === layout)!.label}`, { layout })}
      />
      <Select
        label="Colour by"
        tip="What the colours show"
        value={view.colouring}
        options={COLOURING_NAMES}
        onChange={(value) => set('Colour', { colouring: value as Colouring })}
      />
      <Button
        icon="wireframe"
        kind="plain"
        label="Wireframe (W)"
        pressed={view.wireframe}
        onClick={() => set('Wireframe', { wireframe: !view.wireframe })}
      />
      <Button
        icon="bones"
        kind="plain"
        label="Bones (B)"
        pressed={view.bones}
        onClick={() => set('Bones', { bones: !view.bones })}
      />
      <Button
        icon="frame"
        kind="plain"
        label="Frame the character (F)"
        onClick={() => viewportHolder.current?.frame()}
      />
      <CaptureButtons />
    </div>
  );
}
