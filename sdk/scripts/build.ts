// Makes the package that is published: `npm run build -w sdk`, then `npm publish ./sdk/dist`. Within this repository
// `@recollect/sdk` is the source itself, which needs no build; hence a package.json of its own for what is published.
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

function compile(to: string, ...options: string[]): void {
  const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
  const project = join(root, 'tsconfig.build.json');
  const args = [join(typescript, 'bin', 'tsc'), '-p', project, '--outDir', to, ...options];
  execFileSync(process.execPath, args, { stdio: 'inherit' });
}

/** The compiler rewrites `./x.ts` in the code and leaves it in the declarations, which older compilers refuse. */
function rewriteDeclarations(folder: string): void {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  for (const name of files.filter((file) => file.endsWith('.d.ts'))) {
    const path = join(folder, name);
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replaceAll(/( from '\.\.?\/[^']+)\.ts'/g, "$1.js'"));
  }
}

/** The published package.json: that of the source, with exports that any JavaScript runtime and any resolution can load. */
function manifest(): object {
  const {
    private: _,
    scripts: __,
    devDependencies: ___,
    ...same
  } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return {
    ...same,
    main: './cjs/index.js',
    types: './cjs/index.d.ts',
    exports: {
      '.': {
        import: { types: './index.d.ts', default: './index.js' },
        require: { types: './cjs/index.d.ts', default: './cjs/index.js' },
      },
      './package.json': './package.json',
    },
    engines: { node: '>=20' },
    publishConfig: { access: 'public' },
  };
}

/** The same modules for `require`: a package.json of their own says that they are CommonJS. */
function buildCommonJs(to: string): void {
  compile(
    to,
    '--module',
    'commonjs',
    '--moduleResolution',
    'bundler',
    '--verbatimModuleSyntax',
    'false',
  );
  rewriteDeclarations(to);
  writeFileSync(join(to, 'package.json'), '{"type":"commonjs"}\n');
}

function build(to: string): void {
  rmSync(to, { recursive: true, force: true });
  compile(to);
  rewriteDeclarations(to);
  buildCommonJs(join(to, 'cjs'));
  writeFileSync(join(to, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
  for (const [from, name] of [
    [root, 'README.md'],
    [join(root, '..'), 'LICENSE'],
  ] as const)
    if (existsSync(join(from, name))) copyFileSync(join(from, name), join(to, name));
}

build(resolve(process.argv[2] ?? join(root, 'dist')));
