import '../design/export.css';
import { WEIGHT_DEFAULTS, type WeightMethod } from '@isoskin/core/weights';
import { demoNames } from '@isoskin/demos';
import { useState } from 'preact/hooks';
import { assign } from '../controls/assign.js';
import { Button, Segments, Select } from '../controls/button.js';
import { Dialog } from '../controls/dialog.js';
import { pickFiles } from '../controls/files.js';
import type { WeightSettings } from '../export/bind-mesh.js';
import { changeView } from '../state/change-view.js';
import { openBound } from '../state/rigs.js';
import { Running } from './running.js';
import { useStudio } from './studio-context.js';
import { useJob } from './use-job.js';

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
  const job = useJob('bind');
  const close = () => assign(studio.dialog, '');
  const start = async () => {
    const [file] = skeleton === 'file' ? await pickFiles('.glb,.vrm', false) : [];
    if (skeleton === 'file' && !file) return;
    const wanted = file ? new Uint8Array(await file.arrayBuffer()) : skeleton === 'demo' ? demo : undefined;
    const bound = await job.run({ source: data!, settings, ...(wanted !== undefined && { skeleton: wanted }) });
    if (!bound) return;
    const { name, joints } = bound;
    const rig = skeleton === 'find' ? { bare: data!, settings, joints: {} } : undefined;
    if (!(await openBound(studio, bound, rig))) return close();
    changeView(studio, 'Show the skeleton', { bones: true });
    studio.tool.value = 'pose';
    const move = rig ? 'Move joints that stand wrongly. ' : '';
    const text = `Turn joints to try it. ${move}Paint weights where it bends wrongly; Export has the file.`;
    studio.notices.show('info', `${name} has ${joints.length} joints`, text);
    close();
  };
  if (!data) return null;
  return (
    <Dialog title={`“${data.name}” has no skeleton`} narrow onClose={close}>
      {job.progress ? (
        <Running label="Skeleton and weights" progress={job.progress} onCancel={job.cancel} />
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
          {job.error && (
            <p class="export-error" role="alert">
              {job.error}
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
