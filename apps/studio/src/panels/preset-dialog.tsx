import { PRESET_NAMES, type PresetName, presetStack } from '@isoskin/core';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { drawThumbnail } from '../capture/draw-thumbnail.js';
import { assign } from '../controls/assign.js';
import { Dialog } from '../controls/dialog.js';
import { startEngine } from '../engine/start-engine.js';
import { findPreset } from '../state/edit-stack.js';
import { Card } from './card.js';
import { findWorst } from './change.js';
import { changeStack } from './change-stack.js';
import { formatChange } from './format-number.js';
import { useStudio, viewportHolder } from './studio-context.js';

const WORDS: Readonly<Record<PresetName, string>> = {
  natural: 'Organic, and the inner side of a bend bulges',
  organic: 'Flesh comes back at the joint that lost it',
  anatomic: 'Natural, and creases close, twists keep their section',
  rubber: 'A stretched hose: the whole limb gives way',
  muscle: 'What a joint loses swells in the bellies beside it',
  flesh: 'Organic, and flesh lags behind the bones',
  toy: 'A squeezed toy swells everywhere',
  global: 'Each part as one: the simplest that keeps volume',
};

interface Preview {
  readonly picture: string;
  /** Largest change of a region, before and after. */
  readonly before: number;
  readonly after: number;
}

/** The presets on this character, as it stands: planned one after the other by an engine of their own. */
export function PresetDialog() {
  const studio = useStudio();
  const previews = useSignal<Partial<Record<PresetName, Preview>>>({});
  const chosen = findPreset(studio.document.value.stack);
  const close = () => assign(studio.dialog, '');
  useEffect(() => {
    const engine = startEngine();
    const { source, clip, pose, paint } = studio.document.peek();
    const time = studio.playback.time.peek();
    const lookAt = async (name: PresetName) => {
      await engine.plan({ stack: presetStack(name), paint, kernels: studio.kernels.peek() });
      const view = { colouring: 'plain', joint: -1, exaggerate: 1, topology: 0 } as const;
      const frame = await engine.frame({ clip, time, dt: 0, pose, ...view });
      const viewport = viewportHolder.current;
      if (!viewport || studio.document.peek().source !== source) return;
      const picture = drawThumbnail(viewport, studio, { ...frame, clip, pose });
      const { regionsSkinned = [], regionsCorrected = [] } = frame.volume ?? {};
      const own = { picture, before: findWorst(regionsSkinned), after: findWorst(regionsCorrected) };
      previews.value = { ...previews.peek(), [name]: own };
    };
    const look = async () => {
      await engine.open(studio.findData(source)!);
      // One that cannot be planned here has no picture; who takes it is told why.
      for (const name of PRESET_NAMES) await lookAt(name).catch(() => {});
    };
    look().catch(() => {}); // closed before it was open
    return () => engine.dispose();
  }, [studio, previews]);
  return (
    <Dialog title="Presets on this character" onClose={close}>
      <div class="gallery">
        {PRESET_NAMES.map((name) => {
          const preview = previews.value[name];
          return (
            <Card
              key={name}
              name={name}
              words={WORDS[name]}
              picture={preview?.picture}
              isCurrent={chosen === name}
              onClick={() => {
                close();
                changeStack(studio, `Preset ${name}`, () => presetStack(name));
              }}
            >
              {preview && (
                <>
                  worst region here: <em class="before">{formatChange(preview.before, 1)}</em>, then{' '}
                  <em class="after">{formatChange(preview.after, 1)}</em>
                </>
              )}
            </Card>
          );
        })}
      </div>
    </Dialog>
  );
}
