/** Plans in the browser's database (IndexedDB), by key; where there is none, nothing is found and nothing kept. The oldest go first. */

const NAME = 'isoskin-plans';
const STORE = 'plans';
/** Plans that are kept. */
const MOST = 64;

interface Row {
  readonly key: string;
  readonly bytes: Uint8Array;
  readonly time: number;
}

export async function readStoredPlan(key: Uint8Array): Promise<Uint8Array | undefined> {
  const row = await use<Row | undefined>('readonly', (store) => store.get(write(key)));
  return row?.bytes;
}

export async function storePlan(key: Uint8Array, bytes: Uint8Array): Promise<void> {
  await use('readwrite', (store) => store.put({ key: write(key), bytes, time: Date.now() }));
  const keys = (await use<string[]>('readonly', (store) => store.index('time').getAllKeys())) ?? [];
  for (const old of keys.slice(0, Math.max(0, keys.length - MOST)))
    await use('readwrite', (store) => store.delete(old));
}

export async function clearStoredPlans(): Promise<void> {
  await use('readwrite', (store) => store.clear());
}

function write(key: Uint8Array): string {
  return Array.from(key, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The part of IndexedDB that is used here; core knows no page. */
interface Request<T> {
  result: T;
  onsuccess: () => void;
  onerror: () => void;
}
interface Store {
  get(key: string): Request<unknown>;
  put(row: Row): Request<unknown>;
  delete(key: string): Request<unknown>;
  clear(): Request<unknown>;
  createIndex(name: string, path: string): void;
  index(name: string): { getAllKeys(): Request<unknown> };
}
interface Database {
  createObjectStore(name: string, options: { keyPath: string }): Store;
  transaction(name: string, mode: 'readonly' | 'readwrite'): { objectStore(name: string): Store };
}
declare const indexedDB: { open(name: string): Request<Database> & { onupgradeneeded: () => void } } | undefined;

let opening: Promise<Database> | undefined;

function open(): Promise<Database> {
  const request = indexedDB!.open(NAME);
  request.onupgradeneeded = () =>
    request.result.createObjectStore(STORE, { keyPath: 'key' }).createIndex('time', 'time');
  return settle(request);
}

function settle<T>(request: Request<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request);
  });
}

/** Undefined where the browser forbids it: a plan can always be made again. */
async function use<T>(mode: 'readonly' | 'readwrite', ask: (store: Store) => Request<unknown>): Promise<T | undefined> {
  try {
    const database = await (opening ??= open());
    return (await settle(ask(database.transaction(STORE, mode).objectStore(STORE)))) as T;
  } catch {
    return undefined;
  }
}
