/** The door of the stack: every mistake in its JSON is an IsoskinError with a sentence and the place. */
import { checkStack, createCharacter, createStack, IsoskinError, PRESET_NAMES, presetStack } from '@isoskin/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tube } from '../meshes.js';

const SEED = 20270;
const volume = (more: object) => ({ layers: [{ layer: 'skin' }, { layer: 'volume', ...more }] });
const contact = (more: object) => ({ layers: [{ layer: 'skin' }, { layer: 'contact', ...more }] });

function refuse(value: unknown): IsoskinError {
  try {
    checkStack(value);
  } catch (error) {
    expect(error).toBeInstanceOf(IsoskinError);
    return error as IsoskinError;
  }
  throw new Error(`${JSON.stringify(value)} was let through.`);
}

describe('checkStack', () => {
  it.each(PRESET_NAMES)('lets the preset %s through, as it is and as JSON', (name) => {
    expect(checkStack(presetStack(name))).toBe(presetStack(name));
    const copy = JSON.parse(JSON.stringify(presetStack(name)));
    expect(checkStack(copy)).toBe(copy);
  });

  it.each<[what: string, value: unknown, place: string, message: RegExp]>([
    ['no object', null, '', /Expected an object/],
    ['a list', [], '', /Expected an object/],
    ['no layers', {}, '', /“layers” is missing/],
    ['layers that are no list', { layers: {} }, 'layers', /Expected a list/],
    ['an unknown key', { layers: [], layer: [] }, 'layer', /did you mean “layers”/],
    ['a layer without a name', { layers: [{}] }, 'layers[0].layer', /“skin”/],
    ['an unknown layer', { layers: [{ layer: 'volum' }] }, 'layers[0].layer', /“volume”.*"volum"/],
    ['a layer that is null', { layers: [null] }, 'layers[0].layer', /needs “layer”/],
    ['an inherited name', { layers: [{ layer: 'constructor' }] }, 'layers[0].layer', /needs “layer”/],
    ['a wrong method', volume({ method: 'regions-exat' }), 'layers[1].method', /Did you mean “regions-exact”/],
    ['an option of another method', volume({ options: { order: 'xyz' } }), 'layers[1].options.order', /order/],
    ['a shape for another method', volume({ method: 'axis-exact', shape: [] }), 'layers[1].shape', /“shapes” only/],
    ['a wrong map', volume({ map: { kind: 'robber' } }), 'layers[1].map.kind', /Did you mean “rubber”/],
    ['a misspelt option', volume({ map: { flor: 1 } }), 'layers[1].map.flor', /did you mean “floor”/],
    ['contact by joints', contact({ joints: true }), 'layers[1].joints', /remove “joints”/],
    ['contact by parts', contact({ parts: false }), 'layers[1].parts', /remove the contact layer/],
    ['contact that relaxes', contact({ relax: true }), 'layers[1].relax', /write “strength”/],
    ['contact with a band', contact({ band: 0.1 }), 'layers[1].band', /write “gap”/],
    ['contact that turns joints back', contact({ retreat: 20 }), 'layers[1].retreat', /remove “retreat”/],
    ['contact too strong', contact({ strength: 2 }), 'layers[1].strength', /between 0 and 1.*2/],
    ['a number out of range', volume({ map: { floor: 2 } }), 'layers[1].map.floor', /between 0 and 1.*2/],
    ['a text for a number', volume({ options: { limit: '1' } }), 'layers[1].options.limit', /number.*"1"/],
    ['regions cut wrongly', volume({ regions: { by: 'bones' } }), 'layers[1].regions.by', /“bone”/],
    ['a merge of nothing', volume({ regions: { merge: ['a'] } }), 'layers[1].regions.merge[0]', /object/],
    [
      'a merge without joints',
      volume({ regions: { merge: [{ name: 'a' }] } }),
      'layers[1].regions.merge[0]',
      /“joints”/,
    ],
    ['a curve with a bad key', volume({ target: { all: [[0]] } }), 'layers[1].target.all[0]', /pair/],
    ['a shape of nothing', volume({ shape: [{}] }), 'layers[1].shape[0]', /“region” is missing/],
    ['half a vertex', volume({ map: { fixed: [1.5] } }), 'layers[1].map.fixed[0]', /whole number/],
    ['keys that go back in time', volume({ target: { all: [[1, 1], [0, 1]] } }), 'layers[1].target.all', /ascend/], // biome-ignore format: one line
    ['two skins', { layers: [{ layer: 'skin' }, { layer: 'skin' }] }, 'layers', /Only one skin/],
    ['a late skin', { layers: [{ layer: 'volume' }, { layer: 'skin' }] }, 'layers', /must come first/],
    ['a wrong skinning', { layers: [{ layer: 'skin', skinning: 'dq' }] }, 'layers[0].skinning', /dual-quaternion/],
  ])('refuses %s and says where', (_, value, place, message) => {
    const error = refuse(value);
    expect(error.code).toBe('STACK');
    expect(error.place).toBe(place ? `stack: ${place}` : 'stack');
    expect(error.message).toMatch(message);
    expect(error.message).toContain(error.place);
  });

  it(`answers any JSON with a stack or an IsoskinError (seed ${SEED})`, () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        refuse(value); // no random value is a stack
      }),
      { seed: SEED, numRuns: 300 },
    );
  });

  it(`answers a stack with one thing wrong the same way, and createStack what is let through (seed ${SEED})`, () => {
    const character = createCharacter(tube({ around: 8, along: 10 }));
    const arbitrary = fc.tuple(
      fc.constantFrom(...PRESET_NAMES),
      fc.nat(),
      fc.oneof(
        fc.jsonValue({ maxDepth: 2 }),
        fc.constantFrom<unknown>(
          -1,
          0,
          0.5,
          1,
          7,
          1e9,
          '',
          'bone 0',
          'joint',
          [],
          {},
          [0],
          [[0, 1]],
          true,
          false,
          null,
        ),
      ),
    );
    let planned = 0;
    fc.assert(
      fc.property(arbitrary, ([name, n, value]) => {
        const spec = JSON.parse(JSON.stringify(presetStack(name)));
        const places = listPlaces(spec);
        const [owner, key] = places[n % places.length]!;
        owner[key] = value;
        try {
          createStack(character, spec);
          planned++;
        } catch (error) {
          expect(error).toBeInstanceOf(IsoskinError);
        }
      }),
      { seed: SEED, numRuns: 300 },
    );
    expect(planned).toBeGreaterThan(3);
  });

  it('survives what JSON cannot hold, and what is far too large', () => {
    const loop: Record<string, unknown> = {};
    loop.layers = [loop];
    expect(refuse(loop).place).toBe('stack: layers[0].layer');
    refuse(volume({ map: { kind: 10n } }));
    refuse(volume({ map: { kind: Symbol('x') } }));
    refuse(volume({ map: { kind: loop } }));
    const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
    refuse(deep);
    refuse(volume({ map: { kind: deep } }));
    const long = refuse(volume({ ['x'.repeat(1_000_000)]: 1 }));
    expect(long.message.length).toBeLessThan(1000);
  });
});

/** Every place of a value that can be overwritten. */
function listPlaces(
  value: unknown,
  out: [Record<string, unknown>, string][] = [],
): [Record<string, unknown>, string][] {
  if (typeof value !== 'object' || value === null) return out;
  for (const key of Object.keys(value)) {
    out.push([value as Record<string, unknown>, key]);
    listPlaces((value as Record<string, unknown>)[key], out);
  }
  return out;
}
