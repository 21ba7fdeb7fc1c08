// Builds the dashboard's web app where that was not done yet, or where its sources have changed since: `npm run build`.
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'dashboard');
const built = join(folder, 'dist');
const STAMP = 'sources.sha256';
const SOURCES = [
  'dashboard/{src,public}/**/*.*',
  'dashboard/{index.html,vite.config.ts,package.json}',
  'sdk/src/**/*.ts',
  'package-lock.json',
];

function sourcesHash(): string {
  const hash = createHash('sha256');
  for (const file of globSync(SOURCES, { cwd: root }).sort())
    hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

/** Browsers get the files as small as they can read them; compressed once, here. */
function compress(assets: string): void {
  for (const name of globSync('*.{js,css,svg}', { cwd: assets })) {
    const file = join(assets, name);
    const body = readFileSync(file);
    writeFileSync(`${file}.br`, brotliCompressSync(body));
    writeFileSync(`${file}.gz`, gzipSync(body));
  }
}

/** Where only what the service needs at run time was installed, the web app comes built. */
function isInstalled(tool: string): boolean {
  try {
    return existsSync(fileURLToPath(import.meta.resolve(tool)));
  } catch {
    return false;
  }
}

/** Builds the web app if it must be; answers whether it did. Throws where it cannot be built. */
export async function buildDashboard(): Promise<boolean> {
  const wanted = sourcesHash();
  const stamp = join(built, STAMP);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return false;
  const { build } = await import('vite');
  // Built beside and put in place when it is whole: two builds at once, or one that fails, leave no half of an app.
  const draft = join(folder, `dist-${process.pid}`);
  await build({ root: folder, logLevel: 'warn', build: { outDir: draft } });
  compress(join(draft, 'assets'));
  writeFileSync(join(draft, STAMP), wanted);
  rmSync(built, { recursive: true, force: true });
  renameSync(draft, built);
  return true;
}

if (import.meta.main) {
  if (isInstalled('vite')) await buildDashboard();
  else
    console.log(
      'The dashboard is not built: its tools are not installed (npm ci without --omit=dev).',
    );
}
