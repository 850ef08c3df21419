/** Clicks in the 3-D view: a joint if one is near (bones shown or posing), else the region under the mouse. */
import { effect } from '@preact/signals';
import type { Studio } from '../state/studio.js';
import type { JointGizmo } from './joint-gizmo.js';
import type { Viewport } from './viewport.js';

/** A press that moves further is an orbit, not a click. */
const CLICK_REACH = 4;
const JOINT_REACH = 14;

export function startPicking(viewport: Viewport, studio: Studio): () => void {
  const { canvas } = viewport;
  let gizmo: JointGizmo | undefined;
  // The rings are loaded when first needed.
  const stopWatching = effect(() => {
    if (studio.tool.value !== 'pose') return;
    if (studio.document.peek().view.layout === 'side') {
      studio.commit('View: Split', (present) => ({ ...present, view: { ...present.view, layout: 'split' } }));
    }
    if (gizmo) return;
    void import('./joint-gizmo.js').then(({ createJointGizmo }) => {
      gizmo ??= createJointGizmo(viewport, studio);
    });
  });
  let down: { x: number; y: number } | undefined;
  const place = (event: PointerEvent) => {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const onDown = (event: PointerEvent) => {
    down = event.button === 0 && !gizmo?.isHot ? place(event) : undefined;
  };
  const onUp = (event: PointerEvent) => {
    const at = place(event);
    if (!down || Math.hypot(at.x - down.x, at.y - down.y) > CLICK_REACH) return;
    down = undefined;
    const tool = studio.tool.peek();
    if (tool === 'select' || tool === 'pose') void pick(viewport, studio, at.x, at.y, event.shiftKey || event.ctrlKey);
  };
  canvas.addEventListener('pointerdown', onDown);
  canvas.addEventListener('pointerup', onUp);
  return () => {
    stopWatching();
    gizmo?.dispose();
    canvas.removeEventListener('pointerdown', onDown);
    canvas.removeEventListener('pointerup', onUp);
  };
}

async function pick(viewport: Viewport, studio: Studio, x: number, y: number, isAdding: boolean): Promise<void> {
  const { view } = studio.document.peek();
  const tool = studio.tool.peek();
  const showsJoints = view.bones || view.colouring === 'weight' || tool === 'pose';
  const near = showsJoints ? viewport.jointAt(x, y, JOINT_REACH) : -1;
  if (near >= 0) return selectJoint(studio, near);
  const { origin, direction, surface } = viewport.rayAt(x, y);
  const hit = await studio.engine.pick({ origin: origin.toArray(), direction: direction.toArray(), surface });
  if (tool === 'pose' || view.colouring === 'weight') return selectJoint(studio, hit ? hit.joint : -1);
  const plan = studio.plan.peek();
  const region = hit && plan ? (plan.regions[plan.vertexRegion[hit.vertex]!]?.name ?? '') : '';
  selectRegion(studio, region, isAdding);
}

export function selectJoint(studio: Studio, joint: number): void {
  studio.commit('Select a joint', (present) =>
    present.selection.joint === joint ? present : { ...present, selection: { ...present.selection, joint } },
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
    return { ...present, selection: { ...present.selection, regions: next } };
  });
}
