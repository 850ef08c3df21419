/**
 * Where things stand in the shared memory: read by the TypeScript side and, as it is, by the AssemblyScript side. Plain
 * whole numbers only. All records are lists of 32-bit words; the numbers below count bytes.
 *
 * A vertex is 16 bytes (x y z and one lane of no meaning), 12 where it is only read in order. Vertices stand in blocks: all of a
 * block belong to one region, a block starts at a multiple of four, and its sums are its own, so that any number of threads gives
 * the same bits.
 */

/** Phases of a frame. */
export const SKIN = 0; // y = x + Σ λ φ n and n from x̄, n̄
export const APEXES = 1; // apexes, as means of their members, and their derivatives
export const EVALUATE = 2; // V, ∂V/∂λ and normals of y
export const NORMALS = 3; // normals of y, and y, in the caller's order: plain skinning
export const DISPLACE = 4; // y + Σ λ φ n

/** Bits that say more about a phase. */
export const WITH_DIRECTIONS = 1; // SKIN: also turns n
export const WITH_SKINNED = 2; // SKIN: also writes x in the caller's order
export const WITH_GIVEN = 4; // SKIN: displaces by the shapes whose amounts are given
export const WITH_AMOUNTS = 8; // SKIN: and by those that are solved for, as some λ is not 0
export const WITHOUT_NORMALS = 1; // EVALUATE: V and ∂V/∂λ alone
export const WITH_POSITIONS = 1; // DISPLACE: the result goes into the output, in the caller's order, and nowhere else

/** Kinds of blocks. */
export const INNER = 0; // vertices that count with one region, their home
export const BORDER = 1; // vertices that have no home
export const PAIRS = 2; // (region, vertex) pairs of one region, taken back from one home
export const APEX_PAIRS = 3; // (region, apex) pairs of one region
export const APEX = 4; // one apex

/** A block. */
export const BLOCK_SIZE = 256; // most vertices: 24 kB with all that SKIN reads and writes of them, which stay in the first cache
export const BLOCK_BYTES = 52;
export const BLOCK_KIND = 0;
export const BLOCK_FIRST = 4; // first vertex, or 0
export const BLOCK_COUNT = 8; // vertices (a multiple of 4), pairs; members of an apex
export const BLOCK_RINGS = 12; // → polygons (INNER, BORDER), records (PAIRS …)
export const BLOCK_BASES = 16; // → φ
export const BLOCK_ANCHOR = 20; // place of o in an array of vertices
export const BLOCK_SUMS = 24; // → 16 bytes: f64 3V, f64 3V to take back from the home (PAIRS); then 16 bytes for each of its columns of ∂V/∂λ: f64 in the end
export const BLOCK_COLUMNS = 28; // how many columns; APEX: how many derivatives
export const BLOCK_PLACE = 32; // APEX: its place in an array of vertices
export const BLOCK_HOME_ANCHOR = 32; // PAIRS: place of the home's o
export const BLOCK_LARGE = 36; // influences beyond the fourth: → records
export const BLOCK_LARGE_COUNT = 40;
export const BLOCK_GIVEN = 44; // → values of the shapes whose amounts are given, like φ
export const BLOCK_SKIPPED = 48; // 1: the phase leaves it as it is (motion.ts)

/** A frame: where its arrays start. */
export const FRAME_BYTES = 48;
export const FRAME_BLOCKS = 0;
export const FRAME_REST = 4; // x̄ (three f32), bones (four u16), weights (four f32): all that plain skinning reads
export const REST_BYTES = 36; // a vertex
export const REST_BONES = 12;
export const REST_WEIGHTS = 20;
export const FRAME_REST_DIRECTIONS = 8; // n̄, 12 bytes a vertex
export const FRAME_MATRICES = 12; // four columns of 16 bytes a bone
export const FRAME_SURFACE = 16; // y, apexes behind
export const FRAME_FIELD = 20; // n = A n̄
export const FRAME_LAMBDA = 24; // f32 by shape: λ (SKIN), or what it changes by (DISPLACE)
export const FRAME_ORDER = 28; // place in the outputs, in bytes, of every vertex
export const FRAME_OUT_POSITIONS = 32;
export const FRAME_OUT_NORMALS = 36;
export const FRAME_OUT_SKINNED = 40;

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
/** Every thread's own area vectors of a block, behind that record. */
export const SCRATCH = 4096;
export const SCRATCH_BYTES = 4096;

