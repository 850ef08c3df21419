import { effect, useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { assign } from '../controls/assign.js';
import { Button, Choice, SwitchField } from '../controls/button.js';
import { NumberField } from '../controls/number-field.js';
import { formatChange } from '../panels/format-number.js';
import { LinePlot } from '../panels/line-plot.js';
import { frameView, useStudio } from '../panels/studio-context.js';
import { Timeline } from '../panels/timeline.js';
import type { SceneSettings } from '../state/studio-document.js';
import { createScenePlayer, type ScenePlayer } from './create-scene-player.js';
import type { SceneFrame } from './scene-protocol.js';
import { createSceneViewer, type SceneViewer } from './scene-viewer.js';
import { SCENES } from './scene-words.js';

const SURFACES = [
  { value: 'closed', label: 'Smooth' },
  { value: 'seeds', label: 'Quick' },
];

const startWorker = () => new Worker(new URL('./scene.worker.ts', import.meta.url), { type: 'module' });

/** A simulation instead of a character: its settings, its film, its volume. */
export function SceneStage({ settings }: { settings: SceneSettings }) {
  const studio = useStudio();
  const player = useMemo(() => {
    studio.playback.seek(0);
    studio.playback.playing.value = true;
    return createScenePlayer(settings, studio.playback, startWorker);
  }, [settings, studio]);
  useEffect(() => {
    const stop = effect(() => {
      studio.sceneDuration.value = player.facts.value?.duration ?? 0;
    });
    return () => {
      stop();
      player.dispose();
    };
  }, [player, studio]);
  return (
    <>
      <SceneSettingsPanel settings={settings} player={player} />
      <SceneView player={player} />
      <SceneMeasures player={player} />
      <Timeline
        film={{ name: settings.name, ready: player.isDone.value ? undefined : (player.frames.value.at(-1)?.time ?? 0) }}
      />
    </>
  );
}

function SceneSettingsPanel({ settings, player }: { settings: SceneSettings; player: ScenePlayer }) {
  const studio = useStudio();
  const set = (label: string, change: Partial<SceneSettings>, merge?: string) =>
    studio.commit(label, ({ scene = settings }) => ({ scene: { ...scene, ...change } }), merge);
  const facts = player.facts.value;
  return (
    <aside class="panel stack-panel" aria-label="Scene">
      <div class="panel-head">
        <h2>Scene</h2>
      </div>
      <div class="panel-body scroll">
        <section class="layer">
          <div class="layer-body first">
            <p class="scene-words">{SCENES.find(({ name }) => name === settings.name)?.story}</p>
            <NumberField
              id="scene-gravity"
              label="Gravity"
              tip="100 % is that of the scene."
              value={settings.gravity}
              initial={1}
              range={[0, 3, 0.1]}
              unit="%"
              onChange={(gravity) => set('Gravity', { gravity }, 'gravity')}
              onDone={studio.history.seal}
            />
            <SwitchField
              label="Keep volume"
              tip="Keeps the volume of every territory; off shows what would be lost."
              on={settings.volumeControl}
              onChange={(volumeControl) => set(`Keep volume ${volumeControl ? 'on' : 'off'}`, { volumeControl })}
            />
            <Choice
              id="scene-surface"
              label="Surface"
              tip="The smooth surface is watertight; the quick one shows the territories."
              value={settings.surface}
              options={SURFACES}
              onChange={(surface) => set('Surface', { surface: surface as SceneSettings['surface'] })}
            />
          </div>
        </section>
        {facts?.objects.map(({ name, color, territories }) => (
          <div key={name} class="scene-object">
            <span class="swatch" style={{ background: `rgb(${color.map((c) => Math.round(255 * c)).join(' ')})` }} />
            <span class="name">{name}</span>
            <span class="value">{territories} territories</span>
          </div>
        ))}
        <Button
          icon="gallery"
          class="scene-leave"
          onClick={() => studio.commit('Leave the scene', () => ({ scene: undefined }))}
        >
          Back to {studio.document.value.source.name}
        </Button>
      </div>
    </aside>
  );
}

function SceneView({ player }: { player: ScenePlayer }) {
  const studio = useStudio();
  const canvas = useRef<HTMLCanvasElement>(null);
  const viewer = useRef<SceneViewer | null>(null);
  const isWired = useSignal(false);
  useEffect(() => {
    const created = createSceneViewer(canvas.current!, player.step);
    viewer.current = created;
    frameView.current = created.frame;
    const stops = [
      effect(() => {
        if (player.facts.value) created.open(player.facts.value);
      }),
      effect(() => {
        if (player.present.value) created.show(player.present.value);
      }),
      effect(() => created.setTheme(studio.theme.value)),
      effect(() => created.setWireframe(isWired.value)),
    ];
    return () => {
      for (const stop of stops) stop();
      created.dispose();
      frameView.current = undefined;
    };
  }, [player, studio, isWired]);
  const frame = player.present.value;
  const facts = player.facts.value;
  const count = player.frames.value.length;
  return (
    <main class="view" aria-label="View" data-ready={frame !== undefined}>
      <canvas ref={canvas} tabIndex={0} aria-label="Simulation in 3-D: drag to orbit" />
      <div class="view-bar" role="toolbar" aria-label="View">
        <Button
          icon="wireframe"
          kind="plain"
          label="Wireframe"
          pressed={isWired.value}
          onClick={() => assign(isWired, !isWired.value)}
        />
        <Button icon="frame" kind="plain" label="Frame the scene" onClick={() => viewer.current?.frame()} />
      </div>
      {frame && (
        <div class="side-label after scene-label">
          <span>Volume</span>
          <b>{formatChange(frame.volume - 1)}</b>
          <span>
            {frame.contacts} contacts · {frame.pieces} {frame.pieces === 1 ? 'piece' : 'pieces'}
          </span>
        </div>
      )}
      <div class="view-foot">
        <span class="spacer" />
        {player.error.value ? (
          <div class="busy" role="alert">
            {player.error.value}
          </div>
        ) : player.isDone.value ? (
          <div class="badge">
            <span class="dot" />
            <b>{(frame?.milliseconds ?? 0).toFixed(1)} ms</b> a step
          </div>
        ) : (
          <div class="busy" role="status">
            <span class="spinner" />
            {facts ? `Simulating ${Math.round((100 * count) / facts.total)} %` : 'Preparing the scene …'}
          </div>
        )}
      </div>
    </main>
  );
}

/** The plots: name, in full words, what is shown of a frame, and how. */
const PLOTS = [
  {
    name: 'All together',
    words: 'All soft objects: volume',
    kind: 'after',
    read: ({ volume }: SceneFrame) => volume - 1,
  },
  {
    name: 'Worst territory',
    words: 'Worst territory: volume',
    kind: 'before',
    read: ({ worst }: SceneFrame) => worst - 1,
  },
  { name: 'Contacts', words: 'Contacts', kind: 'after', read: ({ contacts }: SceneFrame) => contacts, isCount: true },
] as const;

function SceneMeasures({ player }: { player: ScenePlayer }) {
  const frames = player.frames.value;
  const duration = player.facts.value?.duration ?? 0;
  const times = frames.map(({ time }) => time);
  return (
    <aside class="panel inspector" aria-label="Measurements">
      <div class="panel-head">
        <h2>Volume</h2>
      </div>
      {PLOTS.map(({ name, words, kind, read, ...more }) => (
        <section key={name} class="plot-block" aria-label={`${words} over time`}>
          <div class="plot-head">
            <strong>{name}</strong>
          </div>
          <LinePlot
            isPercent={!('isCount' in more)}
            isLow={'isCount' in more}
            times={times}
            duration={duration}
            lines={[{ kind, values: frames.map(read) }]}
          />
        </section>
      ))}
    </aside>
  );
}
