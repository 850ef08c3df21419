/** The skeleton of a file, with or without a mesh, and what moves it: to bind another mesh to. */
import { type Clip, IsoskinError, type Skeleton, type Warning } from '@isoskin/core';
import { type OpenOptions, openDocument } from './open-document.js';
import { explainUnreadable } from './read-character-from-bytes.js';
import { readClips } from './read-clips.js';
import { readSkeleton } from './read-skeleton.js';

export interface Rig {
  readonly skeleton: Skeleton;
  readonly clips: readonly Clip[];
}

/** That of its largest skin or, without any skin, all its nodes in their default pose. */
export function readRigFromBytes(bytes: Uint8Array, options: OpenOptions = {}): Promise<Rig> {
  return explainUnreadable(async () => {
    const warnings: Warning[] = [];
    const { json, document } = await openDocument(bytes, options, warnings);
    if (!json.skins?.length) {
      const joints = json.nodes?.flatMap(({ mesh, camera }, n) =>
        mesh === undefined && camera === undefined ? [n] : [],
      );
      if (!joints?.length) {
        const message = 'The file holds no skeleton: give one with joints, or --demo-skeleton';
        throw new IsoskinError('SKELETON_MISSING', message);
      }
      json.skins = [{ joints }];
    }
    const sizes = json.skins.map(({ joints }) => joints.length);
    const skin = sizes.indexOf(Math.max(...sizes));
    const plan = readSkeleton(json, document, [{ node: 0, mesh: 0, skin, targets: 0 }], warnings);
    return { skeleton: plan.skeleton, clips: readClips(json, document, [], [], plan.skeletonNode, warnings) };
  });
}
