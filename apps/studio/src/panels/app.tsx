import { Inspector } from './inspector.js';
import { lazy } from './lazy.js';
import { NoticeList } from './notice-list.js';
import { StackPanel } from './stack-panel.js';
import { useStudio } from './studio-context.js';
import { Timeline } from './timeline.js';
import { TopBar } from './top-bar.js';
import { ViewPanel } from './view-panel.js';

const BindDialog = lazy(() => import('./bind-dialog.js').then((module) => module.BindDialog));
const ExportDialog = lazy(() => import('./export-dialog.js').then((module) => module.ExportDialog));
const Gallery = lazy(() => import('./gallery.js').then((module) => module.Gallery));
const PresetDialog = lazy(() => import('./preset-dialog.js').then((module) => module.PresetDialog));
const SceneStage = lazy(() => import('../scene/scene-stage.js').then((module) => module.SceneStage));
const Help = lazy(() => import('./help.js').then((module) => module.Help));

export function App() {
  const { dialog, document } = useStudio();
  const { scene } = document.value;
  return (
    <>
      <div class="studio">
        <TopBar />
        {scene ? (
          <SceneStage settings={scene} />
        ) : (
          <>
            <StackPanel />
            <ViewPanel />
            <Inspector />
            <Timeline />
          </>
        )}
      </div>
      {dialog.value === 'bind' && <BindDialog />}
      {dialog.value === 'gallery' && <Gallery />}
      {dialog.value === 'help' && <Help />}
      {dialog.value === 'presets' && <PresetDialog />}
      {dialog.value === 'export' && <ExportDialog />}
      <NoticeList />
    </>
  );
}
