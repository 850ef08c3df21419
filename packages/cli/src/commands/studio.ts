import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, extname, join } from 'node:path';
import { writeGlb } from '@isoskin/gltf';
import { readCharacter } from '@isoskin/gltf/node';
import type { Command } from 'commander';
import { addLoadOptions, type LoadOptions, loadOptions } from '../load-options.js';
import { print } from '../print.js';
import { numberReader } from '../read-number.js';
import { type OpenedFile, serveStudio } from '../serve-studio.js';

const readPort = numberReader('Give a whole number from 0 to 65535.', { min: 0, max: 65535, whole: true });

export function addStudio(program: Command): void {
  const command = program
    .command('studio')
    .description(
      'Open the page where characters are seen, tuned, painted and exported. It is served to this machine only.',
    )
    .argument('[file]', 'a .glb, .gltf or .vrm to start with')
    .option('--port <number>', 'port to listen on; 0 takes any free one', readPort, 8080);
  addLoadOptions(command).action(async (file: string | undefined, options: LoadOptions & { port: number }) => {
    await openStudio(file, options);
  });
}

/** Serves the page until Ctrl-C. */
async function openStudio(file: string | undefined, options: LoadOptions & { port: number }): Promise<void> {
  const opened = file === undefined ? undefined : await openFile(file, options);
  const server = await serveStudio(findPage(), opened, options.port);
  print(`The studio is at ${server.url}\nStop it with Ctrl-C.`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void server.close());
}

/** The built page inside the studio's package. */
function findPage(): string {
  const manifest = createRequire(import.meta.url).resolve('@isoskin/studio/package.json');
  return join(dirname(manifest), 'dist');
}

/** A .glb or .vrm is read anew for every request, so that a fresh export needs only a reload; a .gltf is packed with its files. */
async function openFile(path: string, options: LoadOptions): Promise<OpenedFile> {
  const read = await readCharacter(path, loadOptions(options));
  if (extname(path).toLowerCase() !== '.gltf') return { name: basename(path), read: () => readFile(path) };
  const packed = await writeGlb(read.file);
  return { name: `${basename(path, extname(path))}.glb`, read: async () => packed };
}
