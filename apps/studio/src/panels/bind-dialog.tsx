import '../design/export.css';
import { WEIGHT_DEFAULTS, type WeightMethod } from '@isoskin/core/weights';
import { demoNames } from '@isoskin/demos';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button, Segments, Select } from '../controls/button.js';
import { Dialog } from '../controls/dialog.js';
import { pickFiles } from '../controls/files.js';
import type { BoundMesh, WeightSettings } from '../export/bind-mesh.js';
import type { JobProgress } from '../export/job.worker.js';
import { type RunningJob, startJob } from '../export/start-job.js';
import { messageOf } from '../state/notices.js';
import { openBound } from '../state/rigs.js';
import { Running } from './running.js';
import { useStudio } from './studio-context.js';

type Phase =
  | { readonly kind: 'settings'; readonly error?: string }
  | { readonly kind: 'running'; readonly progress: JobProgress };

const METHODS: Readonly<Record<WeightMethod, string>> = {
  heat: 'Heat through the body',
  visible: 'Bones that it sees',
  bone: 'Nearest bone',
};

/** A mesh without a skin was opened: a skeleton for it, found in the mesh or taken from elsewhere, and weights. */
export function BindDialog() {
  const studio = useStudio();
  const data = studio.bare.value;
  const [skeleton, setSkeleton] = useState<'find' | 'file' | 'demo'>('find');
  const [demo, setDemo] = useState(demoNames[0]!);
  const [settings, setSettings] = useState<WeightSettings>({ ...WEIGHT_DEFAULTS });
  const [phase, setPhase] = useState<Phase>({ kind: 'settings' });
  const running = useRef<RunningJob<BoundMesh> | undefined>(undefined);
  useEffect(() => () => running.current?.cancel(), []);
  const close = () => {
    studio.dialog.value = '';
  };
  const start = async () => {
    const [file] = skeleton === 'file' ? await pickFiles('.glb,.vrm', false) : [];
    if (skeleton === 'file' && !file) return;
    const wanted = file ? new Uint8Array(await file.arrayBuffer()) : skeleton === 'demo' ? demo : undefined;
    const request = { source: data!, settings, ...(wanted !== undefined && { skeleton: wanted }) };
    setPhase({ kind: 'running', progress: { words: 'Starting', share: 0 } });
    running.current = startJob('bind', request, (progress) =>
      setPhase((now) => (now.kind === 'running' ? { kind: 'running', progress } : now)),
    );
    try {
      const bound = await running.current.done;
      const { name, joints } = bound;
      const rig = skeleton === 'find' ? { bare: data!, settings, joints: {} } : undefined;
      if (!(await openBound(studio, bound, rig))) return close();
      studio.commit('Show the skeleton', (present) => ({ ...present, view: { ...present.view, bones: true } }));
      studio.tool.value = 'pose';
      const move = rig ? 'Move joints that stand wrongly. ' : '';
      const text = `Turn joints to try it. ${move}Paint weights where it bends wrongly; Export has the file.`;
      studio.notices.show('info', `${name} has ${joints.length} joints`, text);
      close();
    } catch (error) {
      setPhase({ kind: 'settings', error: messageOf(error) });
    }
  };
  const cancel = () => {
    running.current?.cancel();
    setPhase({ kind: 'settings' });
  };
  if (!data) return null;
  return (
    <Dialog title={`“${data.name}” has no skeleton`} narrow onClose={close}>
      {phase.kind === 'running' ? (
        <Running label="Skeleton and weights" progress={phase.progress} onCancel={cancel} />
      ) : (
        <div class="export">
          <p>
            Nothing moves it yet. A skeleton can be found in the mesh, or taken from a file or a demo that stands in the
            same place; weights follow by themselves. The same as “isoskin rig” and “isoskin weights”.
          </p>
          <dl>
            <dt>Skeleton</dt>
            <dd>
              <Segments
                label="Skeleton"
                value={skeleton}
                options={[
                  { value: 'find', label: 'Find it' },
                  { value: 'file', label: 'Of a file' },
                  { value: 'demo', label: 'Of a demo' },
                ]}
                onChange={setSkeleton}
              />
            </dd>
            {skeleton === 'demo' && (
              <>
                <dt>
                  <label for="bind-demo">Demo</label>
                </dt>
                <dd>
                  <Select
                    id="bind-demo"
                    label="Demo"
                    value={demo}
                    options={demoNames.map((name) => ({ value: name, label: name }))}
                    onChange={setDemo}
                  />
                </dd>
              </>
            )}
            <dt>
              <label for="bind-method">Weights</label>
            </dt>
            <dd>
              <Select
                id="bind-method"
                label="Weights"
                value={settings.method}
                options={Object.entries(METHODS).map(([value, label]) => ({ value, label }))}
                onChange={(method) => setSettings({ ...settings, method: method as WeightMethod })}
              />
            </dd>
          </dl>
          {phase.error && (
            <p class="export-error" role="alert">
              {phase.error}
            </p>
          )}
          <div class="export-foot">
            <Button kind="main" icon="pose" onClick={start}>
              {skeleton === 'file' ? 'Choose a file and bind' : 'Bind'}
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  );
}
