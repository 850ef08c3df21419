import { Button, Segments, Switch } from '../controls/button.js';
import { NumberField } from '../controls/number-field.js';
import { type BrushSettings, FIRST_BRUSH, MOST_PAINT } from '../state/brush.js';
import { isOn } from '../state/edit-stack.js';
import { useStudio } from './studio-context.js';

/** Beside the view while painting. */
export function PaintOptions() {
  const studio = useStudio();
  const brush = studio.brush.value;
  const { paint, stack } = studio.document.value;
  const set = (change: Partial<BrushSettings>) => {
    studio.brush.value = { ...studio.brush.peek(), ...change };
  };
  const hasFlesh = isOn(stack, 'flesh');
  const isSoft = brush.channel !== 'fixed' || brush.mode === 'smooth';
  const field = (key: 'size' | 'strength' | 'value') => ({
    id: `brush-${key}`,
    value: brush[key],
    initial: FIRST_BRUSH[key],
    onChange: (value: number) => set({ [key]: value }),
    onDone: () => {},
  });
  return (
    <div class="tool-options">
      <h3>Paint</h3>
      <Segments
        label="What is painted"
        value={brush.channel}
        options={[
          { value: 'gamma', label: 'γ, give' },
          { value: 'softness', label: 'Softness' },
          { value: 'fixed', label: 'Fixed' },
        ]}
        onChange={(channel) => set({ channel })}
      />
      <Segments
        label="Brush"
        value={brush.mode}
        options={[
          { value: 'paint', label: 'Paint' },
          { value: 'smooth', label: 'Smooth' },
          { value: 'erase', label: 'Erase' },
        ]}
        onChange={(mode) => set({ mode })}
      />
      <NumberField {...field('size')} label="Size" range={[5, 150, 1]} unit="px" tip="Radius on the screen ([ and ])" />
      {isSoft && <NumberField {...field('strength')} label="Strength" range={[0.05, 1, 0.05]} unit="%" />}
      {brush.mode === 'paint' && isSoft && (
        <NumberField
          {...field('value')}
          label="Value"
          range={[0, MOST_PAINT, 0.05]}
          unit="×"
          tip="1 changes nothing; 0 holds the skin still; 2 lets it give twice as much"
        />
      )}
      <div class="switch-row">
        <span id="brush-mirror">Mirror left and right</span>
        <Switch label="Mirror left and right" on={brush.mirror} onChange={(mirror) => set({ mirror })} />
      </div>
      <p>
        {brush.channel === 'softness' && !hasFlesh
          ? 'Softness shows once the stack has a flesh layer.'
          : brush.channel === 'fixed'
            ? 'What is fixed stays as skinning makes it. Regions can be locked as a whole in their list.'
            : 'Drag on the skin. The right button turns the view.'}
      </p>
      <Button
        disabled={!paint[brush.channel]}
        onClick={() =>
          studio.commit('Clear the paint', (present) => {
            const { [brush.channel]: _, ...rest } = present.paint;
            return { ...present, paint: rest };
          })
        }
      >
        Clear
      </Button>
    </div>
  );
}
