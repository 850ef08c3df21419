import { assign } from '../controls/assign.js';
import { Button } from '../controls/button.js';
import type { ClipSeries } from '../state/create-analysis.js';
import { findWorst } from './change.js';
import { formatChange } from './format-number.js';
import { LinePlot, type PlotLine } from './line-plot.js';
import { useAnalysis, useStudio } from './studio-context.js';

/** Volume over the clip: the whole body, the selected regions, and intersections where contact is on. */
export function Plots() {
  const studio = useStudio();
  const analysis = useAnalysis();
  const series = analysis.series.value;
  const { selection } = studio.document.value;
  const duration = studio.duration.value;
  if (analysis.isWaiting.value) {
    return (
      <div class="plot-block waiting">
        <p>A large character: measuring its clip takes a while.</p>
        <Button onClick={() => assign(analysis.wanted, true)}>Measure the clip</Button>
      </div>
    );
  }
  const chosen = series ? selection.regions.map((name) => series.regionNames.indexOf(name)).filter((s) => s >= 0) : [];
  return (
    <>
      <Block title="Whole body" series={series} before={series?.skinned} after={series?.corrected}>
        <LinePlot
          times={series?.times ?? []}
          duration={duration}
          isPercent
          lines={[
            { kind: 'before', values: series?.skinned ?? [] },
            { kind: 'after', values: series?.corrected ?? [] },
          ]}
        />
      </Block>
      <Block
        title={
          chosen.length === 1
            ? series!.regionNames[chosen[0]!]!
            : chosen.length > 1
              ? `${chosen.length} regions`
              : 'Region'
        }
        series={chosen.length > 0 ? series : null}
        before={series && chosen.length === 1 ? series.regionsSkinned[chosen[0]!] : undefined}
        after={series && chosen.length === 1 ? series.regionsCorrected[chosen[0]!] : undefined}
      >
        {series && chosen.length > 0 ? (
          <LinePlot
            times={series.times}
            duration={duration}
            isPercent
            lines={chosen.flatMap((s) => linesOf(series, s))}
          />
        ) : (
          <p class="plot-empty">Click a region in the view or in the list to see it here.</p>
        )}
      </Block>
      {series && series.crossingsSkinned.length > 0 && (
        <Block title="Intersections" series={null} note="triangle pairs">
          <LinePlot
            isLow
            times={series.times}
            duration={duration}
            lines={[
              { kind: 'before', values: series.crossingsSkinned },
              { kind: 'after', values: series.crossingsCorrected },
            ]}
          />
        </Block>
      )}
    </>
  );
}

function linesOf(series: ClipSeries, s: number): PlotLine[] {
  return [
    { kind: 'before', values: series.regionsSkinned[s]! },
    { kind: 'after', values: series.regionsCorrected[s]! },
  ];
}

interface BlockProps {
  readonly title: string;
  readonly series: ClipSeries | null;
  readonly before?: readonly number[] | undefined;
  readonly after?: readonly number[] | undefined;
  readonly note?: string;
  readonly children: preact.ComponentChildren;
}

function Block({ title, series, before, after, note, children }: BlockProps) {
  const isDone = series !== null && series.times.length >= series.total;
  return (
    <section class="plot-block" aria-label={`${title}: volume over time`}>
      <div class="plot-head">
        <strong>{title}</strong>
        <span class="spacer" />
        {note && <span>{note}</span>}
        {series && !isDone && (
          <span class="number">{Math.round((100 * series.times.length) / series.total)} % measured</span>
        )}
        {isDone && before && after && (
          <>
            <span class="key before number">{formatChange(findWorst(before), 1)}</span>
            <span class="key after number">{formatChange(findWorst(after), 1)}</span>
          </>
        )}
      </div>
      {children}
    </section>
  );
}