/** What swings: where its arrays start. */
export const FLESH_BYTES = 40;
export const FLESH_COUNT = 0; // soft vertices
export const FLESH_MODES = 4; // a multiple of four
export const FLESH_REST = 8; // x̄ and (½ℓ)⁻², four f32 a vertex
export const FLESH_ENDS = 12; // where the influences of each vertex end
export const FLESH_INFLUENCES = 16; // byte of the matrix, weight (f32)
export const FLESH_MATRICES = 20; // four columns of 16 bytes
export const FLESH_VALUES = 24; // f32, #modes a vertex
export const FLESH_AMOUNTS = 28; // 16 bytes a mode
export const FLESH_OUT = 32; // 16 bytes a vertex
export const FLESH_PLACES = 36; // byte of the surface where a vertex stands, which is moved there

/**
 * What folds: where its arrays start. Its vertices: old ones that do not move, filled up to a multiple of four with at least one that is none, old ones that do,
 * filled up too, then new ones, level by level: regular ones, filled up too, and the others.
 */
export const FOLD_BASE = 4096; // where the record stands in a memory of its own
export const FOLD_BYTES = 192;
export const FOLD_COUNT = 0; // all vertices, a multiple of four
export const FOLD_OLD = 4; // those before the new ones
export const FOLD_FIRST = 108; // those before the first that moves
export const FOLD_LEVELS = 8; // by level: quads of regular vertices, other vertices
export const FOLD_LEVEL_COUNT = 12;
export const FOLD_POSITIONS = 16; // about an origin, 16 bytes a vertex
export const FOLD_NORMALS = 20;
export const FOLD_STATES = 24; // of four vertices each: f32 Σ of heights, given, Σ of sinks
export const FOLD_FADES = 28; // f32
export const FOLD_STENCILS = 32; // → positions; regular: of the eight points; others: entries, two parents, then points and f32 weights
export const FOLD_PATCHES = 36; // three places, f32 area, f32 room
export const FOLD_PATCH_BYTES = 20;
export const FOLD_PATCH_COUNT = 40;
export const FOLD_ROOMS = 44; // → f32, two a vertex: the lesser one is its room
export const FOLD_RIM = 48; // triangles beside the patches: three places, f32 share of the corners that are of patches
export const FOLD_RIM_COUNT = 52;
export const FOLD_RINGS = 56; // polygons around the vertices that move, by four: 1 and six points each, or 0 and for each bytes but for two points; → positions
export const FOLD_TARGETS = 60; // where a vertex goes in the outputs
export const FOLD_OUT_POSITIONS = 64; // three f64 a vertex
export const FOLD_OUT_NORMALS = 68;
export const FOLD_ORIGIN = 72; // three f64
export const FOLD_COMBINE = 96; // 0 add, 1 max, 2 smooth
export const FOLD_TOOL_COUNT = 100;
export const FOLD_SOURCES = 104; // where old vertices stand in the outputs
export const FOLD_AREAS = 112; // four vectors: areas around the vertices at hand
export const FOLD_OWN_ROOMS = 176; // f32 a vertex, of old ones

