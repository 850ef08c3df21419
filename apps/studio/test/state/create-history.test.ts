import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createHistory } from '../../src/state/create-history.js';

describe('createHistory', () => {
  it('undoes and redoes, with names', () => {
    const history = createHistory(0);
    history.commit('one', () => 1);
    history.commit('two', () => 2);
    expect([history.present.value, history.undoLabel.value, history.redoLabel.value]).toEqual([2, 'two', '']);
    history.undo();
    expect([history.present.value, history.undoLabel.value, history.redoLabel.value]).toEqual([1, 'one', 'two']);
    history.redo();
    expect(history.present.value).toBe(2);
  });

  it('makes one step of a gesture, and a new one after it is sealed', () => {
    const history = createHistory(0);
    for (const n of [1, 2, 3]) history.commit('drag', () => n, 'slider');
    history.seal();
    for (const n of [4, 5]) history.commit('drag', () => n, 'slider');
    history.undo();
    expect(history.present.value).toBe(3);
    history.undo();
    expect(history.present.value).toBe(0);
  });

  it('does not merge gestures of two sliders, nor across an undo', () => {
    const history = createHistory(0);
    history.commit('a', () => 1, 'a');
    history.commit('b', () => 2, 'b');
    history.undo();
    history.commit('b', () => 3, 'b');
    history.undo();
    expect(history.present.value).toBe(1);
  });

  it('takes a change to the same object for none, and forgets what was undone on a new change', () => {
    const state = { n: 0 };
    const history = createHistory(state);
    history.commit('nothing', (present) => present);
    expect(history.undoLabel.value).toBe('');
    history.commit('one', () => ({ n: 1 }));
    history.undo();
    expect(history.present.value).toBe(state);
    history.commit('two', () => ({ n: 2 }));
    expect(history.redoLabel.value).toBe('');
  });

  it('after any mixture of steps, all the undos lead back through every state (seed 8)', () => {
    const step = fc.oneof(fc.integer({ min: 1, max: 99 }), fc.constantFrom('undo', 'redo'));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const history = createHistory<number>(0);
        const model = [0];
        let at = 0;
        for (const one of steps) {
          if (one === 'undo') at = Math.max(0, at - 1);
          else if (one === 'redo') at = Math.min(model.length - 1, at + 1);
          else if (one !== model[at]) {
            model.splice(at + 1);
            model.push(one as number);
            at++;
          }
          if (one === 'undo') history.undo();
          else if (one === 'redo') history.redo();
          else history.commit('set', () => one as number);
          expect(history.present.value).toBe(model[at]);
        }
      }),
      { seed: 8 },
    );
  });
});
