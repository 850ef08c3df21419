import { createStack, type VolumeReport } from '@isoskin/core';
import type { CreateEvaluator } from './evaluator.js';

/** Any stack of core: methods and layers that are not part of the small runtime. One evaluator serves all bodies of a plan. */
export const fullStack: CreateEvaluator = (character, spec) => {
  const stack = createStack(character, spec);
  const { frame } = stack;
  const locals = character.skeleton.locals.slice();
  let last: object | undefined;
  return {
    name: 'stack',
    stride: 3,
    positions: frame.positions,
    normals: frame.normals,
    run({ morphWeights, time, readLocals }, report, body) {
      if (last !== body) stack.reset();
      last = body;
      readLocals(locals);
      stack.evaluate({ locals, morphWeights }, time);
      const source = frame.reports[0];
      if (source && source.names.length === report.names.length) copyReport(report, source);
    },
    dispose() {},
  };
};

function copyReport(to: VolumeReport, from: VolumeReport): void {
  to.volumes.set(from.volumes);
  to.targets.set(from.targets);
  to.inexact.set(from.inexact);
  to.evaluations = from.evaluations;
  to.limited = from.limited;
  to.fallback = from.fallback;
}
