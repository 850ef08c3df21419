/** The API reference as Markdown, one page per entry of a package, from the sources (typedoc). */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { Application } from 'typedoc';

/** `{ 'core.md': text … }`; links between the pages are relative. */
export async function buildApi(root) {
  const folder = mkdtempSync(join(tmpdir(), 'isoskin-api-'));
  try {
    const tsconfig = join(root, 'apps/site/tsconfig.api.json');
    const app = await Application.bootstrapWithPlugins({
      name: 'API',
      entryPoints: listEntries(root),
      tsconfig,
      plugin: ['typedoc-plugin-markdown'],
      skipErrorChecking: true, // `npm run typecheck` has done it
      disableSources: true,
      excludePrivate: true,
      excludeInternal: true,
      readme: 'none',
      logLevel: 'Error',
      outputs: [{ name: 'markdown', path: folder }],
      outputFileStrategy: 'modules',
      entryFileName: 'README',
      useHTMLAnchors: true,
      hidePageHeader: true,
      hideBreadcrumbs: true,
      parametersFormat: 'table',
      interfacePropertiesFormat: 'table',
      typeDeclarationFormat: 'table',
    });
    const project = await app.convert();
    if (!project) throw new Error('The API reference could not be made from the sources.');
    for (const child of project.children ?? []) child.name = entryName(child.name);
    await app.generateOutputs(project);
    const files = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.md'));
    return Object.fromEntries(
      files.map((name) => [
        relative(folder, join(folder, name)).replaceAll(sep, '/'),
        readFileSync(join(folder, name), 'utf8'),
      ]),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Sources of every entry that a package of the library exports. */
function listEntries(root) {
  return readdirSync(join(root, 'packages')).flatMap((name) => {
    const { exports = {} } = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'));
    return Object.values(exports)
      .map((entry) => entry.types)
      .filter(Boolean)
      .map((types) => join(root, 'packages', name, types.replace('./dist/', 'src/').replace(/\.d\.ts$/, '.ts')));
  });
}

/** `core/src/methods` → `core/methods`. */
function entryName(name) {
  return name.replace('/src', '').replace(/\/index$/, '');
}
