/** A thread of `isoskin bake`: every message is answered by one, in their order. */
import { parentPort } from 'node:worker_threads';
import { createBakeThread } from '@isoskin/gltf/thread';
import type { BakeReportData, drawStill, ReportPictures } from '@isoskin/report';

/** What a thread is told, or asked. */
export type ThreadMessage =
  | { readonly kind: string; readonly work: unknown }
  | { readonly kind: string; readonly task: unknown };

const port = parentPort!;
const thread = createBakeThread();
let draw: ((still: Parameters<typeof drawStill>[1]) => Promise<string>) | undefined;
let last: Promise<void> = Promise.resolve();

async function answer(message: ThreadMessage): Promise<void> {
  const isPictures = message.kind === 'pictures';
  if ('work' in message) {
    await (isPictures ? preparePictures(message.work as BakeReportData) : thread.share(message.kind, message.work));
    port.postMessage(undefined);
  } else {
    const found = await (isPictures ? draw!(message.task as never) : thread.answer(message.kind, message.task));
    port.postMessage(found, listBuffers(found));
  }
}

async function preparePictures({
  triangles,
  parts,
  pictures,
}: Pick<BakeReportData, 'triangles' | 'parts'> & { readonly pictures?: ReportPictures }): Promise<void> {
  const { drawStill } = await import('@isoskin/report');
  draw = (still) => drawStill(triangles, still, parts, pictures);
}

/** What an answer is made of moves to whoever asked. */
function listBuffers(found: unknown): ArrayBuffer[] {
  if (ArrayBuffer.isView(found)) return [found.buffer as ArrayBuffer];
  return typeof found === 'object' && found !== null ? Object.values(found).flatMap(listBuffers) : [];
}

port.on('message', (message: ThreadMessage) => {
  last = last.then(() => answer(message));
});
