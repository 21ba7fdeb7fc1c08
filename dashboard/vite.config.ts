import { defineConfig } from 'vite';

const SERVICE = 'http://localhost:4000';

/** What every page needs, each in a file of its own, so that a new version of a page leaves them in the cache. */
const REACT = /node_modules\/(react|react-dom|scheduler|react-router|@tanstack)\//;
const KIT = /\/src\/ui\/(?!menu|dialog|confirm|form|text-area|checkbox|[\w-]*field)[\w-]+\.tsx?$/;
const FORMS = /react-hook-form|\/src\/ui\/(form|text-area|checkbox|[\w-]*field)[\w-]*\.tsx?$/;

/** The service serves `dist` at /dashboard under a policy that allows nothing inline: every asset is a file of its own. */
export default defineConfig(({ command }) => ({
  // Where it is built, the service knows the path and writes it into the page.
  base: command === 'build' ? './' : '/dashboard/',
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    sourcemap: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'baseline-widely-available',
    rolldownOptions: {
      input: ['index.html', 'console.html'],
      output: {
        codeSplitting: {
          groups: [
            { name: 'react', test: REACT, priority: 3 },
            { name: 'kit', test: KIT, priority: 2 },
            { name: 'forms', test: FORMS, priority: 1 },
          ],
        },
      },
      // "use client" means nothing here: there is no server that renders.
      onLog: (level, log, report) => {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log);
      },
    },
  },
  server: {
    proxy: {
      '/dashboard/api': SERVICE,
      '/dashboard/auth': SERVICE,
      '/dashboard/sandbox/': SERVICE,
    },
  },
}));
