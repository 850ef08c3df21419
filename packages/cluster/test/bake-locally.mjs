/** Bakes every model of a folder as `isoskin bake` does, in one process and with the built packages: node … from to fps */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bakeCharacter } from '@isoskin/gltf';
import { readCharacter } from '@isoskin/gltf/node';

const [from, to, fps] = process.argv.slice(2);
mkdirSync(to, { recursive: true });
for (const name of readdirSync(from).filter((file) => file.endsWith('.glb'))) {
  const { glb } = await bakeCharacter(await readCharacter(join(from, name)), { fps: Number(fps) });
  writeFileSync(join(to, name), glb);
}
