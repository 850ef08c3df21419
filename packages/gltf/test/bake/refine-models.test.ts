/** Folds on a real model: refined over its UV seams, closed as before, and valid. Skipped where the models are missing. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { placeTool, presetStack, type StackSpec } from '@isoskin/core';
import { placeAnchor } from '@isoskin/core/wrinkles';
import { bakeCharacter, readCharacterFromBytes } from '@isoskin/gltf';
import { validateBytes } from 'gltf-validator';
import { expect, it } from 'vitest';

const models = fileURLToPath(new URL('../../../../../shared/models/', import.meta.url));

it.skipIf(!existsSync(models)).each(['Fox.glb'])('folds the skin of %s (needs ../shared/models)', async (name) => {
  const bytes = new Uint8Array(readFileSync(`${models}${name}`));
  const read = await readCharacterFromBytes(bytes);
  const { surface, clips } = read.character;
  // Between two triangles of the largest part, always too long: it folds in every frame.
  const middle: [number, number, number] = [1 / 3, 1 / 3, 1 / 3];
  const size = surface.components.map(({ triangleCount }) => triangleCount);
  const list = Array.from(surface.triangleComponent.keys()).filter(
    (t) => surface.triangleComponent[t] === size.indexOf(Math.max(...size)),
  );
  const at = (t: number) => placeAnchor(surface, { triangle: list[t]!, barycentric: middle });
  const tool = placeTool(read.character, at(0), at(Math.floor(list.length / 40)), { points: 7, curved: true });
  const stack: StackSpec = {
    ...presetStack('organic'),
    wrinkles: { tools: [{ ...tool, restLength: 1.05 * tool.length! }] },
  };
  const result = await bakeCharacter(read, { stack, fps: 10, clips: [clips[0]!.name] });
  expect(result.refined!.vertexCount).toBeGreaterThan(surface.vertexCount);
  const errors = (await validateBytes(result.glb)).issues.messages.filter(({ severity }) => severity === 0);
  expect(errors).toEqual([]);
  const again = await readCharacterFromBytes(result.glb);
  expect(again.character.surface.defects).toMatchObject({
    boundaryEdges: surface.defects.boundaryEdges,
    nonManifoldEdges: surface.defects.nonManifoldEdges,
  });
  expect(Math.abs(result.clips[0]!.worst.baked)).toBeLessThan(0.005);
});
