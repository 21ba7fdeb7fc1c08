import { execFile, execFileSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

const BUILD = fileURLToPath(new URL('../scripts/build.ts', import.meta.url));

/** Builds and packs the package as its README says, and installs it into a project that has no other dependency. */
export function installPacked(project: string): void {
  const built = join(project, 'built');
  execFileSync(process.execPath, [BUILD, built]);
  npm(['pack', built, '--pack-destination', project], project);
  const packed = readdirSync(project).find((name) => name.endsWith('.tgz')) ?? '';
  npm(['install', `./${packed}`, '--offline', '--no-audit', '--no-fund'], project);
}

/** Runs npm in a folder; returns what it prints. */
export function npm(args: readonly string[], cwd: string): string {
  return execFileSync('npm', args, { cwd, stdio: 'pipe', encoding: 'utf8' });
}

/** Checks the types of a project's files as strictly as can be; throws with what the compiler says. */
export async function checkTypes(folder: string, files: readonly string[]): Promise<void> {
  const resolve = createRequire(import.meta.url).resolve;
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'esnext',
    module: 'nodenext',
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    types: ['node'],
    typeRoots: [join(dirname(resolve('@types/node/package.json')), '..')],
  };
  const project = join(folder, 'tsconfig.json');
  writeFileSync(project, JSON.stringify({ compilerOptions, files }));
  const tsc = join(dirname(resolve('typescript/package.json')), 'bin', 'tsc');
  await run(process.execPath, [tsc, '-p', project]);
}
