/** What the page loads, made when the examples are built: `isoskin demo hero`, then `isoskin bake hero.glb -o driven.glb --drive`. */

import { createDemo } from '@isoskin/demos';
import { bakeCharacter, readCharacterFromBytes, writeCharacter } from '@isoskin/gltf';

export async function makeFiles() {
  const hero = await writeCharacter(createDemo('hero', { vertices: 1500 }), { colours: [[0.7, 0.42, 0.3]] });
  const { glb } = await bakeCharacter(await readCharacterFromBytes(hero), { drive: true, fps: 10 });
  return { 'driven.glb': glb };
}
