import './design/tokens.css';
import './design/base.css';
import './design/layout.css';
import './design/controls.css';
import './design/inspector.css';
import './design/scene.css';
import './design/stack.css';
import './design/timeline.css';
import './design/top-bar.css';
import './design/next-worst.css';
import './design/view.css';
import './design/overlays.css';
import './design/paint.css';
import { effect } from '@preact/signals';
import { render } from 'preact';
import { startTooltips } from './controls/tooltips.js';
import { createEnginePair } from './engine/engine-pair.js';
import { startEngine } from './engine/start-engine.js';
import { App } from './panels/app.js';
import { startShortcuts } from './panels/shortcuts.js';
import { AnalysisContext, StudioContext } from './panels/studio-context.js';
import { fetchGivenFile, findGivenFile, isSameFile } from './session/find-given-file.js';
import { keepSession, loadSession } from './session/session.js';
import { createAnalysis } from './state/create-analysis.js';
import { createFileSource } from './state/create-file-source.js';
import { Studio } from './state/studio.js';
import { createDocument, FIRST_DEMO } from './state/studio-document.js';

const demos = new Map([[FIRST_DEMO, fetch(`./demos/${FIRST_DEMO}.bin`)]]);
const engine = createEnginePair(startEngine); // it starts while the session is looked up
const given = findGivenFile(window.location);
const [kept, file] = await Promise.all([loadSession(), given && fetchGivenFile(given)]);
const isNew = typeof file === 'object' && !isSameFile(kept?.data, file);
const session = isNew ? undefined : kept;
const data = isNew ? file : session?.data;
const studio = new Studio(engine, {
  ...(isNew && { first: createDocument(createFileSource(file.name)), isFresh: true }),
  ...(session && { first: session.document }),
  ...(data && { data }),
  async fetchDemo(name) {
    const response = await demos.get(name)?.catch(() => undefined);
    return response?.ok ? new Uint8Array(await response.clone().arrayBuffer()) : undefined;
  },
});

if (session) {
  const { theme, playback } = session;
  studio.theme.value = theme;
  studio.playback.time.value = playback.time;
  studio.playback.speed.value = playback.speed;
  studio.playback.loop.value = playback.loop;
}
const analysis = createAnalysis(studio, startEngine);

effect(() => {
  document.documentElement.dataset.theme = studio.theme.value;
});
effect(() => {
  document.title = `${studio.document.value.scene?.name ?? studio.document.value.source.name} – isoskin studio`;
});

render(
  <StudioContext.Provider value={studio}>
    <AnalysisContext.Provider value={analysis}>
      <App />
    </AnalysisContext.Provider>
  </StudioContext.Provider>,
  document.getElementById('studio')!,
);
startShortcuts(studio);
startTooltips(document.body);
keepSession(studio);
if (given && typeof file === 'string') studio.notices.show('error', `“${given.name}” could not be fetched`, file);
