/** Files that a person drops or picks: a .glb or .vrm, a .gltf with what lies beside it, or a stack. */
import { useEffect, useState } from 'preact/hooks';
import { pickFiles } from '../controls/files.js';
import type { SourceData } from '../engine/protocol.js';
import { createFileSource } from '../state/create-file-source.js';
import type { Studio } from '../state/studio.js';
import { loadStack } from './load-stack.js';
import { useStudio } from './studio-context.js';

export async function openFiles(studio: Studio, files: readonly File[]): Promise<void> {
  const model = files.find(({ name }) => /\.(glb|gltf|vrm)$/i.test(name));
  const stack = files.find(({ name }) => /\.json$/i.test(name));
  if (model) {
    const beside = files.filter((file) => file !== model);
    await studio.open(createFileSource(model.name), readFiles(model, beside));
    return;
  }
  if (stack) return loadStack(studio, stack.text(), `“${stack.name}”`);
  const [first] = files;
  if (first) {
    const text = 'The studio opens .glb, .gltf and .vrm characters with a skeleton, and stack.json files.';
    studio.notices.show('error', `“${first.name}” cannot be opened`, text);
  }
}

async function readFiles(model: File, beside: readonly File[]): Promise<SourceData> {
  const read = async (file: File) => [file.name, new Uint8Array(await file.arrayBuffer())] as const;
  try {
    const [[name, bytes], ...rest] = await Promise.all([read(model), ...beside.map(read)]);
    return { kind: 'file', name, bytes, ...(rest.length > 0 && { files: Object.fromEntries(rest) }) };
  } catch {
    throw new Error('The file has moved or may not be read: try again.');
  }
}

export async function askForFiles(studio: Studio): Promise<boolean> {
  const files = await pickFiles('.glb,.gltf,.vrm,.bin,.png,.jpg,.jpeg,.json', true);
  if (files.length > 0) await openFiles(studio, files);
  return files.length > 0;
}

/** Takes files dropped anywhere on the page; says whether one hovers over it. */
export function useDrop(): boolean {
  const studio = useStudio();
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      void openFiles(studio, [...(event.dataTransfer?.files ?? [])]);
    };
    const listening = new AbortController();
    for (const [name, hear] of Object.entries({ dragover: over, dragleave: leave, drop })) {
      window.addEventListener(name as 'drop', hear, { signal: listening.signal });
    }
    return () => listening.abort();
  }, [studio]);
  return isOver;
}
