/** The f64 loops of a bake in WASM, without SIMD and so small that they are compiled on the spot, each use in a memory of its own. */
import { decodeBase64 } from './decode-base64.js';
import { BAKE_CODE } from './generated/bake-code.js';

type List = Float64Array | Float32Array | Uint32Array;
type Pointers<Count extends number, Found extends number[] = []> = Found['length'] extends Count
  ? Found
  : Pointers<Count, [...Found, number]>;

/** What the compiled kernels export; arguments are places of a room, in bytes, and counts. */
export interface BakeCode {
  morphPoints(...places: Pointers<7>): void;
  pushPoints(...places: Pointers<9>): void;
  skinPoints(...places: Pointers<9>): void;
  gatherPoints(...places: Pointers<4>): void;
  comparePoints(...places: Pointers<5>): void;
  sumTetrahedra(...places: Pointers<5>): void;
}

export interface Room<Lists> {
  readonly code: BakeCode;
  /** The lists in its memory, and their places. */
  readonly lists: Lists;
  readonly at: { readonly [Name in keyof Lists]: number };
  readonly memory: ArrayBuffer;
}

let module: WebAssembly.Module | undefined;

/** A room with copies of lists in it, those to be filled among them. */
export function openRoom<const Lists extends Readonly<Record<string, List>>>(lists: Lists): Room<Lists> {
  module ??= new WebAssembly.Module(decodeBase64(BAKE_CODE));
  let end = FIRST;
  const at = Object.entries(lists).map(([name, { byteLength }]): [string, number] => {
    const place = end;
    end += Math.ceil(byteLength / 16) * 16;
    return [name, place];
  });
  const memory = new WebAssembly.Memory({ initial: Math.ceil(end / PAGE) });
  const { exports } = new WebAssembly.Instance(module, { env: { memory } });
  const views = at.map(([name, place]): [string, List] => {
    const list = lists[name]!;
    const view = new (list.constructor as Float64ArrayConstructor)(memory.buffer, place, list.length);
    view.set(list);
    return [name, view];
  });
  return {
    code: exports as unknown as BakeCode,
    lists: Object.fromEntries(views) as Lists,
    at: Object.fromEntries(at) as Room<Lists>['at'],
    memory: memory.buffer,
  };
}

const PAGE = 65536;
/** No list is at 0, which says that there is none. */
const FIRST = 64;
