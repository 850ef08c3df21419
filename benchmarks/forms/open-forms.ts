import { bundle, findBrowser, PAGE, serve, WEBGL_FLAGS } from '../../packages/three/test/browser.js';
import type { measureForms } from './forms-page.js';

export async function openForms() {
  const browser = await findBrowser(WEBGL_FLAGS);
  if (!browser) throw new Error('There is no browser here.');
  const server = await serve({
    '/': PAGE,
    '/page.js': await bundle(`import '../../../benchmarks/forms/forms-page.ts'`),
  });
  const page = await browser.open(server.url);
  await page.waitForFunction(() => 'measureForms' in window);
  return {
    measure: (...values: Parameters<typeof measureForms>) =>
      page.evaluate(
        (given) => (window as unknown as { measureForms: typeof measureForms }).measureForms(...given),
        values,
      ),
    async close() {
      await browser.close();
      await server.close();
    },
  };
}
