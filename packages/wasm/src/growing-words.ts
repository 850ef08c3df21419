/** A list of 32-bit words that grows; whole numbers and floats share it. */
export class GrowingWords {
  length = 0;
  private words: Uint32Array;
  private floats: Float32Array;

  constructor(capacity = 1024) {
    this.words = new Uint32Array(capacity);
    this.floats = new Float32Array(this.words.buffer);
  }

  push(word: number): void {
    if (this.length === this.words.length) this.grow();
    this.words[this.length++] = word;
  }

  pushFloat(value: number): void {
    if (this.length === this.words.length) this.grow();
    this.floats[this.length++] = value;
  }

  get byteLength(): number {
    return 4 * this.length;
  }

  /** What was pushed so far; valid until the next push. */
  get view(): Uint32Array {
    return this.words.subarray(0, this.length);
  }

  private grow(): void {
    const words = new Uint32Array(2 * this.words.length);
    words.set(this.words);
    this.words = words;
    this.floats = new Float32Array(words.buffer);
  }
}
