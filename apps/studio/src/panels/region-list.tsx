import type { StackSpec } from '@isoskin/core';
import { useSignal } from '@preact/signals';
import { assign } from '../controls/assign.js';
import { Button, SwitchField } from '../controls/button.js';
import { Icon } from '../controls/icon.js';
import { NameField } from '../controls/name-field.js';
import type { PlanFacts } from '../engine/protocol.js';
import type { ClipSeries } from '../state/create-analysis.js';
import { listJointsOf, listLocked, lockRegions, mergeRegions, splitRegion } from '../state/edit-regions.js';
import { readOption, writeOption } from '../state/edit-stack.js';
import { regionColour, toCss } from '../viewport/colour-scales.js';
import { selectRegion } from '../viewport/pick.js';
import { Change } from './change.js';
import { changeStack } from './change-stack.js';
import { useAnalysis, useStudio } from './studio-context.js';

/** The regions, those that lose most in this clip first; found by name, renamed, merged, split and locked. */
export function RegionList() {
  const studio = useStudio();
  const search = useSignal('');
  const plan = studio.plan.value;
  const { selection, paint } = studio.document.value;
  const volume = studio.frame.value?.volume;
  const series = useAnalysis().series.value;
  if (!plan) return <p class="empty">Regions appear when the stack is planned.</p>;
  if (plan.regions.length === 0) return <p class="empty">Switch on a volume layer to see its regions.</p>;
  const wanted = search.value.trim().toLowerCase();
  const listed = orderRegions(plan, series).filter((s) => plan.regions[s]!.name.toLowerCase().includes(wanted));
  const locked = listLocked(plan, paint);
  return (
    <>
      <div class="region-tools">
        <input
          type="search"
          class="search"
          aria-label="Find a region"
          placeholder={`Find in ${plan.regions.length} regions`}
          value={search.value}
          onInput={(event) => {
            search.value = event.currentTarget.value;
          }}
        />
        <RegionTools plan={plan} locked={locked} />
      </div>
      <div class="row-head">
        <span />
        <span>Region</span>
        <span>before</span>
        <span>after</span>
      </div>
      {listed.length === 0 && <p class="empty">No region is called “{search.value.trim()}”.</p>}
      <ul class="rows">
        {listed.map((s) => {
          const { name } = plan.regions[s]!;
          return (
            <li key={name}>
              <button
                type="button"
                class="row"
                aria-pressed={selection.regions.includes(name)}
                onClick={(event) => selectRegion(studio, name, event.shiftKey || event.ctrlKey || event.metaKey)}
                onPointerEnter={() => assign(studio.hoveredRegion, s)}
                onPointerLeave={() => assign(studio.hoveredRegion, -1)}
              >
                <span class="swatch" style={{ background: toCss(regionColour(s)) }} />
                <span class="name" data-tip={name.length > 16 ? name : undefined}>
                  {name}
                  {locked[s] && <Icon name="lock" />}
                </span>
                <Change change={volume?.regionsSkinned[s]} />
                <Change change={volume?.regionsCorrected[s]} />
              </button>
            </li>
          );
        })}
      </ul>
      <RigidParts words={plan.rigid} />
    </>
  );
}

/** Armour, eyes, weapons: what is left alone is said, and can be corrected too. */
function RigidParts({ words }: { readonly words: string }) {
  const studio = useStudio();
  const isCut = readOption(studio.document.value.stack, 'volume', 'regions.rigid') === 'cut';
  if (words === '' && !isCut) return null;
  const label = 'Correct rigid parts too';
  return (
    <div class="rigid-parts">
      <p>{isCut ? 'Parts that hang on one joint have regions like all others.' : `${words}.`}</p>
      <SwitchField
        label={label}
        on={isCut}
        onChange={(on) =>
          changeStack(studio, label, (stack) => writeOption(stack, 'volume', 'regions.rigid', on ? 'cut' : undefined))
        }
      />
    </div>
  );
}

/** Largest change of every region in the clip that was measured last. */
let worst: ReadonlyMap<string, number> = new Map();

/** Indices of the regions, what changes most over the clip first: rows do not jump while it plays, or is measured again. */
function orderRegions({ regions }: PlanFacts, series: ClipSeries | null): number[] {
  if (series && series.times.length >= series.total) {
    const most = (changes: readonly number[]) => changes.reduce((far, change) => Math.max(far, Math.abs(change)), 0);
    worst = new Map(series.regionNames.map((name, s) => [name, most(series.regionsSkinned[s]!)]));
  }
  const of = (s: number) => worst.get(regions[s]!.name) ?? 0;
  return [...regions.keys()].sort((a, b) => of(b) - of(a));
}

/** What can be done with the regions that are selected. */
function RegionTools({ plan, locked }: { readonly plan: PlanFacts; readonly locked: readonly boolean[] }) {
  const studio = useStudio();
  const isNaming = useSignal(false);
  const { selection, stack } = studio.document.value;
  const facts = studio.character.value;
  const joints = facts?.joints ?? [];
  const chosen = [...plan.regions.keys()].filter((s) => selection.regions.includes(plan.regions[s]!.name));
  const regions = chosen.map((s) => plan.regions[s]!);
  const [first] = regions;
  const hasJoints = regions.length > 0 && regions.every((region) => listJointsOf(stack, region, joints).length > 0);
  const isLocked = chosen.length > 0 && chosen.every((s) => locked[s]);
  const parts = new Set(regions.map(({ part }) => part));
  const whole = plan.regions.filter(({ part }) => parts.has(part)).map(({ name }) => name);
  const count = first ? listJointsOf(stack, first, joints).length : 0;
  /** One step: what is gone is not selected any more. */
  const change = (label: string, edit: (stack: StackSpec) => StackSpec, names: readonly string[]) =>
    changeStack(studio, label, edit, undefined, { selection: { ...selection, regions: names } });

  if (isNaming.value && first) {
    const done = (text: string) => {
      if (!isNaming.peek()) return; // a field that goes loses the focus too
      isNaming.value = false;
      const name = text.trim();
      if (name === '' || (name === first.name && regions.length === 1)) return;
      const label = regions.length > 1 ? 'Merge regions' : 'Rename a region';
      change(label, (present) => mergeRegions(present, regions, joints, name), [name]);
    };
    return <NameField label={regions.length > 1 ? 'Name of all' : 'New name'} value={first.name} onDone={done} />;
  }
  return (
    <>
      <Button
        icon={regions.length > 1 ? 'merge' : 'rename'}
        label={regions.length > 1 ? 'Merge the selected regions' : 'Rename the region'}
        disabled={!hasJoints}
        onClick={() => assign(isNaming, true)}
      />
      <Button
        icon="cut"
        label="Split the region into what it was merged of"
        disabled={regions.length !== 1 || count < 2}
        onClick={() => change('Split a region', (present) => splitRegion(present, first!, joints), [])}
      />
      <Button
        icon="volume"
        label="Select all regions of this part: lock them to leave it out"
        disabled={!first || whole.length === regions.length}
        onClick={() =>
          studio.commit('Select a part', ({ selection }) => ({ selection: { ...selection, regions: whole } }))
        }
      />
      <Button
        icon="lock"
        label={isLocked ? 'Unlock the selected regions' : 'Lock the selected regions: they stay as skinning makes them'}
        pressed={isLocked}
        disabled={chosen.length === 0}
        onClick={() =>
          studio.commit(isLocked ? 'Unlock regions' : 'Lock regions', ({ paint }) => ({
            paint: lockRegions(plan, facts!, paint, chosen, !isLocked),
          }))
        }
      />
    </>
  );
}
