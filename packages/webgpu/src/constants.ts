/**
 * Numbers that the TypeScript of this package and its WGSL share: interpolated into the shaders, never written there. Those of the
 * iteration itself come from core (AMOUNT_SOLVER_CONSTANTS).
 */

/** Relative change of volume below which a region is at rest. f32 measures volumes to about 2e−7, f64 could use 1e−12. */
export const IDLE = 2e-6;
/** A step that starts from a larger error is followed by one more, if the frame has one to spare: steps converge quadratically
 * (and those that do not make the error FAST times smaller are followed by one as well). */
export const ROUGH = 1e-3;
/** Below this error a step is not followed by another, however slowly the error falls. */
export const EXACT = 1e-5;
/** Change of a bone matrix (of its linear part: about an angle) from which a frame may take as many steps as a cold one. */
export const JUMP = 0.2;
/**
 * Second difference of the bone matrices (and targets, relative) up to which a frame takes one step: what the warm start can miss
 * is then below ROUGH.
 */
export const CALM = 1e-3;
/** Added to the unit diagonal of the equilibrated system: a few roundings of f32, so that it can be solved without pivots. */
export const DAMPING = 1e-6;
/** Cap of (Σλφ/r)²: its square stays far below the largest f32, and S is flat long before. */
export const LARGEST_SQUARE = 1e18;
/** Below this a diagonal, a room or a length counts as zero. */
export const TINY = 1e-30;

/** Vertices (or pairs) of one workgroup. */
export const TILE = 256;
/** Vertices whose lists stand side by side, so that neighbouring threads read neighbouring words. */
export const SLICE = 32;
/** Sums that a tile reduces at a time: 8·256 numbers of workgroup memory. */
export const SUMS = 8;
/** Ring entries that a thread loads at once, so that their latencies overlap; more take registers, and with them threads. */
export const RING_BATCH = 3;
/** Regions of one component whose system fits into 16 KiB of workgroup memory; larger systems live in a buffer. */
export const SHARED_REGIONS = 54;
/** Most regions of one component: one thread each. */
export const MOST_REGIONS = 256;

/** Bits of an influence that hold the weight; the bone stands above them. */
export const WEIGHT_BITS = 20;
/** Largest integer weight: all weights of a vertex sum to it exactly. */
export const WEIGHT_UNIT = 2 ** WEIGHT_BITS - 1;
export const MOST_BONES = 2 ** (32 - WEIGHT_BITS);
/** Slot of a row or column in its tile; the last one means "no region" and "the volume itself". */
export const SLOT_BITS = 8;
export const NO_SLOT = 2 ** SLOT_BITS - 1;
/** A vertex that no source vertex stands behind: padding. */
export const NO_SOURCE = 2 ** (32 - SLOT_BITS) - 1;

/** Ring entries: no triangle between this entry and the one before it (cyclic). */
export const RING_BREAK = 0x80000000;
/** Ring entries: already counted, or not a neighbour; the sweep over the directions leaves it out. */
export const RING_REPEAT = 0x40000000;
export const RING_INDEX = 0x3fffffff;

/** Words of a tile's header, in this order. */
export const TILE_FIELDS = [
  'rows',
  'columns',
  'columnCount',
  'values',
  'sums',
  'sumCount',
  'volumeSums',
  'halo',
  'haloCount',
  'haloUniform',
  'haloValues',
] as const;

/** Words of a block's (component's) header, in this order. */
export const BLOCK_FIELDS = [
  'size',
  'regions',
  'columns',
  'entryCount',
  'entries',
  'products',
  'scratch',
  'matrix',
] as const;

/** Arrays of one number per region in the state of a character, in this order; then MARK_FIELDS per block. */
export const STATE_FIELDS = ['lambda', 'activity', 'floors', 'volumes', 'last0', 'last1'] as const;

/**
 * Marks of a block: how many of the last λ are known, whether it moves, whether it needs another step, its error uncorrected and
 * before the last step.
 */
export const MARK_FIELDS = ['known', 'busy', 'rough', 'coldError', 'lastError'] as const;

/** Words of the uniform block, in this order. The first two tell a step which one it is. */
export const SHAPE_FIELDS = [
  'isFirst',
  'isOptional',
  'vertexCount',
  'pointStride',
  'sourceCount',
  'tileCount',
  'apexCount',
  'apexPairCount',
  'regionCount',
  'blockCount',
  'boneVectors',
  'inputStride',
  'stateStride',
  'partialStride',
  'entryCount',
  'scratchStride',
  'tiles',
  'infos',
  'rings',
  'influences',
  'members',
  'apexEdges',
  'shares',
  'anchors',
  'wholes',
  'runs',
  'blocks',
] as const;
export type ShapeField = (typeof SHAPE_FIELDS)[number];

/** GPUBufferUsage and GPUMapMode of the standard, as numbers: Node has no such globals. */
export const USAGE = { MAP_READ: 1, COPY_SRC: 4, COPY_DST: 8, VERTEX: 32, UNIFORM: 64, STORAGE: 128 } as const;
export const MAP_READ_MODE = 1;
