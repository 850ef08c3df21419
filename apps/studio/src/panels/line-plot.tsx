/** One plot over the clip with the playhead; a click moves the time. Drawn by uPlot, loaded when first needed. */

import { effect, useComputed } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type UPlot from 'uplot';
import { formatNumber } from './format-number.js';
import { useStudio } from './studio-context.js';

export interface PlotLine {
  readonly kind: 'before' | 'after';
  readonly values: readonly number[];
}

interface LinePlotProps {
  readonly times: readonly number[];
  readonly duration: number;
  readonly lines: readonly PlotLine[];
  /** Values are shares, shown as per cent. */
  readonly isPercent?: boolean;
  readonly isLow?: boolean;
}

const library = () => import('./uplot.js');
/** A plot of nothing but rounding must not look like a storm: the least half height, as a share or as a count. */
const LEAST_SHARE = 0.01;
const LEAST_COUNT = 4;

export function LinePlot({ times, duration, lines, isPercent = false, isLow = false }: LinePlotProps) {
  const studio = useStudio();
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot | null>(null);
  const kinds = lines.map(({ kind }) => kind).join(' ');
  const data = [
    [...times],
    ...lines.map(({ values }) => values.map((v) => (isPercent ? 100 * v : v))),
  ] as UPlot.AlignedData;
  const latest = useRef(data);
  latest.current = data;
  const theme = studio.theme.value;
  // The first picture comes first.
  const isTime = useComputed(() => studio.frame.value !== null || studio.document.value.scene !== undefined).value;

  useEffect(() => {
    let stop = () => {};
    let isGone = false;
    if (!isTime) return;
    void library().then(({ default: Plot }) => {
      if (isGone || !box.current) return;
      const created = new Plot(
        createOptions(box.current, kinds.split(' '), duration, isPercent, studio),
        latest.current,
        box.current,
      );
      plot.current = created;
      const follow = effect(() => {
        void studio.playback.time.value;
        created.redraw(false, false);
      });
      const sizes = new ResizeObserver(([entry]) =>
        created.setSize({ width: entry!.contentRect.width, height: created.height }),
      );
      sizes.observe(box.current);
      stop = () => {
        follow();
        sizes.disconnect();
      };
    });
    return () => {
      isGone = true;
      stop();
      plot.current?.destroy();
      plot.current = null;
    };
  }, [kinds, duration, isPercent, theme, studio, isTime]);

  useEffect(() => {
    plot.current?.setData(latest.current);
  }, [times, lines.length, ...lines.map(({ values }) => values)]);

  return <div ref={box} class={`plot ${isLow ? 'low' : ''}`} />;
}

function createOptions(
  box: HTMLElement,
  kinds: readonly string[],
  duration: number,
  isPercent: boolean,
  studio: ReturnType<typeof useStudio>,
): UPlot.Options {
  const style = getComputedStyle(box);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const font = `10px ${style.fontFamily}`;
  const least = isPercent ? 100 * LEAST_SHARE : LEAST_COUNT;
  const axis = {
    stroke: colour('--text-3'),
    font,
    grid: { stroke: colour('--edge'), width: 1 },
    ticks: { show: false },
  };
  return {
    width: box.clientWidth,
    height: box.clientHeight,
    padding: [6, 14, 0, 0],
    legend: { show: false },
    cursor: { x: false, y: false, points: { show: false }, drag: { x: false, y: false } },
    scales: {
      x: { time: false, range: [0, Math.max(duration, 1e-3)] },
      y: {
        range: (_, low, high) => {
          const bottom = Math.min(low ?? 0, isPercent ? -least / 2 : 0);
          const top = Math.max(high ?? 0, isPercent ? least / 2 : least);
          const room = 0.08 * (top - bottom);
          return [bottom - (isPercent ? room : 0), top + room];
        },
      },
    },
    axes: [
      {
        ...axis,
        size: 20,
        space: 40,
        grid: { show: false },
        values: (_, ticks) => ticks.map((t) => `${formatNumber(t)} s`),
      },
      {
        ...axis,
        size: 40,
        space: 22,
        values: (_, ticks) => ticks.map((v) => `${formatNumber(v)}${isPercent ? ' %' : ''}`),
      },
    ],
    series: [
      {},
      ...kinds.map((kind) => ({
        stroke: colour(kind === 'before' ? '--before' : '--after'),
        width: kind === 'before' ? 1.5 : 2,
        points: { show: false },
      })),
    ],
    hooks: {
      draw: [
        (self) => {
          const x = Math.round(self.valToPos(studio.playback.time.peek(), 'x', true));
          const { ctx, bbox } = self;
          ctx.save();
          ctx.fillStyle = colour('--text');
          ctx.globalAlpha = 0.7;
          ctx.fillRect(x, bbox.top, Math.max(1, devicePixelRatio), bbox.height);
          ctx.restore();
        },
      ],
      ready: [
        (self) =>
          self.over.addEventListener('click', (event) => {
            studio.playback.playing.value = false;
            studio.playback.seek(Math.min(duration, Math.max(0, self.posToVal(event.offsetX, 'x'))));
          }),
      ],
    },
  };
}
