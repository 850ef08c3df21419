import { followPointer } from '../controls/follow-pointer.js';
import { changeView } from '../state/change-view.js';
import { useStudio } from './studio-context.js';

/** The line between before and after: drag it, or move it with the arrow keys. */
export function SplitHandle() {
  const studio = useStudio();
  const { split } = studio.document.value.view;
  const set = (value: number) =>
    changeView(studio, 'Move the split', { split: Math.min(0.98, Math.max(0.02, value)) }, 'split');
  return (
    <div
      class="split-handle"
      role="slider"
      tabIndex={0}
      aria-label="Split between linear skinning and constant volume"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(100 * split)}
      style={{ left: `${100 * split}%` }}
      onPointerDown={(event) => {
        const box = event.currentTarget.parentElement!.getBoundingClientRect();
        followPointer(event, ({ clientX }) => set((clientX - box.left) / box.width), studio.history.seal);
      }}
      onKeyDown={(event) => {
        const step = { ArrowLeft: -0.02, ArrowRight: 0.02 }[event.key];
        if (!step) return;
        event.preventDefault();
        event.stopPropagation();
        set(split + step);
      }}
      onBlur={studio.history.seal}
    />
  );
}
