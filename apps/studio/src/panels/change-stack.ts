/** The way from a panel to the stack: checked first, so that the document never holds a stack that makes no sense. */
import { checkStack, type StackSpec } from '@isoskin/core';
import type { Studio } from '../state/studio.js';
import type { StudioDocument } from '../state/studio-document.js';

/** @param also what else is part of the same step */
export function changeStack(
  studio: Studio,
  label: string,
  change: (stack: StackSpec) => StackSpec,
  merge?: string,
  also?: Partial<StudioDocument>,
): boolean {
  const { stack } = studio.document.peek();
  let next: StackSpec;
  try {
    next = checkStack(change(stack));
  } catch (error) {
    studio.notices.show('error', 'The stack stays as it is', error);
    return false;
  }
  studio.commit(label, () => ({ ...also, stack: next }), merge);
  return true;
}
