import { useStudio } from './studio-context.js';

/** The line between before and after: drag it, or move it with the arrow keys. */
export function SplitHandle() {
  const studio = useStudio();
  const { split } = studio.document.value.view;
  const set = (value: number) =>
    studio.commit(
      'Move the split',
      (present) => ({ ...present, view: { ...present.view, split: Math.min(0.98, Math.max(0.02, value)) } }),
      'split',
    );
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
        const handle = event.currentTarget;
        const box = handle.parentElement!.getBoundingClientRect();
        handle.setPointerCapture(event.pointerId);
        const move = (moved: PointerEvent) => set((moved.clientX - box.left) / box.width);
        handle.addEventListener('pointermove', move);
        handle.addEventListener(
          'lostpointercapture',
          () => {
            handle.removeEventListener('pointermove', move);
            studio.history.seal();
          },
          { once: true },
        );
      }}
      onKeyDown={(event) => {
        const step = { ArrowLeft: -0.02, ArrowRight: 0.02 }[event.key];
        if (!step) return;
        event.preventDefault();
        event.stopPropagation();
        set(split + step);
      }}
      onBlur={() => studio.history.seal()}
    />
  );
}
