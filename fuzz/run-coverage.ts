/**
 * Coverage-guided fuzzing without libFuzzer: V8 itself counts which blocks of the bundle an input has run, and inputs that ran
 * something new are kept and damaged again.
 *
 * Asking V8 costs milliseconds, an input microseconds: coverage is asked once per batch, and a batch that found something is run
 * again by halves until it is known which input it was.
 */
import { Session } from 'node:inspector';
import { createRandom, type Random } from './random-damages.js';

export interface AnyDoor {
  readonly seeds: readonly unknown[];
  enter(tree: unknown): string | Promise<string>;
  /** Changes a tree in place. */
  damage(tree: unknown, random: Random): void;
  /** Milliseconds that one input may take. */
  readonly patience: number;
  /** Inputs between two questions: few while there is much to find, many when nothing more is found. */
  readonly batch: { readonly least: number; readonly most: number };
}

export interface CoverageFigures {
  readonly executions: number;
  readonly seconds: number;
  /** Blocks of the code that were run. */
  readonly blocks: number;
  /** Inputs that found something. */
  readonly kept: readonly unknown[];
  readonly slowest: number;
  readonly answers: Readonly<Record<string, number>>;
}

export interface CoverageOptions {
  readonly seconds: number;
  readonly seed: number;
  /** Address of the script whose blocks count. */
  readonly url: string;
  readonly onFinding: (tree: unknown, error: unknown) => void;
}

export async function runCoverage(
  door: AnyDoor,
  { seconds, seed, url, onFinding }: CoverageOptions,
): Promise<CoverageFigures> {
  const random = createRandom(seed);
  const seen = new Set<string>();
  const coverage = openCoverage(url);
  const kept: unknown[] = [...door.seeds];
  const answers: Record<string, number> = {};
  let executions = 0;
  let slowest = 0;
  const time = async (tree: unknown): Promise<number> => {
    const start = performance.now();
    let answer = 'finding';
    try {
      answer = await door.enter(tree);
    } catch (error) {
      onFinding(tree, error);
    }
    executions++;
    answers[answer] = (answers[answer] ?? 0) + 1;
    return performance.now() - start;
  };
  const run = async (tree: unknown): Promise<void> => {
    let took = await time(tree);
    // A machine that does other things stops now and then; an input that hangs hangs again.
    if (took > door.patience) took = Math.min(took, await time(tree));
    slowest = Math.max(slowest, took);
    if (took > door.patience) onFinding(tree, new Error(`it took ${Math.round(took)} ms`));
  };
  /** Runs inputs and keeps those that found something, by halves; whether there was any. */
  const search = async (texts: readonly string[]): Promise<boolean> => {
    const trees = texts.map((text): unknown => JSON.parse(text));
    for (const tree of trees) await run(tree);
    const fresh = coverage.take().filter((block) => !seen.has(block));
    if (fresh.length === 0) return false;
    if (texts.length > 1) {
      const middle = texts.length >> 1;
      await search(texts.slice(0, middle));
      await search(texts.slice(middle));
    } else kept.push(JSON.parse(texts[0]!));
    // Also what only all of them together do, such as code that is compiled anew.
    for (const block of fresh) seen.add(block);
    return true;
  };
  for (const tree of kept) await run(tree);
  for (const block of coverage.take()) seen.add(block);
  const start = performance.now();
  for (let size = door.batch.least; performance.now() - start < 1000 * seconds; ) {
    const texts = Array.from({ length: size }, () => {
      const tree = structuredClone(kept[chooseParent(kept.length, random)]);
      door.damage(tree, random);
      return JSON.stringify(tree);
    });
    size = (await search(texts)) ? door.batch.least : Math.min(door.batch.most, 2 * size);
  }
  coverage.close();
  const took = (performance.now() - start) / 1000;
  return { executions, seconds: took, blocks: seen.size, kept: kept.slice(door.seeds.length), slowest, answers };
}

/** The newest are the most promising. */
function chooseParent(count: number, random: Random): number {
  if (random() < 0.5) return Math.floor(random() * count);
  return count - 1 - Math.floor(random() ** 2 * Math.min(count, 50));
}

interface CoverageAnswer {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly ranges: readonly { readonly startOffset: number; readonly endOffset: number; readonly count: number }[];
    }[];
  }[];
}

function openCoverage(url: string) {
  const session = new Session();
  session.connect();
  // In its own process the inspector answers before `post` returns.
  const ask = (method: string, parameters: object = {}): unknown => {
    let answer: unknown;
    session.post(method, parameters, (error, result) => {
      if (error) throw error;
      answer = result;
    });
    return answer;
  };
  ask('Profiler.enable');
  ask('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  return {
    take(): string[] {
      const { result } = ask('Profiler.takePreciseCoverage') as CoverageAnswer;
      const own = result.filter((script) => script.url === url);
      return own.flatMap(({ functions }) =>
        functions.flatMap(({ ranges }) =>
          ranges.flatMap(({ startOffset, endOffset, count }) => (count > 0 ? [`${startOffset}-${endOffset}`] : [])),
        ),
      );
    },
    close(): void {
      ask('Profiler.stopPreciseCoverage');
      session.disconnect();
    },
  };
}
