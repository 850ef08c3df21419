/** What a part of the soak is: random acts, what memory they leave, and an end. */
import { readdirSync, readFileSync } from 'node:fs';
import type { CDPSession } from 'playwright-core';

export type Random = () => number;

export interface Acts {
  /** One act; `word` is what came out, the same for every act of this name. */
  act(random: Random): Promise<{ readonly name: string; readonly word?: string }>;
  /** After everything was collected that can be. Numbers, megabytes where not said otherwise. */
  measure(): Promise<Record<string, number>>;
  /** The numbers that must not grow. */
  readonly bounded: readonly string[];
  close(): Promise<void>;
}

/** Many acts tell more than large ones. */
export const SMALL_DEMOS = ['cat', 'toy', 'finger', 'tube'];

export const choose = <T>(list: readonly T[], random: Random): T => list[Math.floor(random() * list.length)]!;
export const megabytes = (bytes: number): number => Number((bytes / 2 ** 20).toFixed(1));

/** Models beside the repository, where there are any: [name, bytes]. */
export function listModels(folder = '../shared/models'): [string, Uint8Array][] {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith('.glb'));
    return names.map((name) => [name, new Uint8Array(readFileSync(`${folder}/${name}`))]);
  } catch {
    return [];
  }
}

/** Memory of a page: its heap, nodes and listeners after a collection, and what all processes of the browser hold. */
export async function measurePage(session: CDPSession): Promise<Record<string, number>> {
  await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  const of = (wanted: string) => metrics.find(({ name }) => name === wanted)!.value;
  return {
    heap: megabytes(of('JSHeapUsedSize')),
    nodes: of('Nodes'),
    listeners: of('JSEventListeners'),
    ...measureChildren(),
  };
}

/** Resident memory of this process's descendants (Linux): the pages, what draws, and all of them together. */
function measureChildren(): Record<string, number> {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
    } catch {} // it has ended meanwhile
  }
  const isOurs = (pid: number): boolean => {
    const parent = parents.get(pid);
    return parent === process.pid || (parent !== undefined && parent > 1 && isOurs(parent));
  };
  let [renderers, gpu, all] = [0, 0, 0];
  for (const pid of [...parents.keys()].filter(isOurs)) {
    try {
      const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]);
      all += 4096 * pages;
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      if (command.includes('--type=renderer')) renderers += 4096 * pages;
      if (command.includes('--type=gpu-process')) gpu += 4096 * pages;
    } catch {}
  }
  return { renderers: megabytes(renderers), gpu: megabytes(gpu), browser: megabytes(all) };
}
