/**
 * The browser inside @sparticuz/chromium, unpacked once, for machines without a Chromium of their own (Linux, x64).
 *
 * The package by itself unpacks to the common temporary folder, where several test workers would start a half-written
 * file, and leaves out NSS, which a bare machine has not. Here everything goes to a fresh folder that is then renamed.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export interface PackedChromium {
  readonly path: string;
  /** What it needs beside the environment of this process. */
  readonly env: Readonly<Record<string, string>>;
  /** Driver description of SwiftShader, for Vulkan outside the browser. */
  readonly vulkan: string;
}

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>FOLDER</dir><cachedir prefix="xdg">isoskin-fonts</cachedir></fontconfig>
`;
const UNPACK = `import chromium from '@sparticuz/chromium'; await chromium.executablePath();`;

export async function unpackChromium(): Promise<PackedChromium> {
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium');
  const { version } = JSON.parse(readFileSync(join(dirname(entry), '../../package.json'), 'utf8')) as {
    version: string;
  };
  const folder = join(ROOT, 'node_modules/.cache', `isoskin-chromium-${version}-fonts`);
  if (!existsSync(folder)) {
    mkdirSync(dirname(folder), { recursive: true });
    const fresh = mkdtempSync(`${folder}-`);
    // A process of its own: the package asks the environment where to unpack, and brings NSS only on Amazon's machines.
    const env = { ...process.env, TMPDIR: fresh, AWS_LAMBDA_JS_RUNTIME: 'nodejs20.x' };
    await promisify(execFile)(process.execPath, ['--input-type=module', '-e', UNPACK], { cwd: ROOT, env });
    // The package's own list names folders of Amazon's machines: without a font a page with a menu or a file button ends the browser.
    writeFileSync(join(fresh, 'fonts/fonts.conf'), FONTS.replace('FOLDER', join(folder, 'fonts')));
    try {
      renameSync(fresh, folder);
    } catch {
      rmSync(fresh, { recursive: true, force: true }); // another worker was faster
    }
  }
  const libraries = [join(folder, 'al2023/lib'), process.env.LD_LIBRARY_PATH].filter(Boolean).join(':');
  return {
    path: join(folder, 'chromium'),
    env: { LD_LIBRARY_PATH: libraries, FONTCONFIG_PATH: process.env.FONTCONFIG_PATH ?? join(folder, 'fonts') },
    vulkan: join(folder, 'vk_swiftshader_icd.json'),
  };
}
