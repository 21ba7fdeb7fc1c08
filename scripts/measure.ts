// Measures the structure of the code: `npm run measure`, or `npm run measure -- --root ../older` for another checkout, to compare
// before and after. Nothing passes or fails.
import { type Node, parse } from '@swc/core';
import { program } from './arguments.ts';
import { readFiles, type SourceFile, withoutComments } from './checks/files.ts';
import { isProductCode } from './checks/layout.ts';
import { referencesRule } from './checks/references.ts';
import { hasStatement } from './checks/sql.ts';
import { wordsRule } from './checks/words.ts';

/** The size of a function. */
interface Shape {
  readonly lines: number;
  readonly parameters: number;
}

const FUNCTIONS: ReadonlySet<string> = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'ClassMethod',
  'PrivateMethod',
  'MethodProperty',
]);

const STATUS_WRITE = /\bUPDATE\s+\w+[^`;]*?\bSET\b[^`]*?\b(status|stage)\s*=/;

interface Parsed extends Node {
  span?: { start: number; end: number };
  params?: unknown[];
  function?: { params?: unknown[] };
}

/** Returns every function below a node of the syntax tree, whose positions count bytes from 1. */
function shapesOf(node: unknown, text: Buffer, found: Shape[] = []): Shape[] {
  if (typeof node !== 'object' || node === null) return found;
  const { type, span, params, function: inner } = node as Parsed;
  if (span !== undefined && FUNCTIONS.has(type)) {
    const lines = text
      .subarray(span.start - 1, span.end - 1)
      .toString()
      .split('\n').length;
    found.push({ lines, parameters: (params ?? inner?.params ?? []).length });
  }
  for (const child of Object.values(node)) shapesOf(child, text, found);
  return found;
}

async function functionsIn({ path, text }: SourceFile): Promise<Shape[]> {
  const module = await parse(text, { syntax: 'typescript', tsx: path.endsWith('x') });
  return shapesOf(module.body, Buffer.from(text));
}

/** Returns the quantile `part` (0 to 1) of sorted numbers. */
function quantile(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

function spreadOf(numbers: readonly number[]): string {
  const sorted = [...numbers].sort((a, b) => a - b);
  return `median ${quantile(sorted, 0.5)}, p90 ${quantile(sorted, 0.9)}, most ${sorted.at(-1) ?? 0}`;
}

const linesOf = (files: readonly SourceFile[]): number =>
  files.reduce((sum, { text }) => sum + text.split('\n').length, 0);

async function measure(root: string): Promise<void> {
  const all = await readFiles(root);
  const code = all.filter(({ path }) => /[.]tsx?$/.test(path) && isProductCode(path));
  const server = code.filter(({ path }) => path.startsWith('server/src/'));
  const shapes = (await Promise.all(code.map(functionsIn))).flat();
  const tests = all.filter(({ path }) => path.endsWith('.test.ts'));
  const withSql = server.filter(({ text }) => hasStatement(withoutComments(text)));
  const rows: Record<string, string | number> = {
    'product files': code.length,
    'product lines': linesOf(code),
    'test files': tests.length,
    'lines of a file': spreadOf(code.map((file) => linesOf([file]))),
    functions: shapes.length,
    'lines of a function': spreadOf(shapes.map(({ lines }) => lines)),
    'parameters of a function': spreadOf(shapes.map(({ parameters }) => parameters)),
    'server files with SQL outside stores': withSql.filter(({ path }) => !/store\.ts$/.test(path))
      .length,
    'server files that write a status or stage': server.filter(({ text }) =>
      STATUS_WRITE.test(withoutComments(text)),
    ).length,
    'words of the list': wordsRule.check(all).length,
    'references that lead nowhere': referencesRule.check(all).length,
  };
  for (const [name, value] of Object.entries(rows)) console.log(`${name.padEnd(44)}${value}`);
}

const { root } = program('measure', 'Measures how the code is built.')
  .option('--root <folder>', 'a checkout of the repository', '.')
  .parse()
  .opts<{ root: string }>();
await measure(root);
