import type { GLTF } from '@gltf-transform/core';
import type { Warning } from '@isoskin/core';

/**
 * A skin that names one node twice (real files do) loses the second in glTF-Transform, which shifts all joint indices.
 * The second becomes an empty child of the node: the same motion, and valid glTF.
 */
export function splitDuplicateJoints(json: GLTF.IGLTF, warnings: Warning[]): void {
  for (const [s, skin] of (json.skins ?? []).entries()) {
    const seen = new Set<number>();
    const before = json.nodes!.length;
    skin.joints = skin.joints.map((joint) => {
      if (!seen.has(joint)) {
        seen.add(joint);
        return joint;
      }
      const copy = json.nodes!.push({ name: `${json.nodes![joint]!.name ?? `node ${joint}`} (again)` }) - 1;
      (json.nodes![joint]!.children ??= []).push(copy);
      return copy;
    });
    const count = json.nodes!.length - before;
    if (count === 0) continue;
    const message = `${count} joints are listed twice; the second is now an empty child of the first`;
    warnings.push({ code: 'JOINT_TWICE', message, place: `skins[${s}]` });
  }
}
