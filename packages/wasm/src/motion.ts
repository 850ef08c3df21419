/**
 * Which blocks a phase runs on: those that bones, amounts or a block beside them have changed since they were made. What a block
 * holds is a function of these, so that the others hold the bits that they would get again.
 */
import type { Csr } from '@isoskin/core/mesh';
import { BLOCK_BYTES, BLOCK_SKIPPED } from './layout.js';
import type { BlockReach } from './plan-reach.js';

export class Motion {
  private readonly vertexBlocks: number;
  private readonly allBlocks: number;
  private readonly hasMoved: Uint8Array; // since the last evaluation
  private readonly isAway: Uint8Array; // from where SKIN has put it
  private readonly hasNormals: Uint8Array;
  private readonly isWritten: Uint8Array;
  private readonly changedBones: Uint8Array;
  private readonly changedShapes: Uint8Array;
  private readonly skinned: Float32Array; // amounts that y was skinned with
  private readonly written: Float32Array; // steps from y to the output
  private isKnown = false;
  private isWhole = true; // SKIN makes all blocks of this frame
  private skippedCount = 0;
  private lastFlags = 0;

  /** @param table the blocks as the kernels read them. */
  constructor(
    private readonly reach: BlockReach,
    private readonly table: Uint32Array,
  ) {
    const { bones, shapes, blocks } = reach;
    this.vertexBlocks = bones.offsets.length - 1;
    this.allBlocks = blocks.offsets.length - 1;
    this.hasMoved = new Uint8Array(this.vertexBlocks);
    this.isAway = new Uint8Array(this.vertexBlocks);
    this.hasNormals = new Uint8Array(this.vertexBlocks);
    this.isWritten = new Uint8Array(this.vertexBlocks);
    this.changedBones = new Uint8Array(bones.columns);
    this.changedShapes = new Uint8Array(shapes.columns);
    this.skinned = new Float32Array(shapes.columns);
    this.written = new Float32Array(shapes.columns);
  }

  /** Nothing is known of the blocks any more: all are made anew, and every phase runs on all until one is chosen for. */
  forget(): void {
    this.isKnown = false;
    this.skippedCount = 0;
    for (let b = 0; b < this.allBlocks; b++) this.table[(b * BLOCK_BYTES + BLOCK_SKIPPED) >> 2] = 0;
  }

  /** Bone matrices (#B×12) into four columns a bone; `skin` follows. */
  setBones(out: Float32Array, boneMatrices: Float64Array): void {
    const { changedBones } = this;
    let count = 0;
    for (let b = 0, from = 0; b < changedBones.length; b++) {
      let isSame = true;
      for (let to = 16 * b; to < 16 * b + 16; to++) {
        if ((to & 3) === 3) continue;
        const before = out[to];
        out[to] = boneMatrices[from++]!;
        if (out[to] !== before) isSame = false;
      }
      changedBones[b] = isSame ? 0 : 1;
      count += changedBones[b]!;
    }
    this.isWhole = !this.isKnown || count === changedBones.length;
    this.isKnown = false; // until they are skinned
  }

  // What follows chooses the blocks of the phase that comes next, and says whether there are any.

  /** SKIN at `amounts`, by shape. */
  skin(amounts: Float32Array, flags: number): boolean {
    const { bones, shapes } = this.reach;
    this.compareShapes(amounts, this.skinned);
    this.isWhole ||= flags !== this.lastFlags;
    this.lastFlags = flags;
    this.isKnown = true;
    if (this.isWhole) {
      this.hasMoved.fill(1);
      this.isWritten.fill(0);
      this.isAway.fill(0);
      return this.chooseAll();
    }
    let some = false;
    for (let b = 0; b < this.vertexBlocks; b++) {
      const isMoving = meets(bones, b, this.changedBones) || meets(shapes, b, this.changedShapes);
      if (!this.choose(b, isMoving || this.isAway[b] === 1)) continue;
      this.move(b, 0);
      some = true;
    }
    return some;
  }

  /** DISPLACE in place. */
  displace(steps: Float32Array): boolean {
    const { changedShapes } = this;
    let some = false;
    for (let s = 0; s < steps.length; s++) changedShapes[s] = steps[s] === 0 ? 0 : 1;
    for (let b = 0; b < this.vertexBlocks; b++) {
      if (!this.choose(b, meets(this.reach.shapes, b, changedShapes))) continue;
      this.move(b, 1);
      some = true;
    }
    return some;
  }

  /** Somebody else has moved y. */
  disturb(): void {
    for (let b = 0; b < this.vertexBlocks; b++) this.move(b, 1);
  }

  /** APEXES and EVALUATE. */
  evaluate(withNormals: boolean): boolean {
    const { hasMoved, hasNormals, vertexBlocks } = this;
    let some = false;
    for (let b = 0; b < this.allBlocks; b++) {
      const lacksNormals = withNormals && b < vertexBlocks && hasNormals[b] === 0;
      if (!this.choose(b, lacksNormals || meets(this.reach.blocks, b, hasMoved))) continue;
      if (b < vertexBlocks) hasNormals[b] = withNormals ? 1 : 0;
      some = true;
    }
    hasMoved.fill(0);
    return some;
  }

  /** NORMALS of blocks whose last evaluation did without. */
  measureNormals(): boolean {
    const { hasNormals } = this;
    if (!hasNormals.includes(0)) return false;
    for (let b = 0; b < this.vertexBlocks; b++) {
      if (!this.choose(b, hasNormals[b] === 0)) continue;
      hasNormals[b] = 1;
      this.isWritten[b] = 0; // NORMALS writes y
    }
    return true;
  }

  /** DISPLACE into the output. */
  write(steps: Float32Array): boolean {
    const { isWritten, changedShapes } = this;
    this.compareShapes(steps, this.written);
    if (this.isWhole) {
      isWritten.fill(1);
      return this.chooseAll();
    }
    let some = false;
    for (let b = 0; b < this.vertexBlocks; b++) {
      if (!this.choose(b, isWritten[b] === 0 || meets(this.reach.shapes, b, changedShapes))) continue;
      isWritten[b] = 1;
      some = true;
    }
    return some;
  }

  private choose(b: number, isChosen: boolean): boolean {
    const at = (b * BLOCK_BYTES + BLOCK_SKIPPED) >> 2;
    const skipped = isChosen ? 0 : 1;
    this.skippedCount += skipped - this.table[at]!;
    this.table[at] = skipped;
    return isChosen;
  }

  private chooseAll(): true {
    for (let b = 0; this.skippedCount > 0; b++) this.choose(b, true);
    return true;
  }

  private move(b: number, away: number): void {
    this.hasMoved[b] = 1;
    this.isWritten[b] = 0;
    this.isAway[b] = away;
  }

  private compareShapes(amounts: Float32Array, before: Float32Array): void {
    for (let s = 0; s < amounts.length; s++) this.changedShapes[s] = amounts[s] === before[s] ? 0 : 1;
    before.set(amounts);
  }
}

function meets({ offsets, values }: Csr, row: number, flags: Uint8Array): boolean {
  for (let i = offsets[row]!; i < offsets[row + 1]!; i++) if (flags[values[i]!] === 1) return true;
  return false;
}