/** A tool, behind that record. */
export const TOOL_BYTES = 112;
export const TOOL_QUADS = 0; // four vertices in a row: place of the first, masks, shares of area, → patches
export const TOOL_QUAD_COUNT = 4;
export const TOOL_LIFTS = 8; // of four vertices each: f32 heights, sinks
export const TOOL_RECTS = 12; // as `tool-rectangles.ts` of core writes them, f32
export const RECT_NUMBERS = 14;
export const TOOL_RECT_COUNT = 16;
export const TOOL_CURVE = 20; // f32 heights
export const TOOL_STEPS = 24; // f32 steps of the curve, in all, and by length
export const TOOL_STEPS_BY_LENGTH = 28;
export const TOOL_SPAN = 32; // f32
export const TOOL_SLOPE = 36; // f32
export const TOOL_ACROSS = 40; // f32 2/width
export const TOOL_ATTENUATION = 44; // 0 none, 1 linear, 2 wyvill
export const TOOL_SMOOTH = 48; // the profile
export const TOOL_FADE = 52; // f32, 0: it does not fold
export const TOOL_SCALE = 56; // f32 s, c·s: what `addLifts` takes
export const TOOL_DEPTH = 60;
export const TOOL_LIFTED = 64; // f32 Σ area·height, Σ area·sink
export const TOOL_ROOM = 68;
export const LINE_VERTICES = 72; // of its line, filled up to a multiple of four: place, → two rooms
export const LINE_COUNT = 76;
export const LINE_STATES = 80; // 16 bytes a vertex
export const LINE_ENTRIES = 84; // by tool that moves it: how many; where in LINE_LIFTS, → lift
export const LINE_POINTS = 88; // three 16·slot, three f32 weights
export const LINE_POINT_COUNT = 92; // a multiple of four: the last ones are one
export const LINE_ROOMS = 96; // f32
export const LINE_LIFTS = 100; // by tool that moves it, of four vertices each: f32 heights, sinks
export const LINE_TOOLS = 104; // → tools that move it
export const LINE_TOOL_COUNT = 108;

/** What may touch: where its arrays start. k, j: samples; a place is 16 k. */
export const SEARCH_BYTES = 144;
export const SEARCH_COUNT = 0; // samples
export const SEARCH_POINTS = 4; // 16 bytes a sample
export const SEARCH_SKIN = 8; // the skinned surface, 16 bytes a vertex
export const SEARCH_NORMALS = 12; // 16 bytes a sample
export const SEARCH_WIDE_NORMALS = 16; // three f64
export const SEARCH_SAMPLES = 20;
export const SAMPLE_BYTES = 48;
export const SAMPLE_REST = 0; // x̄, thickness
export const SAMPLE_NORMAL = 16; // n̄, 1/(6 |ā|)
export const SAMPLE_RING = 32; // → polygon: bytes but for two points, → the skinned surface
export const SAMPLE_INFLUENCES = 36; // → byte of a matrix, f32 weight; and their end
export const SAMPLE_INFLUENCES_END = 40;
export const SEARCH_RINGS = 24;
export const SEARCH_INFLUENCES = 28;
export const SEARCH_MATRICES = 32; // four columns of 16 bytes
export const SEARCH_LISTS = 36;
export const SEARCH_LIST_COUNT = 40;
export const LIST_BYTES = 20; // → links, their end, → keys, → quads, how many
export const SEARCH_LINKS = 44; // place of the motion in f64, 0, f64 lever
export const LINK_BYTES = 16;
export const SEARCH_TURNS = 48; // f64
export const SEARCH_SHIFTS = 52; // f64
export const SEARCH_KEYS = 56; // f64, the least of a quad, ascending in a list
export const SEARCH_QUADS = 60; // four pairs each, the last of a list filled up
export const QUAD_BYTES = 48;
export const QUAD_LIMITS = 32; // behind four times → two points: four f32, squares of the distances at which pairs are near
export const SEARCH_FAR = 64; // quads of nodes: four times → two balls, four f32 reaches, NaN where there is none
export const SEARCH_FAR_COUNT = 68; // quads
export const SEARCH_NODES = 72; // places of its samples, from and to; 16 times its second child, 0 for a leaf; f32 reach
export const SEARCH_BALLS = 76; // centre and radius
export const SEARCH_NODE_COUNT = 80;
export const SEARCH_STACK = 84;
export const SEARCH_FOUND = 88; // two places, f32 1/r²
export const PAIR_BYTES = 12;
export const SEARCH_MOST = 92; // pairs that there is room for
export const SEARCH_OUT_PAIRS = 96; // 3k, 3j
export const SEARCH_OUT_INVERSES = 100; // f64
export const SEARCH_SIGN = 104; // f32, −1: the bones mirror
export const SEARCH_WIDER = 108; // f32
export const SEARCH_REACH = 112; // f32: of `ContactConstants`
export const SEARCH_CLOSER = 116;
export const SEARCH_HIDDEN = 120;
export const SEARCH_HITS = 124; // → a quad, and in the last four bits which of its pairs are near
export const SEARCH_ASKED = 128; // places of the samples whose normals are asked for
export const SEARCH_MARKS = 132; // a byte a sample, 1: it is asked for
