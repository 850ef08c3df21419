/** The door of the stack: every mistake in its JSON is an IsoskinError with a sentence and the place. */
import {
  checkStack,
  createCharacter,
  createFrameSource,
  IsoskinError,
  PRESET_NAMES,
  planBody,
  presetStack,
} from '@isoskin/core';
import { LAYER_NAMES, STACK_SCHEMA } from '@isoskin/core/stack';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tube } from '../meshes.js';

const SEED = 20270;
const volume = (more: object) => ({ skin: {}, volume: more });
const contact = (more: object) => ({ skin: {}, contact: more });

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

  it('reads the list of before: any order, what is switched off gives way to what is on', () => {
    const target = { all: 1.3 };
    const layers = [{ layer: 'volume', enabled: false, target }, { layer: 'skin' }, { layer: 'volume', map: { a: 1 } }];
    expect(checkStack({ layers })).toEqual({ skin: {}, volume: { map: { a: 1 } } });
    expect(checkStack({ layers: layers.slice(0, 2) })).toEqual({ skin: {}, volume: { enabled: false, target } });
  });

  it('every option of the schema says what it means', () => {
    for (const name of LAYER_NAMES) {
      for (const [option, check] of Object.entries(STACK_SCHEMA[name])) {
        const isGone = name === 'contact' && ['joints', 'parts', 'relax', 'band', 'retreat'].includes(option);
        expect([name, option, check.says !== undefined]).toEqual([name, option, !isGone]);
      }
    }
  });

  it.each<[what: string, value: unknown, place: string, message: RegExp]>([
    ['no object', null, '', /Expected an object/],
    ['a list', [], '', /Expected an object/],
    ['an unknown key', { volum: {} }, 'volum', /did you mean “volume”/],
    ['a layer that is null', { volume: null }, 'volume', /Expected an object/],
    ['an inherited name', { constructor: {} }, 'constructor', /There is no/],
    ['layers by name beside a list', { layers: [], volume: {} }, 'volume', /beside “layers”/],
    ['layers that are no list', { layers: {} }, 'layers', /Expected a list/],
    ['a layer of a list without a name', { layers: [{}] }, 'layers[0].layer', /“skin”/],
    ['an unknown layer of a list', { layers: [{ layer: 'volum' }] }, 'layers[0].layer', /“volume”.*"volum"/],
    ['a layer of a list that is null', { layers: [null] }, 'layers[0].layer', /needs “layer”/],
    ['a wrong method', volume({ method: 'regions-exat' }), 'volume.method', /Did you mean “regions-exact”/],
    ['a method that every object has', volume({ method: 'toString' }), 'volume.method', /is not one of/],
    ['an option of another method', volume({ options: { order: 'xyz' } }), 'volume.options.order', /order/],
    ['a shape for another method', volume({ method: 'axis-exact', shape: [] }), 'volume.shape', /“shapes” only/],
    ['a wrong map', volume({ map: { kind: 'robber' } }), 'volume.map.kind', /Did you mean “rubber”/],
    ['a misspelt option', volume({ map: { flor: 1 } }), 'volume.map.flor', /did you mean “floor”/],
    ['contact by joints', contact({ joints: true }), 'contact.joints', /remove “joints”/],
    ['contact by parts', contact({ parts: false }), 'contact.parts', /remove the contact layer/],
    ['contact that relaxes', contact({ relax: true }), 'contact.relax', /write “strength”/],
    ['contact with a band', contact({ band: 0.1 }), 'contact.band', /write “gap”/],
    ['contact that turns joints back', contact({ retreat: 20 }), 'contact.retreat', /remove “retreat”/],
    ['contact too strong', contact({ strength: 2 }), 'contact.strength', /between 0 and 1.*2/],
    ['a number out of range', volume({ map: { floor: 2 } }), 'volume.map.floor', /between 0 and 1.*2/],
    ['no limit', volume({ options: { limits: { neck: 0 } } }), 'volume.options.limits.neck', /0\.001.*0/],
    ['a text for a number', volume({ options: { limit: '1' } }), 'volume.options.limit', /number.*"1"/],
    ['regions cut wrongly', volume({ regions: { by: 'bones' } }), 'volume.regions.by', /“bone”/],
    ['a merge of nothing', volume({ regions: { merge: ['a'] } }), 'volume.regions.merge[0]', /object/],
    ['a merge without joints', volume({ regions: { merge: [{ name: 'a' }] } }), 'volume.regions.merge[0]', /“joints”/],
    ['a curve with a bad key', volume({ target: { all: [[0]] } }), 'volume.target.all[0]', /pair/],
    ['a shape of nothing', volume({ shape: [{}] }), 'volume.shape[0]', /“region” is missing/],
    ['half a vertex', volume({ map: { fixed: [1.5] } }), 'volume.map.fixed[0]', /whole number/],
    ['keys that go back in time', volume({ target: { all: [[1, 1], [0, 1]] } }), 'volume.target.all', /ascend/], // biome-ignore format: one line
    ['two skins', { layers: [{ layer: 'skin' }, { layer: 'skin' }] }, 'layers', /only one skin/],
    ['two volume layers', { layers: [{ layer: 'volume' }, { layer: 'volume' }] }, 'layers', /only one volume/],
    ['a wrong skinning', { skin: { skinning: 'dq' } }, 'skin.skinning', /dual-quaternion/],
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
        if (JSON.stringify(value) !== '{}') refuse(value); // no other random value is a stack
      }),
      { seed: SEED, numRuns: 300 },
    );
  });

  it(`answers a stack with one thing wrong the same way, and createFrameSource what is let through (seed ${SEED})`, () => {
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
          createFrameSource(planBody(character), spec);
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
