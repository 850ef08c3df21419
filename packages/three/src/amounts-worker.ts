/** The worker behind worker.ts: plans in, then poses in and amounts out. */
import type { AmountKernels } from '@isoskin/core/kernels';
import { createAmountSource, loadPlan } from '@isoskin/core/runtime';
import { loadKernels } from './load-kernels.js';
import type { AmountsAnswer, AmountsJob } from './worker.js';

interface Body {
  readonly source: ReturnType<typeof createAmountSource>;
  readonly report: ReturnType<ReturnType<typeof loadPlan>['createReport']>;
}

declare const self: {
  onmessage: (event: { readonly data: AmountsJob }) => void;
  postMessage(answer: AmountsAnswer): void;
};

const NO_MORPHS = new Float64Array();
const bodies = new Map<number, Body>();
let kernels: AmountKernels | undefined;

self.onmessage = ({ data }) => {
  if ('plan' in data) {
    const plan = loadPlan(data.plan);
    const source = createAmountSource(plan);
    if (kernels) source.useKernels(kernels);
    bodies.set(data.id, { source, report: plan.createReport() });
    return;
  }
  const body = bodies.get(data.id);
  if ('isOver' in data) {
    body?.source.dispose();
    bodies.delete(data.id);
  } else if (body) {
    const { source, report } = body;
    source.solve(report, data.bones, NO_MORPHS, data.time);
    self.postMessage({ id: data.id, amounts: source.amounts, report });
  }
};

void loadKernels().then((loaded) => {
  kernels = loaded;
  if (loaded) for (const { source } of bodies.values()) source.useKernels(loaded);
});
