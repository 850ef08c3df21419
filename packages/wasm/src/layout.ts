/**
 * Where things stand in the shared memory: read by the TypeScript side and, as it is, by the AssemblyScript side. Plain
 * whole numbers only. All records are lists of 32-bit words; the numbers below count bytes.
 *
 * A vertex is 16 bytes (x y z and one lane of no meaning). Vertices stand in blocks: all of a block belong to one region, a
 * block starts at a multiple of four, and its sums are its own, so that any number of threads gives the same bits.
 */

/** Phases of a frame. */
export const SKIN = 0; // x, n from x̄, n̄
export const APEXES = 1; // apexes, as means of their members
export const MEASURE = 2; // V of x, and one sweep over the directions
export const SWEEP = 3; // one more sweep
export const DISPLACE = 4; // y = x + ρ n
export const EVALUATE = 5; // V of y

/** Bits that say more about a phase. */
export const WITH_DIRECTIONS = 1; // SKIN: also turns n
export const WITH_SKINNED = 2; // SKIN: also writes x in the caller's order
export const WITH_FADE = 1; // DISPLACE: measures m first
export const WITH_NORMALS = 2; // EVALUATE: also writes the normals, in the caller's order
export const WITH_SLOPES = 4; // APEXES, EVALUATE: also measures ∂V/∂λ
export const OF_SKIN = 8; // APEXES, EVALUATE: of x instead of y
export const WITH_POSITIONS = 32; // EVALUATE: also writes y in the caller's order; DISPLACE: writes it there only
export const SECOND_FIELD = 16; // SWEEP, DISPLACE, EVALUATE, APEXES: directions stand in the second buffer

/** Kinds of blocks. */
export const INNER = 0; // vertices that count with one region, their home
export const BORDER = 1; // vertices that have no home
export const PAIRS = 2; // (region, vertex) pairs of one region, taken back from one home
export const APEX_PAIRS = 3; // (region, apex) pairs of one region
export const ODD_FANS = 4; // vertices whose neighbours are not the ring of their triangles
export const APEX = 5; // one apex

/** A block. */
export const BLOCK_SIZE = 512; // most vertices: 8 kB of positions, which stay in the first cache with what is read beside them
export const BLOCK_BYTES = 48;
export const BLOCK_KIND = 0;
export const BLOCK_FIRST = 4; // first vertex, or 0
export const BLOCK_COUNT = 8; // vertices (a multiple of 4), pairs, fans; members of an apex
export const BLOCK_RINGS = 12; // → polygons (INNER, BORDER), records (PAIRS …)
export const BLOCK_BASES = 16; // → φ
export const BLOCK_HALO = 20; // → ψ
export const BLOCK_ANCHOR = 24; // place of o in an array of vertices
export const BLOCK_SUMS = 28; // → 16 bytes: f64 3V, f64 3V to take back from the home (PAIRS); then 16 bytes for each of its columns of ∂V/∂λ: f64 in the end
export const BLOCK_COLUMNS = 32; // how many columns; APEX: how many derivatives
export const BLOCK_PLACE = 36; // APEX: its place in an array of vertices
export const BLOCK_HOME = 36; // vertices: their region·4
export const BLOCK_HOME_ANCHOR = 36; // PAIRS: place of the home's o
export const BLOCK_LARGE = 40; // influences beyond the fourth: → records
export const BLOCK_LARGE_COUNT = 44;

/** A frame: where its arrays start. */
export const FRAME_BYTES = 96;
export const FRAME_BLOCKS = 0;
export const FRAME_REST = 4; // x̄
export const FRAME_REST_DIRECTIONS = 8; // n̄
export const FRAME_BONES = 12; // four u16 a vertex
export const FRAME_WEIGHTS = 16; // four f32 a vertex
export const FRAME_MATRICES = 20; // four columns of 16 bytes a bone
export const FRAME_SKIN = 24; // x, apexes behind
export const FRAME_SURFACE = 28; // y, apexes behind
export const FRAME_FIELD = 32; // n, turned
export const FRAME_FIELD_1 = 36; // n, swept
export const FRAME_FIELD_2 = 40; // n, swept twice
export const FRAME_SLOPES = 44; // dρ/dΣλφ, f32
export const FRAME_FADE = 48; // m, f32
export const FRAME_TIGHTNESS = 52; // 1/r², f32
export const FRAME_LAMBDA = 56; // λ, f32 by region
export const FRAME_ACTIVITY = 60; // f32 by region
export const FRAME_ORDER = 64; // place in the outputs, in bytes, of every vertex
export const FRAME_OUT_POSITIONS = 68;
export const FRAME_OUT_NORMALS = 72;
export const FRAME_OUT_SKINNED = 76;
export const FRAME_SHARES = 80; // ½ / n, f32, n = 0 … 255

/** How threads share a phase: see assembly/share-work.ts. */
export const CONTROL = 1024; // where the record stands in a memory
export const CONTROL_EPOCH = 0;
export const CONTROL_DONE = 4;
export const CONTROL_JOBS = 64; // ring of descriptions of phases
export const JOB_BYTES = 32;
export const JOB_COUNT = 16;
export const CONTROL_TICKETS = 576; // one per thread, a cache line each
export const TICKET_BYTES = 64;
export const MOST_THREADS = 32;
export const CONTROL_BYTES = 2624;
/** Every thread's own area vectors of a block, behind that record. */
export const SCRATCH = 4096;
export const SCRATCH_BYTES = 8192;
