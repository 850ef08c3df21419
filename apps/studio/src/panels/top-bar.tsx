import { assign } from '../controls/assign.js';
import { Button } from '../controls/button.js';
import { Icon } from '../controls/icon.js';
import { useStudio } from './studio-context.js';

/** Top: what is open, the way back and forth, export and help. */
export function TopBar() {
  const studio = useStudio();
  const { history, character, theme } = studio;
  const undo = history.undoLabel.value;
  const redo = history.redoLabel.value;
  const { scene, source } = studio.document.value;
  const facts = scene ? null : character.value;
  return (
    <header class="top-bar">
      <h1 class="brand">
        <svg viewBox="0 0 32 32" aria-hidden="true">
          <path d="M16 4v24a12 12 0 0 1 0-24z" fill="var(--before)" />
          <path d="M16 4a12 12 0 0 1 0 24z" fill="var(--accent)" />
        </svg>
        isoskin <small>studio</small>
      </h1>
      <Button tip="Open another character: a demo or your own file" onClick={() => assign(studio.dialog, 'gallery')}>
        <Icon name="gallery" />
        <span class={`document-name ${scene ? 'demo' : source.kind}`}>{scene?.name ?? source.name}</span>
        <Icon name="chevron" />
      </Button>
      <span class="number facts">
        {facts ? `${facts.vertexCount.toLocaleString('en')} vertices · ${facts.joints.length} joints` : ''}
      </span>
      <span class="spacer" />
      <Button
        icon="undo"
        kind="plain"
        label="Undo"
        tip={undo ? `Undo: ${undo} (Ctrl Z)` : 'Nothing to undo'}
        disabled={undo === ''}
        onClick={history.undo}
      />
      <Button
        icon="redo"
        kind="plain"
        label="Redo"
        tip={redo ? `Redo: ${redo} (Ctrl Shift Z)` : 'Nothing to redo'}
        disabled={redo === ''}
        onClick={history.redo}
      />
      <span class="divider" />
      <Button
        icon={theme.value === 'dark' ? 'sun' : 'moon'}
        kind="plain"
        label={theme.value === 'dark' ? 'Light theme' : 'Dark theme'}
        onClick={() => assign(theme, theme.value === 'dark' ? 'light' : 'dark')}
      />
      <Button icon="help" kind="plain" label="Help (?)" onClick={() => assign(studio.dialog, 'help')} />
      <Button
        icon="save"
        kind="main"
        disabled={scene !== undefined}
        tip="Bake and save (Ctrl E)"
        onClick={() => assign(studio.dialog, 'export')}
      >
        Export
      </Button>
    </header>
  );
}
