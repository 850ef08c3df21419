/**
 * Memory for characters. A slab is one WebAssembly.Memory that never grows, so that the arrays handed out stay valid; many
 * characters stand in one slab, what they leave is used again, and an empty slab is given back.
 */
import { IsoskinError } from '@isoskin/core/amounts';
import { MOST_THREADS, SCRATCH, SCRATCH_BYTES } from './layout.js';

/** What the compiled kernels export. */
export interface FrameCode {
  runBlocks(frame: number, phase: number, flags: number, from: number, to: number): void;
  openPhase(frame: number, phase: number, flags: number, from: number, to: number, threads: number): void;
  takeBlocks(me: number): void;
  awaitBlocks(count: number, patience: number): number;
  work(me: number, patience: number): void;
  swing(flesh: number, surface: number): void;
}

export interface Slab {
  readonly id: number;
  readonly memory: WebAssembly.Memory;
  readonly code: FrameCode;
}

export interface Room {
  readonly slab: Slab;
  /** First byte. */
  readonly base: number;
  free(): void;
}

export interface Slabs {
  /** @param spare bytes that must be left behind it in the same slab. */
  find(byteLength: number, spare?: number): Room;
  /** Room in the slab of this memory, if it has any. */
  findIn(memory: ArrayBufferLike, byteLength: number): Room | undefined;
  /** Bytes of all slabs. */
  readonly byteLength: number;
}

export interface SlabOptions {
  readonly module: WebAssembly.Module;
  readonly shared: boolean;
  onOpen?(slab: Slab): void;
  onClose?(slab: Slab): void;
}

const PAGE = 65536;
const ALIGNMENT = 64;
const FIRST_BYTE = SCRATCH + MOST_THREADS * SCRATCH_BYTES;
/** A slab is at least this large, and as large as all others together up to the second number. */
const SMALLEST = 1 << 22;
const LARGEST = 1 << 29;

interface Shelf {
  readonly slab: Slab;
  readonly byteLength: number;
  /** Free ranges, from and to, in order. */
  readonly gaps: [number, number][];
}

export function openSlabs({ module, shared, onOpen, onClose }: SlabOptions): Slabs {
  const shelves = new Set<Shelf>();
  let lastId = 0;

  function countBytes(): number {
    let sum = 0;
    for (const shelf of shelves) sum += shelf.byteLength;
    return sum;
  }

  function openShelf(byteLength: number): Shelf {
    const wanted = Math.max(FIRST_BYTE + byteLength, SMALLEST, Math.min(LARGEST, countBytes()));
    const pages = Math.ceil(wanted / PAGE);
    const memory = createMemory(pages, shared);
    const code = new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as FrameCode;
    const slab = { id: ++lastId, memory, code };
    const shelf: Shelf = { slab, byteLength: pages * PAGE, gaps: [[FIRST_BYTE, pages * PAGE]] };
    shelves.add(shelf);
    onOpen?.(slab);
    return shelf;
  }

  return {
    get byteLength() {
      return countBytes();
    },
    find(byteLength, spare = 0) {
      const [size, more] = [align(byteLength), align(spare)];
      for (const shelf of shelves) {
        const gap = findGap(shelf, size + more);
        if (gap) return take(shelf, gap, size);
      }
      const shelf = openShelf(size + more);
      return take(shelf, shelf.gaps[0]!, size);
    },
    findIn(memory, byteLength) {
      for (const shelf of shelves) {
        const gap = shelf.slab.memory.buffer === memory && findGap(shelf, align(byteLength));
        if (gap) return take(shelf, gap, align(byteLength));
      }
      return undefined;
    },
  };

  function align(byteLength: number): number {
    return ALIGNMENT * Math.ceil(byteLength / ALIGNMENT);
  }

  function findGap({ gaps }: Shelf, size: number): [number, number] | undefined {
    return gaps.find(([from, to]) => to - from >= size);
  }

  function take(shelf: Shelf, gap: [number, number], size: number): Room {
    const base = gap[0];
    gap[0] += size;
    let taken = true;
    return {
      slab: shelf.slab,
      base,
      free() {
        if (!taken) return;
        taken = false;
        release(shelf, base, base + size);
      },
    };
  }

  function release(shelf: Shelf, from: number, to: number): void {
    const { gaps } = shelf;
    gaps.push([from, to]);
    gaps.sort(([a], [b]) => a - b);
    for (let i = gaps.length - 1; i > 0; i--) {
      if (gaps[i]![0] > gaps[i - 1]![1]) continue;
      gaps[i - 1]![1] = gaps[i]![1];
      gaps.splice(i, 1);
    }
    if (gaps.length > 1 || gaps[0]![0] > FIRST_BYTE || gaps[0]![1] < shelf.byteLength) return;
    shelves.delete(shelf);
    onClose?.(shelf.slab);
  }
}

function createMemory(pages: number, shared: boolean): WebAssembly.Memory {
  try {
    return new WebAssembly.Memory({ initial: pages, maximum: pages, shared });
  } catch (cause) {
    const size = `${Math.ceil((pages * PAGE) / 2 ** 20)} MB`;
    const message = `There is no memory of ${size} for the character; dispose of characters that are not seen, or take fewer vertices.`;
    throw new IsoskinError('WASM_NO_MEMORY', message, '', { cause });
  }
}
