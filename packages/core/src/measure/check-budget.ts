/**
 * Refuses work that would not end in reasonable time or memory, before it is begun.
 *
 *   work = Σ_clips moments · (#V + momentWork)  +  rayWork · rays · crowd,   and #V · #B where weights are made     (`LIMITS`)
 *
 * crowd: triangles in whose box a vertex lies, on average over some vertices; about 6 for a skin, hundreds where large
 * triangles cross each other, which no tree of boxes can tell apart. O(#T).
 */
import type { Character } from '../character/character.js';
import { IsoskinError } from '../error.js';
import { LIMITS } from '../limits.js';
import type { Surface } from '../mesh/surface.js';
import type { Clip } from '../skeleton/clip.js';

/** What will be done with a character, and how much of it is too much. */
export interface BudgetOptions {
  /** Clips that are played, at this many moments per second. Default: none. */
  readonly clips?: readonly Clip[];
  readonly rate?: number;
  /** Bones that every vertex is compared with. Default: none. */
  readonly bones?: number;
  /** Vertices × moments. Default: `LIMITS.work`. */
  readonly maxWork?: number | undefined;
  /** Bytes that may be kept; of everything that is played at once, as a bake does. */
  readonly maxMemory?: number | undefined;
}

/** Refuses, with a sentence, what would take too long or too much memory, before it is begun. */
export function checkBudget(character: Character, options: BudgetOptions): void {
  const { clips = [], rate = 0, bones = 0, maxWork = LIMITS.work, maxMemory = Number.POSITIVE_INFINITY } = options;
  const { vertexCount } = character.surface;
  const advice = (work: number) => `or let the command do it with --max-work ${Math.ceil(work / 1e6)}`;
  const rays = measureRayWork(character.surface);
  if (rays > maxWork) {
    const message = `Large triangles cross each other, so that every vertex lies among ${Math.round(measureCrowd(character.surface))} of them: that is too much work; delete or split them, ${advice(rays)}.`;
    throw new IsoskinError('TOO_MUCH_WORK', message, character.name);
  }
  if (vertexCount * bones > maxWork) {
    const message = `${vertexCount} vertices and ${bones} bones are too much work: take fewer, ${advice(vertexCount * bones)}.`;
    throw new IsoskinError('TOO_MUCH_WORK', message, character.name);
  }
  let moments = 0;
  for (const clip of clips) moments += clip.duration * rate + 1;
  const work = rays + moments * (vertexCount + LIMITS.momentWork);
  if (work > maxWork) {
    const longest = clips.reduce((a, b) => (b.duration > a.duration ? b : a));
    const what = `${clips.length === 1 ? 'the clip' : `${clips.length} clips, the longest`} "${longest.name}" of ${longest.duration.toPrecision(4)} s, ask for ${moments.toPrecision(3)} moments of ${vertexCount} vertices`;
    const message = `That is too much work, ${what}: check whether milliseconds were taken for seconds, choose clips (--clip) or fewer frames (--fps), ${advice(work)}.`;
    throw new IsoskinError('TOO_MUCH_WORK', message, character.name);
  }
  const bytes = LIMITS.momentBytes * moments * vertexCount;
  if (bytes > maxMemory) {
    const message = `${moments.toPrecision(3)} moments of ${vertexCount} vertices take ${Math.ceil(bytes / 2 ** 20)} MB, more than the ${Math.round(maxMemory / 2 ** 20)} MB that are allowed: choose clips (--clip) or fewer frames (--fps), or raise --max-memory.`;
    throw new IsoskinError('TOO_LARGE', message, character.name);
  }
}

/** Triangles in whose box a vertex of a good mesh lies: its own. */
const OWN = 12;
/** Planning casts rays from this many vertices at most (`planCoarseClusters`). */
const MOST_RAYS = 6_000;

function measureRayWork(surface: Surface): number {
  const foreign = Math.max(0, measureCrowd(surface) - OWN);
  return LIMITS.rayWork * Math.min(surface.vertexCount, MOST_RAYS) * foreign;
}

/** Box tests that are spent on finding it out. */
const LOOK = 20_000_000;

export function measureCrowd({ positions, triangles, vertexCount }: Surface): number {
  const triangleCount = triangles.length / 3;
  const looks = Math.min(vertexCount, 256, Math.max(16, Math.ceil(LOOK / triangleCount)));
  const box = new Float64Array(6);
  let found = 0;
  for (let t = 0; t < triangleCount; t++) {
    for (let r = 0; r < 3; r++) {
      const a = positions[3 * triangles[3 * t]! + r]!;
      const b = positions[3 * triangles[3 * t + 1]! + r]!;
      const c = positions[3 * triangles[3 * t + 2]! + r]!;
      box[r] = Math.min(a, b, c);
      box[r + 3] = Math.max(a, b, c);
    }
    for (let n = 0; n < looks; n++) {
      const v = 3 * Math.floor((n * vertexCount) / looks);
      let r = 0;
      while (r < 3 && positions[v + r]! >= box[r]! && positions[v + r]! <= box[r + 3]!) r++;
      if (r === 3) found++;
    }
  }
  return found / looks;
}
