/** Puts the licences of everything that is bundled into one file beside the page: what is passed on goes with its terms. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

export const LICENCE_FILE = 'third-party-licences.txt';

interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string;
  readonly author?: string | { readonly name?: string };
}

/** One plugin for the page, which writes, and one for its workers, which are bundled before and only add. */
export function collectLicences(): { readonly page: Plugin; readonly worker: Plugin } {
  const folders = new Set<string>();
  const add = (id: string): void => {
    const folder = findPackage(id);
    if (folder) folders.add(folder);
  };
  return {
    worker: { name: 'collect-licences-of-workers', moduleParsed: ({ id }) => add(id) },
    page: {
      name: 'collect-licences',
      moduleParsed: ({ id }) => add(id),
      generateBundle() {
        this.emitFile({ type: 'asset', fileName: LICENCE_FILE, source: describeLicences([...folders]) });
      },
    },
  };
}

/** The folder of the foreign package that a module belongs to. */
function findPackage(id: string): string | undefined {
  return /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/?]+)\//.exec(id)?.[1];
}

export function describeLicences(folders: readonly string[]): string {
  const apache = folders.map(readText).find((text) => /Apache License\s+Version 2\.0[\s\S]*END OF TERMS/.test(text));
  const parts = new Map<string, string>();
  for (const folder of folders) {
    const { name, version, license, author } = readManifest(folder);
    // The text of this licence is the same for all; some packages only name it.
    const text = readText(folder) || (license === 'Apache-2.0' ? apache : undefined);
    if (!text)
      throw new Error(`${name} ${version} (${license}) brings no text of its licence: add one to ${LICENCE_FILE}.`);
    const owner = typeof author === 'object' ? author.name : author;
    parts.set(`${name} ${version}`, `${name} ${version}, ${license}${owner ? `, ${owner}` : ''}\n\n${text.trim()}\n`);
  }
  const sorted = [...parts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
  return `This page holds the following software of others.\n\n${sorted.join(`\n${'─'.repeat(80)}\n\n`)}`;
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}

function readText(folder: string): string {
  const names = readdirSync(folder).filter((name) => /^(licen[cs]e|notice|copying)(\.\w+)?$/i.test(name));
  return names.map((name) => readFileSync(join(folder, name), 'utf8').trim()).join('\n\n');
}
