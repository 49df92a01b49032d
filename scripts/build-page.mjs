// Builds the inspector's page from page/ into dist/page.
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

export async function buildPage() {
  const root = fileURLToPath(new URL('..', import.meta.url));
  await build({
    root: `${root}page`,
    base: './',
    configFile: false,
    logLevel: 'error',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir: `${root}dist/page`,
      emptyOutDir: true,
      target: 'es2022',
      modulePreload: false,
      assetsInlineLimit: 0,
      rolldownOptions: {
        output: { entryFileNames: 'assets/page.js', assetFileNames: 'assets/page[extname]', codeSplitting: false },
      },
    },
  });
}
