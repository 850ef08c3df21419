import { useSignal } from '@preact/signals';
import { assign } from '../controls/assign.js';
import { selectJoint } from '../viewport/pick.js';
import { Change } from './change.js';
import { Plots } from './plots.js';
import { RegionList } from './region-list.js';
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
            onClick={() => assign(tab, name)}
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
