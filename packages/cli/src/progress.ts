import { plainText } from './plain-text.js';

const WIDTH = 24;

/** A bar on stderr while a person waits; nothing at all when stderr is not a terminal. */
export function createProgress(stream: NodeJS.WriteStream = process.stderr) {
  let last = -1;
  return {
    update(label: string, done: number, total: number): void {
      const filled = Math.round((WIDTH * done) / total);
      if (!stream.isTTY || filled === last) return;
      last = filled;
      stream.write(`\r\x1b[2K${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)} ${plainText(label)}`);
    },
    /** Takes the line away again. */
    clear(): void {
      if (stream.isTTY && last >= 0) stream.write('\r\x1b[2K');
      last = -1;
    },
  };
}
