import '../design/export.css';
import { useState } from 'preact/hooks';
import { assign } from '../controls/assign.js';
import { Button, Segments, Select, Switch } from '../controls/button.js';
import { Dialog } from '../controls/dialog.js';
import { saveFile } from '../controls/files.js';
import type { ExportResult, ExportSettings } from '../export/export-character.js';
import { formatSize } from './format-number.js';
import { Running } from './running.js';
import { useStudio } from './studio-context.js';
import { useJob } from './use-job.js';

const FIRST: ExportSettings = { fps: 30, tolerance: 0.001, maxTargets: 48, as: 'morph', compress: false };
const TOLERANCES = [
  { value: '0.0003', label: 'Fine (0.03 % of the size)' },
  { value: '0.001', label: 'Normal (0.1 % of the size)' },
  { value: '0.003', label: 'Small file (0.3 % of the size)' },
];

/** Bake and save: settings, then progress that can be cancelled, then the files. */
export function ExportDialog() {
  const studio = useStudio();
  const [settings, setSettings] = useState(FIRST);
  const [result, setResult] = useState<ExportResult | undefined>(undefined);
  const job = useJob('export');

  const start = async () => {
    const { source, stack, paint, pose } = studio.document.peek();
    const data = studio.findData(source);
    if (!data) return job.fail('The file of this character is no longer there: open it again.');
    setResult(await job.run({ source: data, stack, paint, pose, settings }));
  };
  const again = () => {
    setResult(undefined);
    job.cancel();
  };

  return (
    <Dialog title="Export" narrow onClose={() => assign(studio.dialog, '')}>
      {result ? (
        <Files result={result} onAgain={again} />
      ) : job.progress ? (
        <Running label="Export" progress={job.progress} onCancel={job.cancel} />
      ) : (
        <Settings settings={settings} error={job.error} onChange={setSettings} onStart={start} />
      )}
    </Dialog>
  );
}

interface SettingsProps {
  readonly settings: ExportSettings;
  readonly error: string | undefined;
  readonly onChange: (settings: ExportSettings) => void;
  readonly onStart: () => void;
}

function Settings({ settings, error, onChange, onStart }: SettingsProps) {
  return (
    <div class="export">
      <p>
        A standard .glb whose volume holds in every viewer, with a report of every clip. The same as “isoskin bake”.
      </p>
      <dl>
        <dt>Keep the skeleton</dt>
        <dd>
          <Segments
            label="How the correction is stored"
            value={settings.as}
            options={[
              { value: 'morph', label: 'Skin + morphs' },
              { value: 'cache', label: 'Vertex cache' },
            ]}
            onChange={(as) => onChange({ ...settings, as })}
          />
        </dd>
        <dt>
          <label for="export-tolerance">Accuracy</label>
        </dt>
        <dd>
          <Select
            id="export-tolerance"
            label="Accuracy"
            value={String(settings.tolerance)}
            options={TOLERANCES}
            onChange={(value) => onChange({ ...settings, tolerance: Number(value) })}
          />
        </dd>
        <dt>
          <label for="export-fps">Frames per second</label>
        </dt>
        <dd>
          <Select
            id="export-fps"
            label="Frames per second"
            value={String(settings.fps)}
            options={['24', '30', '60'].map((value) => ({ value, label: value }))}
            onChange={(value) => onChange({ ...settings, fps: Number(value) })}
          />
        </dd>
        <dt>Compress (meshopt)</dt>
        <dd>
          <Switch
            label="Compress"
            on={settings.compress}
            onChange={(compress) => onChange({ ...settings, compress })}
          />
        </dd>
      </dl>
      {error && (
        <p class="export-error" role="alert">
          {error}
        </p>
      )}
      <div class="export-foot">
        <Button kind="main" icon="save" onClick={onStart}>
          Bake
        </Button>
      </div>
    </div>
  );
}

function Files({ result, onAgain }: { readonly result: ExportResult; readonly onAgain: () => void }) {
  const { name, ending, glb, input, report, stack, volume, warnings } = result;
  const files = [
    { file: `${name}-kept.${ending}`, words: 'Baked character', content: glb, type: 'model/gltf-binary' },
    { file: `${name}-report.html`, words: 'Report with plots and pictures', content: report, type: 'text/html' },
    {
      file: `${name}-stack.json`,
      words: 'The stack, for the command and other characters',
      content: stack,
      type: 'application/json',
    },
    {
      file: `${name}.${ending}`,
      words: 'Character with paint and poses, not baked',
      content: input,
      type: 'model/gltf-binary',
    },
  ];
  const percent = (share: number) => `${(100 * share).toFixed(share < 0.01 ? 2 : 1)} %`;
  return (
    <div class="export">
      <p>
        Largest change of the volume: <b class="number before">{percent(volume.before)}</b> with plain skinning,{' '}
        <b class="number after">{percent(volume.after)}</b> in this file.
      </p>
      <ul class="export-files">
        {files.map(({ file, words, content, type }) => (
          <li key={file}>
            <span>
              <b>{file}</b>
              <span>
                {words} · {formatSize(typeof content === 'string' ? content.length : content.byteLength)}
              </span>
            </span>
            <Button icon="save" label={`Save ${file}`} onClick={() => saveFile(file, content, type)}>
              Save
            </Button>
          </li>
        ))}
      </ul>
      {warnings.map((warning) => (
        <p key={warning} class="export-note">
          {warning}
        </p>
      ))}
      <div class="export-foot">
        <Button onClick={onAgain}>Change the settings</Button>
      </div>
    </div>
  );
}
