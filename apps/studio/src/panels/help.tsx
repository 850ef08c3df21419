import { assign } from '../controls/assign.js';
import { Dialog } from '../controls/dialog.js';
import { useStudio } from './studio-context.js';

const GROUPS: readonly {
  readonly title: string;
  readonly rows: readonly (readonly [keys: string, words: string])[];
}[] = [
  {
    title: 'View',
    rows: [
      ['Drag', 'Orbit; right drag pans, wheel zooms'],
      ['F', 'Frame the selection, or all; Shift: all'],
      ['X', 'Hold: what is corrected as it was before'],
      ['M', 'Next worst moment; Shift: the one before'],
      ['C', 'Clay, or the materials of the file'],
      ['1 2 3 4', 'Split, side by side, overlay, corrected'],
      ['W', 'Wireframe'],
      ['B', 'Bones'],
      ['Click', 'Select a region or a joint; Shift adds'],
    ],
  },
  {
    title: 'Time',
    rows: [
      ['Space', 'Play or pause'],
      ['← →', 'One frame; Shift: ten'],
      ['Home', 'To the start'],
      ['L', 'Loop'],
    ],
  },
  {
    title: 'Edit',
    rows: [
      ['Ctrl Z', 'Undo'],
      ['Ctrl Shift Z', 'Redo'],
      ['Double click', 'A slider back to its default'],
      ['Ctrl E', 'Export'],
    ],
  },
  {
    title: 'Tools',
    rows: [
      ['V', 'Select'],
      ['R', 'Pose joints'],
      ['P', 'Paint; [ and ] size the brush'],
      ['N', 'Draw wrinkles'],
      ['K', 'Key the pose at this time'],
      ['Esc', 'Put the tool away, close dialogs'],
      ['?', 'This help'],
    ],
  },
];

export function Help() {
  const studio = useStudio();
  return (
    <Dialog title="Keys and mouse" onClose={() => assign(studio.dialog, '')}>
      <div class="help-columns">
        {GROUPS.map(({ title, rows }) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {rows.map(([keys, words]) => [
                <dt key={`${keys} keys`}>
                  {keys.split(' ').length > 2 && !keys.startsWith('Ctrl') ? (
                    keys.split(' ').map((key) => <kbd key={key}>{key}</kbd>)
                  ) : (
                    <kbd>{keys}</kbd>
                  )}
                </dt>,
                <dd key={`${keys} words`}>{words}</dd>,
              ])}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
