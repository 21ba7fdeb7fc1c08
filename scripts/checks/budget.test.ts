import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Budget, budgetProblems, KINDS, lowered, raisedWithout } from './budget.ts';

const filled = (folder: string, count: number, text = '') =>
  Array.from({ length: count }, (_, n) => ({ path: `${folder}/file-${n}.ts`, text }));
const lines = (path: string, count: number) => [{ path, text: '\n'.repeat(count - 1) }];

/** The counts of the whole server, which every tree has. */
const NONE: Budget = {
  server: { 'SQL outside stores': 0, 'a status or stage that is written': 0 },
};

/** Returns what is wrong, up to the first comma. */
const broken = (budget: Budget, files: readonly { path: string; text: string }[]): string[] =>
  budgetProblems({ ...NONE, ...budget }, files).map(
    ({ path, message }) => `${path}: ${message.replace(/ in scripts.*|:.*/, '')}`,
  );

test('budget: a slice has as many lines of product code as are listed, in steps of 250', () => {
  const budget = { lines: { 'server/src/refunds': 500 } };
  const path = 'server/src/refunds/service.ts';
  const tests = lines('server/src/refunds/service.test.ts', 9_000);
  assert.deepEqual(broken(budget, [...lines(path, 500), ...tests]), []);
  assert.deepEqual(broken(budget, lines(path, 201)), []);
  assert.deepEqual(broken(budget, lines(path, 501)), [
    'server/src/refunds: 501 lines of product code, and 500 is the most',
  ]);
  assert.deepEqual(broken(budget, lines(path, 200)), [
    'server/src/refunds: 200 lines of product code, and 500',
  ]);
  assert.deepEqual(broken({}, lines(path, 2)), [
    'server/src/refunds: 2 lines of product code, and it is not',
  ]);
  assert.deepEqual(broken(budget, []), ['server/src/refunds: is gone, and still']);
});

test('budget: a folder holds 25 files, or as many as are listed', () => {
  const budget = { files: { 'test/src/wide': 27 } };
  const tests = [{ path: 'test/src/new/file-1.test.ts', text: '' }];
  assert.deepEqual(broken({}, [...filled('test/src/new', 25), ...tests]), []);
  assert.deepEqual(broken({}, filled('docs/errors', 40)), []);
  assert.deepEqual(broken({}, filled('test/src/new', 26)), [
    'test/src/new: 26 files, and 25 is the most',
  ]);
  assert.deepEqual(broken(budget, filled('test/src/wide', 27)), []);
  assert.deepEqual(broken(budget, filled('test/src/wide', 28)), [
    'test/src/wide: 28 files, and 27 is the most',
  ]);
  for (const count of [26, 25])
    assert.deepEqual(broken(budget, filled('test/src/wide', count)), [
      `test/src/wide: ${count} files, and 27`,
    ]);
});

test('budget: the levels of a folder are its longest chain of imports, types included, tests and other folders aside', () => {
  const levels = KINDS.find(({ name }) => name === 'levels');
  const files = {
    'server/src/refunds/a.ts': `import type { B } from './b.ts';`,
    'server/src/refunds/b.ts': `import { c } from './deep/c.ts';\nimport '../payments/d.ts';`,
    'server/src/refunds/deep/c.ts': '',
    'server/src/refunds/a.test.ts': `import './a.ts';`,
    'server/src/payments/d.ts': `import './e.ts';`,
    'server/src/payments/e.ts': '',
  };
  const measured = levels?.measure(Object.entries(files).map(([path, text]) => ({ path, text })));
  assert.deepEqual(Object.fromEntries(measured ?? []), {
    'server/src/refunds': 2,
    'server/src/refunds/deep': 1,
    'server/src/payments': 2,
  });
});

test('budget: SQL outside stores, and files that write a status, are counted', () => {
  const files = [
    { path: 'server/src/refunds/store.ts', text: 'SELECT id FROM refunds' },
    { path: 'server/src/refunds/stages.ts', text: '`UPDATE refunds SET status = 1`' },
  ];
  assert.deepEqual(broken({ lines: { 'server/src/refunds': 250 } }, files), [
    'SQL outside stores: 1 files of the server with it, and 0 is the most',
    'a status or stage that is written: 1 files of the server with it, and 0 is the most',
  ]);
});

test('budget: numbers are lowered, and never raised', () => {
  const budget: Budget = {
    lines: { 'server/src/refunds': 500, 'server/src/laws': 250, 'server/src/gone': 250 },
    files: { 'test/src/wide': 40, 'test/src/split': 30 },
  };
  const files = [
    ...lines('server/src/refunds/service.ts', 150),
    ...lines('server/src/laws/invariants/laws.ts', 600),
    ...lines('sdk/src/index.ts', 10),
    ...filled('test/src/wide', 30),
    ...filled('test/src/split', 25),
    ...filled('test/src/new', 26),
  ];
  assert.deepEqual(lowered(budget, files), {
    lines: { 'sdk/src': 250, 'server/src/laws': 250, 'server/src/refunds': 250 },
    files: { 'test/src/wide': 30 },
    levels: {},
    server: NONE.server,
  });
});

test('budget: a number that was raised names its decision, which is there', () => {
  const before: Budget = { lines: { 'server/src/refunds': 500 }, files: { 'sdk/src': 33 } };
  const raised = (after: Budget): number => raisedWithout(before, after).length;
  assert.equal(raised(before), 0);
  assert.equal(raised({ lines: { 'server/src/refunds': 250 } }), 0);
  assert.equal(raised({ lines: { 'server/src/refunds': 750 } }), 1);
  assert.equal(raised({ lines: { 'server/src/fresh': 250 } }), 0);
  assert.equal(raised({ files: { 'sdk/src': 33, 'server/src/fresh': 26 } }), 1);
  const decision = 'docs/decisions/0030-why.md';
  const after: Budget = { lines: { 'server/src/refunds': { most: 750, decision } } };
  assert.equal(raised(after), 0);
  const fallen = lowered(after, lines('server/src/refunds/service.ts', 600));
  assert.deepEqual(fallen.lines, after.lines);
  const lower = lowered(after, lines('server/src/refunds/service.ts', 450));
  assert.deepEqual(lower.lines, { 'server/src/refunds': { most: 500, decision } });
  const files = lines('server/src/refunds/service.ts', 700);
  assert.deepEqual(broken(after, [...files, { path: decision, text: '' }]), []);
  assert.deepEqual(broken(after, files), [
    `server/src/refunds: ${decision}, which should say why it may be as large, is not there`,
  ]);
});
