/** One export, off the page. Cancelling is ending the worker. */
import { type ExportProgress, type ExportRequest, type ExportResult, exportCharacter } from './export-character.js';

export type ExportMessage =
  | { readonly kind: 'progress'; readonly progress: ExportProgress }
  | { readonly kind: 'done'; readonly result: ExportResult }
  | { readonly kind: 'failed'; readonly message: string };

const scope = globalThis as unknown as {
  onmessage: ((event: MessageEvent<ExportRequest>) => void) | null;
  postMessage(message: ExportMessage, transfer?: Transferable[]): void;
};

scope.onmessage = async ({ data }) => {
  try {
    const result = await exportCharacter(data, (progress) => scope.postMessage({ kind: 'progress', progress }));
    scope.postMessage({ kind: 'done', result }, [result.glb.buffer, result.input.buffer]);
  } catch (error) {
    scope.postMessage({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
  }
};
