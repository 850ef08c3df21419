/**
 * A Chromium to test with: the one on the PATH, else the npm package `@sparticuz/chromium`. Both bring SwiftShader, a Vulkan
 * device in software that Dawn in Node can use as well.
 */
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { unpackChromium } from '../../three/test/unpack-chromium.js';

export interface Browser {
  readonly executable: string;
  /** What it needs beside the environment of this process. */
  readonly env: Readonly<Record<string, string>>;
  /** Folder with the Vulkan loader and SwiftShader, '' when the browser has them elsewhere. */
  readonly vulkan: string;
}

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];
const ICD = 'vk_swiftshader_icd.json';

export async function findBrowser(): Promise<Browser | undefined> {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    for (const name of NAMES) {
      const executable = join(folder, name);
      if (!existsSync(executable)) continue;
      const places = [dirname(realpathSync(executable)), join(folder, '..', 'lib', name)];
      return { executable, env: {}, vulkan: places.find((place) => existsSync(join(place, ICD))) ?? '' };
    }
  }
  try {
    const { path, env, vulkan } = await unpackChromium();
    return { executable: path, env, vulkan: existsSync(vulkan) ? dirname(vulkan) : '' };
  } catch {
    return undefined;
  }
}

/** Environment in which Dawn in Node finds SwiftShader. Must be set before the process starts: the loader is a library. */
export function listVulkanVariables({ vulkan }: Browser, scratch: string): Record<string, string> {
  const icd = JSON.parse(readFileSync(join(vulkan, ICD), 'utf8')) as { ICD: { library_path: string } };
  icd.ICD.library_path = join(vulkan, icd.ICD.library_path);
  const file = join(scratch, ICD);
  writeFileSync(file, JSON.stringify(icd));
  return { VK_ICD_FILENAMES: file, VK_DRIVER_FILES: file, LD_LIBRARY_PATH: vulkan, XDG_RUNTIME_DIR: scratch };
}
