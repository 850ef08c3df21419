/** Clicks in the 3-D view: a joint if one is near (bones shown or posing), else the region under the mouse. */
import { effect } from '@preact/signals';
import { changeView } from '../state/change-view.js';
import type { Studio } from '../state/studio.js';
import type { JointGizmo } from './joint-gizmo.js';
import { listen } from './listen.js';
import type { Viewport } from './viewport.js';

/** A press that moves further is an orbit, not a click. */
const CLICK_REACH = 4;
const JOINT_REACH = 14;

export function startPicking(viewport: Viewport, studio: Studio): () => void {
  let gizmo: JointGizmo | undefined;
  // The rings are loaded when first needed.
  const stopWatching = effect(() => {
    if (studio.tool.value !== 'pose') return;
    if (studio.document.peek().view.layout === 'side') {
      changeView(studio, 'View: Split', { layout: 'split' });
    }
    if (gizmo) return;
    void import('./joint-gizmo.js').then(({ createJointGizmo }) => {
      gizmo ??= createJointGizmo(viewport, studio);
    });
  });
  let down: { x: number; y: number } | undefined;
  const stopListening = listen(viewport.canvas, {
    down(event) {
      down = event.button === 0 && !gizmo?.isHot ? viewport.places.placeOf(event) : undefined;
    },
    up(event) {
      const { x, y } = viewport.places.placeOf(event);
      if (!down || Math.hypot(x - down.x, y - down.y) > CLICK_REACH) return;
      down = undefined;
      const tool = studio.tool.peek();
      if (tool === 'select' || tool === 'pose') void pick(viewport, studio, x, y, event.shiftKey || event.ctrlKey);
    },
  });
  return () => {
    stopWatching();
    stopListening();
    gizmo?.dispose();
  };
}

async function pick(viewport: Viewport, studio: Studio, x: number, y: number, isAdding: boolean): Promise<void> {
  const { view } = studio.document.peek();
  const tool = studio.tool.peek();
  const showsJoints = view.bones || view.colouring === 'weight' || tool === 'pose';
  const near = showsJoints ? viewport.places.jointAt(x, y, JOINT_REACH) : -1;
  if (near >= 0) return selectJoint(studio, near);
  const hit = await viewport.places.pick(x, y);
  if (tool === 'pose' || view.colouring === 'weight') return selectJoint(studio, hit ? hit.joint : -1);
  const plan = studio.plan.peek();
  const region = hit && plan ? (plan.regions[plan.vertexRegion[hit.vertex]!]?.name ?? '') : '';
  selectRegion(studio, region, isAdding);
}

export function selectJoint(studio: Studio, joint: number): void {
  studio.commit('Select a joint', (present) =>
    present.selection.joint === joint ? present : { selection: { ...present.selection, joint } },
  );
}

/** One region alone, or with `isAdding` into or out of those selected; an empty name selects none. */
export function selectRegion(studio: Studio, name: string, isAdding: boolean): void {
  studio.commit('Select regions', (present) => {
    const { regions } = present.selection;
    const without = regions.filter((one) => one !== name);
    const alone = name === '' ? [] : [name];
    const next = !isAdding ? alone : without.length < regions.length ? without : [...regions, ...alone];
    if (next.length === regions.length && next.every((one, n) => one === regions[n])) return present;
    return { selection: { ...present.selection, regions: next } };
  });
}
