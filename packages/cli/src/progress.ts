import { plainText } from './plain-text.js';

const WIDTH = 24;

export interface Progress {
  update(label: string, done: number, total: number): void;
  /** Takes the line away again. */
  clear(): void;
}

/** A bar on stderr while a person waits; nothing at all when stderr is not a terminal. */
export function createProgress(stream: NodeJS.WriteStream = process.stderr): Progress {
  let last = -1;
  return {
    update(label, done, total) {
      const filled = Math.round((WIDTH * done) / total);
      if (!stream.isTTY || filled === last) return;
      last = filled;
      stream.write(`\r\x1b[2K${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)} ${plainText(label)}`);
    },
    clear() {
      if (stream.isTTY && last >= 0) stream.write('\r\x1b[2K');
      last = -1;
    },
  };
}
