import { fitStack } from '../state/edit-regions.js';
import { parseStack } from '../state/edit-stack.js';
import type { Studio } from '../state/studio.js';

const LEFT_OUT = 'What names joints or wrinkles that this one does not have was left out.';

/** Takes a stack that was pasted, picked or dropped, as far as it fits the present character. */
export async function loadStack(studio: Studio, text: Promise<string>, name = 'This'): Promise<void> {
  try {
    const stack = parseStack(await text);
    const facts = studio.character.peek();
    const next = facts ? fitStack(stack, facts) : stack;
    if (next !== stack) studio.notices.show('info', 'The stack comes from another character', LEFT_OUT);
    studio.commit('Load a stack', () => ({ stack: next }));
  } catch (error) {
    studio.notices.show('error', `${name} is not a stack`, error);
  }
}
