/** What blocks are made of while they are planned (layout.ts says how it is read). */
import { GrowingWords } from './growing-words.js';

/** A block; places in lists and arrays are bytes from their start. */
export interface Block {
  readonly kind: number;
  /** Whose volume its sums belong to; −1: nobody's. */
  readonly region: number;
  readonly first: number;
  readonly count: number;
  readonly rings: number;
  readonly bases: number;
  readonly given: number;
  /** Its sums; of an apex: its derivatives. */
  readonly sums: number;
  /** Shapes of the columns of ∂V/∂λ. */
  readonly columns: readonly number[];
  /** Shapes of given amounts that it has values of. */
  readonly givenShapes: readonly number[];
  /** PAIRS: the region that its sums are taken back from; −1: none. */
  readonly home: number;
  readonly place: number;
  readonly large: number;
  readonly largeCount: number;
}

const EMPTY: Block = {
  kind: 0,
  region: -1,
  first: 0,
  count: 0,
  rings: 0,
  bases: 0,
  given: 0,
  sums: 0,
  columns: [],
  givenShapes: [],
  home: -1,
  place: 0,
  large: 0,
  largeCount: 0,
};

export interface BlockLists {
  readonly blocks: Block[];
  readonly rings: GrowingWords;
  readonly bases: GrowingWords;
  readonly given: GrowingWords;
  readonly records: GrowingWords;
  /** Words of `records` that point to derivatives. */
  readonly pointers: number[];
  sumBytes: number;
  derivativeBytes: number;
}

export function createBlockLists(): BlockLists {
  return {
    blocks: [],
    rings: new GrowingWords(),
    bases: new GrowingWords(),
    given: new GrowingWords(),
    records: new GrowingWords(),
    pointers: [],
    sumBytes: 0,
    derivativeBytes: 0,
  };
}

/** Adds a block with room for its sums. */
export function addBlock(
  lists: BlockLists,
  block: Partial<Block> & Pick<Block, 'kind' | 'count'>,
  columns: Columns,
): void {
  lists.blocks.push({ ...EMPTY, sums: lists.sumBytes, columns: columns.list, ...block });
  if (block.sums === undefined) lists.sumBytes += 16 * (1 + columns.list.length);
}

export interface Columns {
  readonly list: number[];
  /** Number of a shape among the columns; added when new. */
  find(shape: number): number;
}

export function createColumns(): Columns {
  const list: number[] = [];
  const numbers = new Map<number, number>();
  return {
    list,
    find(shape) {
      let number = numbers.get(shape);
      if (number === undefined) {
        number = list.length;
        numbers.set(shape, number);
        list.push(shape);
      }
      return number;
    },
  };
}
