import { copyFile, readCharacterFromBytes, writeGlb } from '@isoskin/gltf';

/** The same file without skeleton, weights and clips. */
export async function stripSkin(bytes: Uint8Array): Promise<Uint8Array> {
  const file = copyFile((await readCharacterFromBytes(bytes)).file);
  delete file.json.skins;
  delete file.json.animations;
  for (const node of file.json.nodes!) delete node.skin;
  for (const { primitives } of file.json.meshes!) {
    for (const { attributes } of primitives) for (const name of ['JOINTS_0', 'WEIGHTS_0']) delete attributes[name];
  }
  return writeGlb(file);
}
