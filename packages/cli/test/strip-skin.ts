/** Files whose skeleton was taken away. */
interface GlbJson {
  scenes: { nodes: number[] }[];
  scene?: number;
  nodes: { mesh?: number; skin?: number; children?: number[]; [key: string]: unknown }[];
  skins?: unknown[];
  meshes: { primitives: { attributes: Record<string, number> }[] }[];
  animations?: unknown[];
}

/** The same .glb with its JSON changed. */
export function editGlb(glb: Buffer, edit: (json: GlbJson) => void): Buffer {
  const length = glb.readUInt32LE(12);
  const json = JSON.parse(glb.subarray(20, 20 + length).toString());
  edit(json);
  const text = Buffer.from(JSON.stringify(json));
  const padded = Buffer.concat([text, Buffer.alloc(-text.length & 3, ' ')]);
  const header = Buffer.from(glb.subarray(0, 20));
  const rest = glb.subarray(20 + length);
  header.writeUInt32LE(20 + padded.length + rest.length, 8);
  header.writeUInt32LE(padded.length, 12);
  return Buffer.concat([header, padded, rest]);
}

/** A static mesh: no skin, no joints, no clips. */
export function stripSkin(glb: Buffer): Buffer {
  return editGlb(glb, (json) => {
    const n = json.nodes.findIndex(({ mesh }) => mesh !== undefined);
    json.nodes = [{ mesh: json.nodes[n]!.mesh!, name: 'statue' }];
    json.scenes = [{ nodes: [0] }];
    json.scene = 0;
    delete json.skins;
    delete json.animations;
    for (const { primitives } of json.meshes) {
      for (const { attributes } of primitives) {
        delete attributes.JOINTS_0;
        delete attributes.WEIGHTS_0;
      }
    }
  });
}
