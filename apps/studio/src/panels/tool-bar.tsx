import type { ComponentType } from 'preact';
import { assign } from '../controls/assign.js';
import { Button } from '../controls/button.js';
import type { IconName } from '../controls/icon.js';
import type { ToolName } from '../state/studio.js';
import { PaintOptions } from './paint-options.js';
import { PoseOptions } from './pose-options.js';
import { useStudio } from './studio-context.js';
import { WrinkleOptions } from './wrinkle-options.js';

interface ToolDescription {
  readonly name: ToolName;
  readonly label: string;
  readonly icon: IconName;
  /** Settings beside the bar while the tool is in the hand. */
  readonly Options?: ComponentType;
}

/** Tools of the 3-D view. What a tool does with the mouse is in `viewport/`; see `startPicking`. */
export const TOOLS: readonly ToolDescription[] = [
  { name: 'select', label: 'Select (V)', icon: 'select' },
  { name: 'pose', label: 'Pose joints (R)', icon: 'pose', Options: PoseOptions },
  { name: 'paint', label: 'Paint (P)', icon: 'paint', Options: PaintOptions },
  { name: 'wrinkle', label: 'Draw wrinkles (N)', icon: 'wrinkle', Options: WrinkleOptions },
];

export function ToolBar() {
  const studio = useStudio();
  const Options = TOOLS.find(({ name }) => name === studio.tool.value)?.Options;
  return (
    <div class="tools">
      <div class="tool-bar" role="toolbar" aria-label="Tools" aria-orientation="vertical">
        {TOOLS.map(({ name, label, icon }) => (
          <Button
            key={name}
            icon={icon}
            kind="plain"
            label={label}
            pressed={studio.tool.value === name}
            onClick={() => assign(studio.tool, name)}
          />
        ))}
      </div>
      {Options && <Options />}
    </div>
  );
}
