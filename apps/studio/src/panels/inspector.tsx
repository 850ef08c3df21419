import { useSignal } from '@preact/signals';
import { regionColour, toCss } from '../viewport/colour-scales.js';
import { selectJoint, selectRegion } from '../viewport/pick.js';
import { formatChange } from './format-number.js';
import { Plots } from './plots.js';
import { useStudio } from './studio-context.js';

const TABS = { regions: 'Regions', moments: 'Worst moments', joints: 'Joints' } as const;

/** Right: plots of volume over time, and the lists of regions and joints. */
export function Inspector() {
  const tab = useSignal<'regions' | 'moments' | 'joints'>('regions');
  return (
    <aside class="panel inspector" aria-label="Measurements">
      <div class="panel-head">
        <h2>Volume</h2>
      </div>
      <Plots />
      <div class="tabs" role="tablist" aria-label="Lists">
        {(['regions', 'moments', 'joints'] as const).map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`tab-${name}`}
            aria-selected={tab.value === name}
            aria-controls="inspector-list"
            onClick={() => {
              tab.value = name;
            }}
          >
            {TABS[name]}
          </button>
        ))}
      </div>
      <div class="panel-body scroll list-body" id="inspector-list" role="tabpanel" aria-labelledby={`tab-${tab.value}`}>
        {tab.value === 'regions' ? <RegionList /> : tab.value === 'moments' ? <MomentList /> : <JointList />}
      </div>
    </aside>
  );
}

function RegionList() {
  const studio = useStudio();
  const plan = studio.plan.value;
  const { selection } = studio.document.value;
  const volume = studio.frame.value?.volume;
  if (!plan) return <p class="empty">Regions appear when the stack is planned.</p>;
  if (plan.regions.length === 0) return <p class="empty">Switch on a volume layer to see its regions.</p>;
  return (
    <>
      <div class="row-head">
        <span />
        <span>Region</span>
        <span>before</span>
        <span>after</span>
      </div>
      <ul class="rows">
        {plan.regions.map(({ name }, s) => (
          <li key={name}>
            <button
              type="button"
              class="row"
              aria-pressed={selection.regions.includes(name)}
              onClick={(event) => selectRegion(studio, name, event.shiftKey || event.ctrlKey || event.metaKey)}
              onPointerEnter={() => {
                studio.hoveredRegion.value = s;
              }}
              onPointerLeave={() => {
                studio.hoveredRegion.value = -1;
              }}
            >
              <span class="swatch" style={{ background: toCss(regionColour(s)) }} />
              <span class="name" data-tip={name.length > 16 ? name : undefined}>
                {name}
              </span>
              <Change change={volume?.regionsSkinned[s]} />
              <Change change={volume?.regionsCorrected[s]} />
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

/** The moments of the whole file at which skinning alone changes a region most. */
function MomentList() {
  const { tour, character } = useStudio();
  const moments = tour.moments.value;
  if (moments.length === 0) return <p class="empty">No clip changes a region by more than half a per cent.</p>;
  return (
    <ul class="rows">
      {moments.map(({ clip, time, name, change }, n) => (
        <li key={`${clip} ${name}`}>
          <button type="button" class="row moment-row" aria-pressed={tour.at.value === n} onClick={() => tour.goTo(n)}>
            <span class="name" data-tip={name.length > 12 ? name : undefined}>
              {name}
            </span>
            <span class="name">{character.value?.clips[clip]?.name}</span>
            <span class="value">{time.toFixed(2)} s</span>
            <Change change={change} />
          </button>
        </li>
      ))}
    </ul>
  );
}

function Change({ change }: { change: number | undefined }) {
  if (change === undefined) return <span class="value">–</span>;
  const kind = Math.abs(change) < 5e-4 ? 'kept' : 'lost';
  return <span class={`value ${kind}`}>{formatChange(change, 1)}</span>;
}

function JointList() {
  const studio = useStudio();
  const joints = studio.character.value?.joints ?? [];
  const { selection, pose, clip } = studio.document.value;
  if (joints.length === 0) return <p class="empty">This character has no joints.</p>;
  return (
    <ul class="rows">
      {joints.map(({ node, name, depth }) => (
        <li key={node}>
          <button
            type="button"
            class="row joint-row"
            aria-pressed={selection.joint === node}
            style={{ paddingLeft: `${6 + 10 * Math.min(depth, 12)}px` }}
            onClick={() => selectJoint(studio, selection.joint === node ? -1 : node)}
          >
            <span class="name">{name}</span>
            {(pose.loose[node] || pose.keys[clip]?.[node]) && <span class="value">posed</span>}
          </button>
        </li>
      ))}
    </ul>
  );
}
