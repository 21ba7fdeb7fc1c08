import { defineConfig } from 'vite';

const SERVICE = 'http://localhost:4000';

/** What every page needs, each in a file of its own, so that a new version of a page leaves them in the cache. */
const REACT = /node_modules\/(react|react-dom|scheduler|react-router|@tanstack)\//;
const KIT = /\/src\/ui\/(?!menu|dialog|confirm|form|text-area|checkbox|[\w-]*field)[\w-]+\.tsx?$/;
const FORMS = /react-hook-form|\/src\/ui\/(form|text-area|checkbox|[\w-]*field)[\w-]*\.tsx?$/;
/**
 * What at least two pages share, in one file: a page loads about twelve files, and not fifty of a few hundred bytes each. Without
 * the library for signing in, which few pages need, and without the operators' console, which has a file of its own.
 */
const SHARED = /\/(dashboard|sdk|server)\/src\/(?!console|pages\/(settings|sign-in)|api\/sign-in)/;
const CONSOLE = /\/dashboard\/src\/console\//;

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
            { name: 'react', test: REACT, priority: 4 },
            { name: 'kit', test: KIT, priority: 3 },
            { name: 'forms', test: FORMS, priority: 2 },
            { name: 'shared', test: SHARED, priority: 1, minShareCount: 2 },
            { name: 'console', test: CONSOLE, minShareCount: 2 },
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
      '/dashboard/tokens.css': SERVICE,
      '/dashboard/icon.svg': SERVICE,
    },
  },
}));
