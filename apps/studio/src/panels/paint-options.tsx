import { WEIGHT_DEFAULTS } from '@isoskin/core/weights';
import { useState } from 'preact/hooks';
import { Button, Choice, Segments, SwitchField } from '../controls/button.js';
import { NumberField } from '../controls/number-field.js';
import { startJob } from '../export/start-job.js';
import { type BrushSettings, FIRST_BRUSH, MOST_PAINT } from '../state/brush.js';
import { isOn } from '../state/edit-stack.js';
import { selectJoint } from '../viewport/pick.js';
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
  const isWeights = brush.channel === 'weights';
  const field = (key: 'size' | 'strength' | 'value' | 'weight') => ({
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
          { value: 'weights', label: 'Weights' },
        ]}
        onChange={(channel) => set({ channel })}
      />
      {isWeights && <JointChoice />}
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
      {brush.mode === 'paint' && isWeights && (
        <NumberField
          {...field('weight')}
          label="Weight"
          range={[0, 1, 0.05]}
          unit="%"
          tip="How much of the skin’s motion this joint has; the other joints share the rest"
        />
      )}
      {brush.mode === 'paint' && isSoft && !isWeights && (
        <NumberField
          {...field('value')}
          label="Value"
          range={[0, MOST_PAINT, 0.05]}
          unit="×"
          tip="1 changes nothing; 0 holds the skin still; 2 lets it give twice as much"
        />
      )}
      <SwitchField label="Mirror left and right" on={brush.mirror} onChange={(mirror) => set({ mirror })} />
      <p>{describe(brush, hasFlesh)}</p>
      {isWeights && <AutomaticWeights />}
      <Button
        disabled={!paint[brush.channel]}
        onClick={() => studio.commit('Clear the paint', ({ paint: { [brush.channel]: _, ...paint } }) => ({ paint }))}
      >
        Clear
      </Button>
    </div>
  );
}

function describe({ channel, mode }: BrushSettings, hasFlesh: boolean): string {
  if (channel === 'softness' && !hasFlesh) return 'Softness shows once the stack has a flesh layer.';
  if (channel === 'fixed') {
    return 'What is fixed stays as skinning makes it. Regions can be locked as a whole in their list.';
  }
  if (channel !== 'weights') return 'Drag on the skin. The right button turns the view.';
  if (mode === 'smooth') return 'Every joint’s weights come nearer to those around them.';
  return mode === 'erase' ? 'The weights of the file come back.' : 'Drag on the skin. Export has the painted weights.';
}

/** Whose weights are painted: also by a click in the list of joints. */
function JointChoice() {
  const studio = useStudio();
  const joints = studio.character.value?.joints ?? [];
  const { joint } = studio.document.value.selection;
  return (
    <Choice
      id="brush-joint"
      class="two"
      label="Joint"
      value={String(joint)}
      options={[
        ...(joint < 0 ? [{ value: '-1', label: 'Choose one' }] : []),
        ...joints.map(({ node, name }) => ({ value: String(node), label: name })),
      ]}
      onChange={(value) => selectJoint(studio, Number(value))}
    />
  );
}

/** “isoskin weights”: all of them, from the skeleton. */
function AutomaticWeights() {
  const studio = useStudio();
  const [words, setWords] = useState('');
  const start = async () => {
    const { source } = studio.document.peek();
    const data = studio.findData(source);
    if (!data) return;
    setWords('Starting');
    try {
      const job = startJob('weigh', { source: data, settings: WEIGHT_DEFAULTS }, (progress) =>
        setWords(progress.words),
      );
      const weights = await job.done;
      if (studio.document.peek().source !== source) return; // another character was opened meanwhile
      studio.commit('Automatic weights', ({ paint }) => ({ paint: { ...paint, weights } }));
    } catch (error) {
      studio.notices.show('error', 'No weights were found', error);
    } finally {
      setWords('');
    }
  };
  return (
    <Button
      disabled={words !== ''}
      tip="Weights from the skeleton alone, for all joints: “isoskin weights”"
      onClick={start}
    >
      {words === '' ? 'Automatic weights' : `${words} …`}
    </Button>
  );
}
