import type { ShapesOpener } from './open-morphs.js';
import { freeShapeGeometry, shareGeometry } from './shape-geometry.js';
import type { createSparseOpener, SparsePatch } from './sparse-drawing.js';

let create: typeof createSparseOpener | undefined;
let loading: Promise<void> | undefined;

/** The sparse form, where it has been loaded. */
export function getSparse(patch?: SparsePatch): ShapesOpener | undefined {
  return create?.({ freeShapeGeometry, shareGeometry }, patch);
}

/** Once for a page, in a file of its own. */
export function loadSparse(): Promise<void> {
  loading ??= import('./sparse-drawing.js').then(
    (module) => {
      create = module.createSparseOpener;
    },
    (error) => console.warn('isoskin: the sparse form could not be loaded; shapes are morph targets.', error),
  );
  return loading;
}
