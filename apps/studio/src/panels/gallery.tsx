import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { assign } from '../controls/assign.js';
import { Button } from '../controls/button.js';
import { Dialog } from '../controls/dialog.js';
import type { DemoLoss } from '../engine/measure-demos.js';
import { SCENES } from '../scene/scene-words.js';
import { Card } from './card.js';
import { formatChange } from './format-number.js';
import { askForFiles } from './open-files.js';
import { openShow } from './open-show.js';
import { SHOWS } from './shows.js';
import { useStudio } from './studio-context.js';

/** What skinning alone does to each demo; see measure-demos.ts. */
const losses = fetch('./demos/losses.json')
  .then((response) => response.json() as Promise<Record<string, DemoLoss>>)
  .catch(() => ({}) as Record<string, DemoLoss>);

const DEMOS = [
  { name: 'elephant', words: 'Trunk, belly and legs' },
  { name: 'giraffe', words: 'A long neck that bends' },
  { name: 'hand', words: 'Fingers that make a fist' },
  { name: 'hero', words: 'Squat, punch and twist' },
  { name: 'cat', words: 'Walks and stretches' },
  { name: 'toy', words: 'Bends and wobbles' },
  { name: 'finger', words: 'One finger that curls' },
  { name: 'tube', words: 'The smallest test there is' },
] as const;

/** All demos, and the way to one's own files. */
export function Gallery() {
  const studio = useStudio();
  const { source, scene } = studio.document.value;
  const measured = useSignal<Record<string, DemoLoss>>({});
  useEffect(() => {
    void losses.then((found) => {
      measured.value = found;
    });
  }, [measured]);
  const close = () => assign(studio.dialog, '');
  return (
    <Dialog title="Open a character or a simulation" onClose={close}>
      <div class="gallery">
        {DEMOS.map(({ name, words }) => (
          <Card
            key={name}
            name={name}
            words={words}
            picture={`./gallery/${name}.png`}
            isCurrent={!scene && source.id === `demo:${name}`}
            onClick={() => {
              close();
              void studio.openDemo(name);
            }}
          >
            {describeLoss(measured.value[name])}
          </Card>
        ))}
      </div>
      <div class="button-row shows">
        {SHOWS.map((show) => (
          <Button
            key={show.name}
            icon="wrinkle"
            onClick={() => {
              close();
              void openShow(studio, show);
            }}
          >
            {show.label}
          </Button>
        ))}
      </div>
      <h3 class="gallery-title">Simulations</h3>
      <div class="gallery five">
        {SCENES.map(({ name, words }) => (
          <Card
            key={name}
            name={name}
            words={words}
            picture={`./gallery/scene-${name}.png`}
            isCurrent={scene?.name === name}
            onClick={() => {
              close();
              const scene = { name, gravity: 1, volumeControl: true, surface: 'closed' } as const;
              studio.commit(`Open ${name}`, () => ({ scene }));
            }}
          />
        ))}
      </div>
      <div class="open-own">
        <p>
          Your own: drop a .glb, a .vrm, or a .gltf with its files, anywhere on the page. It stays on this computer.
        </p>
        <Button
          icon="file"
          onClick={async () => {
            if (await askForFiles(studio)) close();
          }}
        >
          Choose files
        </Button>
      </div>
    </Dialog>
  );
}

function describeLoss(loss: DemoLoss | undefined) {
  return (
    loss && (
      <>
        {loss.region} in “{loss.clip}”: <em class="before">{formatChange(loss.before, 0)}</em>, kept to{' '}
        <em class="after">{formatChange(loss.after, 1)}</em>
      </>
    )
  );
}
