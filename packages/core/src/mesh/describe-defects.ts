import type { Warning } from '../error.js';
import type { Orientation } from './orient-triangles.js';
import type { Component, Surface } from './surface.js';

/** Says in words what was found in a surface and what was done about it. */
export function describeDefects(
  surface: Surface,
  insideOut: boolean,
  orientation: Orientation,
  isBand: Uint8Array,
): Warning[] {
  const { defects, components } = surface;
  const warnings: Warning[] = [];
  const warn = (code: string, count: number, message: string, place = ''): void => {
    if (count > 0) warnings.push({ code, message, place });
  };
  const { degenerateTriangles, duplicateTriangles, nonManifoldEdges, boundaryLoops, boundaryEdges, unusedVertices } =
    defects;
  warn(
    'DEGENERATE_TRIANGLES',
    degenerateTriangles,
    `${many(degenerateTriangles, 'triangle')} with two corners on one place left out of the computation; they stay in the file.`,
  );
  warn(
    'DUPLICATE_TRIANGLES',
    duplicateTriangles,
    `${many(duplicateTriangles, 'triangle')} lying exactly on another one left out; they stay in the file.`,
  );
  warn(
    'FLIPPED_TRIANGLES',
    orientation.flipped,
    `${many(orientation.flipped, 'triangle')} facing the other way than the neighbours turned round for the computation; recalculate normals to mend the file.`,
  );
  warn(
    'NOT_ORIENTABLE',
    orientation.contradictions,
    `${many(orientation.contradictions, 'patch', 'patches')} of the surface with no inside and outside (like a Möbius band) left as they are.`,
  );
  warn(
    'INSIDE_OUT',
    insideOut ? 1 : 0,
    'The whole surface faces inwards (its volume is negative), so it is turned round for the computation; flip its normals to mend the file.',
  );
  warn(
    'NON_MANIFOLD_EDGES',
    nonManifoldEdges,
    `${many(nonManifoldEdges, 'edge')} shared by more than two triangles: parts touch there.`,
  );
  warn(
    'OPEN_BORDERS',
    boundaryLoops,
    `${many(boundaryLoops, 'hole')} (${many(boundaryEdges, 'border edge')}) closed by caps for the computation.`,
    listNames(components.filter((c) => c.boundaryLoops > 0)),
  );
  const bands = components.filter((_, n) => isBand[n] === 1);
  warn(
    'ONE_SIDED_COMPONENTS',
    bands.length,
    `${many(bands.length, 'component')} with one side only (Möbius bands) will ride along uncorrected.`,
    listNames(bands),
  );
  const flat = components.filter((c, n) => !c.solid && isBand[n] === 0);
  warn(
    'FLAT_COMPONENTS',
    flat.length,
    `${many(flat.length, 'component')} without a volume worth the name (flat cards, lashes) will ride along uncorrected.`,
    listNames(flat),
  );
  const negative = components.filter((c) => c.solid && c.volume < 0);
  warn(
    'NEGATIVE_COMPONENT',
    negative.length,
    `${many(negative.length, 'component')} facing inwards, taken for cavities and left as they are; flip their normals if they are not.`,
    listNames(negative),
  );
  warn(
    'UNUSED_VERTICES',
    unusedVertices,
    `${many(unusedVertices, 'vertex', 'vertices')} that no triangle uses: skinned as usual, never corrected.`,
  );
  return warnings;
}

export function many(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}

function listNames(components: readonly Component[]): string {
  const names = [...new Set(components.map((c) => c.name))];
  return names.length > 4 ? `${names.slice(0, 4).join(', ')} and ${names.length - 4} more` : names.join(', ');
}
