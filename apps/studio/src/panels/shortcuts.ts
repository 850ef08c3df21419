/** Keys of the whole page. Fields and dialogs keep their own. */

import { assign } from '../controls/assign.js';
import { changeView } from '../state/change-view.js';
import { keyPose } from '../state/pose-edits.js';
import type { Studio } from '../state/studio.js';
import { VIEW_LAYOUTS, type View } from '../state/studio-document.js';
import { frameView } from './studio-context.js';

export function startShortcuts(studio: Studio): void {
  const { history, playback } = studio;
  const setView = (label: string, change: (view: View) => Partial<View>) =>
    changeView(studio, label, change(studio.document.peek().view));
  const stepFrames = (frames: number) => {
    playback.playing.value = false;
    const time = playback.time.peek() + frames / 30;
    playback.seek(Math.min(studio.duration.peek(), Math.max(0, time)));
  };

  const resizeBrush = (factor: number) => {
    const brush = studio.brush.peek();
    studio.brush.value = { ...brush, size: Math.min(150, Math.max(5, Math.round(brush.size * factor))) };
  };

  const KEYS: Readonly<Record<string, (event: KeyboardEvent) => void>> = {
    ' ': () => {
      if (!playback.playing.peek() && playback.time.peek() >= studio.duration.peek()) playback.seek(0);
      playback.playing.value = !playback.playing.peek();
    },
    ArrowLeft: (event) => stepFrames(event.shiftKey ? -10 : -1),
    ArrowRight: (event) => stepFrames(event.shiftKey ? 10 : 1),
    Home: () => playback.seek(0),
    l: () => assign(playback.loop, !playback.loop.peek()),
    f: (event) => frameView.current?.(event.shiftKey),
    m: (event) => studio.tour.next(event.shiftKey ? -1 : 1),
    x: () => assign(studio.blink, true),
    w: () => setView('Wireframe', ({ wireframe }) => ({ wireframe: !wireframe })),
    c: () => setView('Clay', ({ look }) => ({ look: look === 'clay' ? 'author' : 'clay' })),
    b: () => setView('Bones', ({ bones }) => ({ bones: !bones })),
    v: () => assign(studio.tool, 'select'),
    r: () => assign(studio.tool, 'pose'),
    p: () => assign(studio.tool, 'paint'),
    n: () => assign(studio.tool, 'wrinkle'),
    '[': () => resizeBrush(1 / 1.25),
    ']': () => resizeBrush(1.25),
    k: () =>
      studio.commit('Key the pose', (present) =>
        Object.keys(present.pose.loose).length === 0
          ? present
          : { pose: keyPose(present.pose, present.clip, playback.time.peek()) },
      ),
    '?': () => assign(studio.dialog, 'help'),
    Escape: () => assign(studio.tool, 'select'),
    ...Object.fromEntries(VIEW_LAYOUTS.map((layout, n) => [`${n + 1}`, () => setView('View', () => ({ layout }))])),
  };

  const endBlink = () => assign(studio.blink, false);
  window.addEventListener('blur', endBlink);
  window.addEventListener('keyup', (event) => {
    if (event.key.toLowerCase() === 'x') endBlink();
  });
  window.addEventListener('keydown', (event) => {
    const isTyping = (event.target as HTMLElement).matches?.('input:not([type=range]), textarea, select');
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (event.ctrlKey || event.metaKey) {
      if (isTyping) return;
      if (key === 'z') (event.shiftKey ? history.redo : history.undo)();
      else if (key === 'y') history.redo();
      else if (key === 'e') studio.dialog.value = 'export';
      else return;
      return event.preventDefault();
    }
    // A dialog hears its keys itself, unless what had the focus in it is gone.
    if (key === 'Escape' && studio.dialog.peek() !== '') studio.dialog.value = '';
    if (isTyping || event.altKey || studio.dialog.peek() !== '') return;
    const isButton = (event.target as HTMLElement).matches?.('button, [role=slider], input');
    if (isButton && (key === ' ' || key.startsWith('Arrow') || key === 'Home')) return; // theirs
    const run = KEYS[key];
    if (!run) return;
    event.preventDefault();
    run(event);
  });
}
