/** One test per finding of the fuzzers: the input that was handled badly, as small as it could be made. */
import { IsoskinError } from '@isoskin/core';
import { readCharacterFromBytes } from '@isoskin/gltf';
import { expect, it } from 'vitest';
import { type Loose, skinnedBox } from '../packages/gltf/test/model-builder.js';

async function refusal(change: (json: Loose) => void): Promise<string> {
  const model = skinnedBox();
  change(model.json);
  const error = await readCharacterFromBytes(model.glb()).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(IsoskinError);
  return (error as IsoskinError).message;
}

it('an accessor without a type was refused as “5123 undefined”', async () => {
  const message = await refusal((json) => {
    delete json.accessors[0].type;
  });
  expect(message).toContain('type is missing');
});

it('a file without a version was refused as “asset.version is undefined”', async () => {
  const message = await refusal((json) => {
    delete json.asset.version;
  });
  expect(message).toContain('asset.version is missing');
});

it('a reference of five thousand letters was repeated in full', async () => {
  const message = await refusal((json) => {
    json.bufferViews[0].buffer = 'a'.repeat(5000);
  });
  expect(message.length).toBeLessThan(200);
});

it('the name of an extension of five thousand letters was repeated in full', async () => {
  const message = await refusal((json) => {
    json.extensionsRequired = ['a'.repeat(5000)];
    json.accessors[0].extensions = { ['a'.repeat(5000)]: {} };
  });
  expect(message.length).toBeLessThanOrEqual(1000);
  expect(message).toMatch(/^The model requires .*export it without/);
});

it('a name that is no text was shown as “[object Object]”', async () => {
  const message = await refusal((json) => {
    json.nodes[0].name = { first: 'Box' };
    json.skins[0].joints = [1];
  });
  expect(message).not.toContain('[object');
});
