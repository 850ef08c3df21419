import { IsoskinError } from '@isoskin/core';
import { checkScene, createScene, type SceneSpec, sceneNames } from '@isoskin/implicit';
import { readText } from './read-text.js';

/** A built-in scene by its name, or one from a JSON file. */
export async function readScene(name: string): Promise<SceneSpec> {
  if (sceneNames.includes(name)) return createScene(name);
  let text: string;
  try {
    text = await readText(name);
  } catch (cause) {
    if (cause instanceof IsoskinError) throw cause;
    const message = `"${name}" is neither a file that can be opened nor one of the scenes ${sceneNames.join(', ')}: check it.`;
    throw new IsoskinError('SCENE_FILE', message, '', { cause });
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    const message = `The scene "${name}" is not JSON: ${(cause as Error).message}.`;
    throw new IsoskinError('SCENE_FILE', message, '', { cause });
  }
  return checkScene(json);
}
