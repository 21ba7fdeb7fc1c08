// Measures the structure of the code: `npm run measure`, or `npm run measure -- --root ../older` for another checkout, to compare
// before and after. `npm run measure -- --lower` writes numbers that have fallen into the budget, which `npm run check` holds.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Node, parse } from '@swc/core';
import { program } from './arguments.ts';
import { BUDGET_FILE, type Budget, KINDS, lowered } from './checks/budget.ts';
import { readFiles, type SourceFile } from './checks/files.ts';
import { isProductCode } from './checks/layout.ts';
import { referencesRule } from './checks/references.ts';
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
  const shapes = (await Promise.all(code.map(functionsIn))).flat();
  const tests = all.filter(({ path }) => path.endsWith('.test.ts'));
  const rows: Record<string, string | number> = {
    'product files': code.length,
    'product lines': linesOf(code),
    'test files': tests.length,
    'lines of a file': spreadOf(code.map((file) => linesOf([file]))),
    functions: shapes.length,
    'lines of a function': spreadOf(shapes.map(({ lines }) => lines)),
    'parameters of a function': spreadOf(shapes.map(({ parameters }) => parameters)),
    'words of the list': wordsRule.check(all).length,
    'references that lead nowhere': referencesRule.check(all).length,
  };
  for (const kind of KINDS)
    for (const [path, size] of kind.measure(all))
      if (size > (kind.free ?? 0)) rows[`${kind.name}: ${path}`] = size;
  for (const [name, value] of Object.entries(rows)) console.log(`${name.padEnd(52)}${value}`);
}

async function lower(root: string): Promise<void> {
  const file = join(root, BUDGET_FILE);
  const budget = lowered(JSON.parse(readFileSync(file, 'utf8')) as Budget, await readFiles(root));
  writeFileSync(file, `${JSON.stringify(budget, null, 2)}\n`);
}

const options = program('measure', 'Measures how the code is built.')
  .option('--root <folder>', 'a checkout of the repository', '.')
  .option('--lower', 'write what has fallen into the budget')
  .parse()
  .opts<{ root: string; lower?: boolean }>();
await (options.lower ? lower(options.root) : measure(options.root));
