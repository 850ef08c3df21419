import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Button } from '../controls/button.js';
import { Icon } from '../controls/icon.js';
import type { FrameResult } from '../engine/protocol.js';
import type { ViewLayout } from '../state/studio-document.js';
import { formatChange } from './format-number.js';
import { KernelBadge } from './kernel-badge.js';
import { Legend } from './legend.js';
import { useDrop } from './open-files.js';
import { SplitHandle } from './split-handle.js';
import { frameView, useStudio, viewportHolder } from './studio-context.js';
import { ToolBar } from './tool-bar.js';
import { ViewBar } from './view-bar.js';

/** three.js comes in a file of its own, while the worker makes the character. */
const viewportModule = import('../viewport/open-viewport.js');

/** Middle: the character, before and after, and what is drawn over it. */
export function ViewPanel() {
  const studio = useStudio();
  const canvas = useRef<HTMLCanvasElement>(null);
  const fault = useSignal('');
  useEffect(() => {
    let close = () => {};
    let isGone = false;
    const open = ({ openViewport }: Awaited<typeof viewportModule>) => {
      if (isGone) return;
      const opened = openViewport(canvas.current!, studio);
      viewportHolder.current = opened.viewport;
      frameView.current = (isWhole) => opened.viewport.frame(isWhole);
      close = opened.close;
    };
    viewportModule.then(open).catch((cause: unknown) => {
      console.warn(cause);
      fault.value = 'This browser cannot draw in 3-D (WebGL 2): switch on hardware acceleration, or try another one.';
    });
    return () => {
      isGone = true;
      close();
      viewportHolder.current = undefined;
      frameView.current = undefined;
    };
  }, [studio, fault]);
  const isOver = useDrop();
  const { view } = studio.document.value;
  const frame = studio.frame.value;
  return (
    <main
      class="view"
      aria-label="View"
      data-ready={frame !== null}
      data-plan={frame?.plan}
      data-look={studio.look.value}
    >
      <canvas ref={canvas} tabIndex={0} aria-label="Character in 3-D: drag to orbit, click to select" />
      <SideLabels layout={view.layout} split={view.split} frame={frame} />
      {view.layout === 'split' && <SplitHandle />}
      {view.layout === 'side' && <div class="side-line" />}
      <ViewBar />
      <ToolBar />
      <div class="view-foot">
        <NextWorst />
        <Legend />
        <span class="spacer" />
        {studio.busy.value && (
          <div class="busy" role="status">
            <span class="spinner" />
            {studio.busy.value} …
          </div>
        )}
        <KernelBadge />
      </div>
      {fault.value && (
        <p class="view-fault" role="alert">
          {fault.value}
        </p>
      )}
      {isOver && (
        <div class="drop-veil">
          <Icon name="load" />
          Drop a .glb, a .vrm, or a .gltf with its files
        </div>
      )}
    </main>
  );
}

/** The way to the next of the worst moments. */
function NextWorst() {
  const { tour, character } = useStudio();
  const moments = tour.moments.value;
  const moment = moments[tour.at.value];
  if (moments.length === 0) return null;
  return (
    <div class="next-worst">
      <Button
        icon="next"
        tip="Walk through the moments at which skinning changes the volume most (M)"
        onClick={() => tour.next(1)}
      >
        Next worst
      </Button>
      {moment && (
        <span>
          {tour.at.value + 1} of {moments.length} · {character.value?.clips[moment.clip]?.name} {moment.time.toFixed(2)}{' '}
          s · {moment.name} <b class="number before">{formatChange(moment.change, 1)}</b>
        </span>
      )}
    </div>
  );
}

/** What each side shows, and how much volume it has lost or gained just now: the selected region, or the worst one. */
function SideLabels({ layout, split, frame }: { layout: ViewLayout; split: number; frame: FrameResult | null }) {
  const studio = useStudio();
  const names = studio.plan.value?.regions.map(({ name }) => name) ?? [];
  const volume = frame?.volume;
  const [chosen = ''] = studio.document.value.selection.regions;
  const shown = volume ? (names.includes(chosen) ? names.indexOf(chosen) : indexOfWorst(volume.regionsSkinned)) : -1;
  const isTwo = layout !== 'corrected';
  const isBefore = studio.blink.value;
  const middle = layout === 'split' ? 100 * split : 50;
  const label = (
    kind: 'before' | 'after',
    title: string,
    place: { left?: string; right?: string; maxWidth?: string },
  ) => {
    const change = kind === 'before' ? volume?.regionsSkinned[shown] : volume?.regionsCorrected[shown];
    const whole = kind === 'before' ? volume?.skinned : volume?.corrected;
    return (
      <div class={`side-label ${kind}`} style={place}>
        <span>{title}</span>
        <b>{change === undefined ? '–' : formatChange(change)}</b>
        <span>
          {volume && whole !== undefined
            ? `volume of ${names[shown] ?? ''} · whole ${formatChange(whole)}`
            : studio.plan.value
              ? 'not measured'
              : 'planning'}
        </span>
      </div>
    );
  };
  return (
    <>
      {isTwo &&
        label('before', layout === 'overlay' ? 'Line: linear skinning' : 'Linear skinning', {
          right: `calc(${100 - middle}% + 14px)`,
          maxWidth: `calc(${middle}% - 14px - var(--tools))`,
        })}
      {label(
        isBefore ? 'before' : 'after',
        isBefore ? 'Linear skinning' : 'Constant volume',
        isTwo ? { left: `calc(${middle}% + 14px)`, maxWidth: `calc(${100 - middle}% - 28px)` } : { right: '14px' },
      )}
    </>
  );
}

function indexOfWorst(changes: Float32Array): number {
  let worst = 0;
  changes.forEach((change, s) => {
    if (Math.abs(change) > Math.abs(changes[worst]!)) worst = s;
  });
  return worst;
}
