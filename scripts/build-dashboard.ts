// Builds the dashboard's web app if it is missing, or if its sources have changed since: `npm run build`.
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
  'dashboard/{index.html,console.html,vite.config.ts,package.json}',
  'sdk/src/**/*.ts',
  'package-lock.json',
];

function sourcesHash(): string {
  const hash = createHash('sha256');
  for (const file of globSync(SOURCES, { cwd: root }).sort())
    hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

/** Compresses the assets once, here, so that browsers get small files. */
function compress(assets: string): void {
  for (const name of globSync('*.{js,css,svg}', { cwd: assets })) {
    const file = join(assets, name);
    const body = readFileSync(file);
    writeFileSync(`${file}.br`, brotliCompressSync(body));
    writeFileSync(`${file}.gz`, gzipSync(body));
  }
}

/** Whether a tool is installed. The image has no build tools: there the web app comes already built. */
function isInstalled(tool: string): boolean {
  try {
    return existsSync(fileURLToPath(import.meta.resolve(tool)));
  } catch {
    return false;
  }
}

/** Builds the web app if needed; returns whether it did. Throws if it cannot be built. */
export async function buildDashboard(): Promise<boolean> {
  const wanted = sourcesHash();
  const stamp = join(built, STAMP);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return false;
  const { build } = await import('vite');
  // Built in a draft folder and moved when complete: two concurrent builds, or a failed one, never leave half an app.
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
      'The dashboard is not built: its tools are not installed (npm ci without --workspace).',
    );
}
