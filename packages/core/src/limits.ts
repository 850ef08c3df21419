/**
 * The one table of limits: what a file may ask for before anything is done with it. They are far above what characters need,
 * and low enough that a damaged or hostile file gets a sentence instead of the machine's memory and the evening.
 */
export const LIMITS = {
  /**
   * Work of a command, in vertices × moments (`checkBudget`): about 1.5 µs and, in a bake, 12 bytes each. Six minutes of one
   * core, 3 GB. `--max-work` sets another.
   */
  work: 250e6,
  /** What a moment costs however few vertices there are, in vertices. */
  momentWork: 1000,
  /** What a vertex that lies in the box of a foreign triangle costs when rays are cast in planning (4 µs; 250e6 are 20 s). */
  rayWork: 60,
  /** Bytes that a bake keeps of a vertex at a moment. */
  momentBytes: 12,
  /** Moments of one clip: four and a half hours at 60 a second. */
  moments: 1_000_000,
  /** Nodes of a file, and joints of all its skins together. A node takes about 3 kB when read. */
  nodes: 100_000,
  joints: 100_000,
  nodeBytes: 3000,
  /** How deep JSON may be nested: extras go a few levels, and everything that copies them calls itself for each. */
  depth: 200,
  /** Bytes read from a pipe, which does not say how much it holds, and of a stack, scene or key file. */
  pipe: 2 ** 30,
  text: 64 * 2 ** 20,
  /** Milliseconds that a pipe may stay silent. */
  silence: 30_000,
} as const;
