import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clockRule } from './clock.ts';
import type { Rule } from './files.ts';
import { instantsRule } from './instants.ts';
import { isProductCode } from './layout.ts';
import { namesRule } from './names.ts';
import { referencesRule } from './references.ts';
import { sqlRule } from './sql.ts';
import { structureProblems } from './structure.ts';
import { widthRule } from './width.ts';
import { wordsRule } from './words.ts';

/** Returns a rule's violations in some files, as `path:line`. */
function broken(rule: Rule, files: Record<string, string>): string[] {
  const all = Object.entries(files).map(([path, text]) => ({ path, text }));
  return rule.check(all).map(({ path, line }) => `${path}:${line}`);
}

test('clock: product code of the server and the sandbox may not read the clock of the machine', () => {
  assert.deepEqual(
    broken(clockRule, {
      'server/src/payments/stages/open.ts': 'const now = 1;\nconst then = Date.now();\n',
      'server/src/payments/payment/retry.ts': 'export const at = Temporal.Now.instant;\n',
      'sandbox/src/bank/books/books.ts': 'const day = new Date(0);\n',
    }),
    [
      'server/src/payments/stages/open.ts:2',
      'server/src/payments/payment/retry.ts:1',
      'sandbox/src/bank/books/books.ts:1',
    ],
  );
});

test('instants: the server compares them in one file alone', () => {
  const text = 'a.sort(Temporal.Instant.compare);';
  const files = {
    'server/src/payments/payment/retry.ts': text,
    'server/src/platform/values/instants.ts': text,
    'server/src/payments/payment/retry.test.ts': text,
  };
  assert.deepEqual(broken(instantsRule, files), ['server/src/payments/payment/retry.ts:1']);
});

test('clock: the clocks, tests, comments, and a Date for a library that wants one are left alone', () => {
  assert.deepEqual(
    broken(clockRule, {
      'server/src/platform/time/clock.ts': 'Date.now();',
      'sandbox/src/clock.ts': 'Temporal.Now.instant();',
      'server/src/payments/open.test.ts': 'Date.now();',
      'server/src/payments/stages/open.ts': '// never Date.now()\n * nor new Date()\n',
      'server/src/sandbox/certificate-authority.ts': 'const date = new Date(at.epochMilliseconds);',
      'sdk/src/webhooks/verify-webhook.ts': 'Date.now();',
    }),
    [],
  );
  assert.deepEqual(
    broken(clockRule, {
      'server/src/sandbox/certificate-authority.ts': 'const date = Date.now();',
    }),
    ['server/src/sandbox/certificate-authority.ts:1'],
  );
});

test('sql: routes, views, pages, app and sdk hold none', () => {
  const sql = 'await tx.run(\n  `UPDATE payments p\n   SET status = $1`,\n);\n';
  const places = [
    'server/src/payments/api/routes.ts',
    'server/src/webhooks/event-routes.ts',
    'server/src/payments/api/view.ts',
    'server/src/webhooks/views.ts',
    'server/src/portal/pages/consent.ts',
    'server/src/app/wiring/run.ts',
    'sandbox/src/bank/pages/sign-in-view.ts',
    'sdk/src/client.ts',
  ];
  for (const path of places)
    assert.deepEqual(broken(sqlRule, { [path]: sql }), [`${path}:2`], path);
});

test('sql: every kind of statement is known, and words of a sentence are not taken for one', () => {
  const path = 'server/src/app/wiring/run.ts';
  for (const sql of [
    'SELECT id FROM payments',
    'SELECT * FROM payments',
    'INSERT INTO payments VALUES (1)',
    'DELETE FROM payments',
    'UPDATE payments SET id = 1',
    'WITH due AS (SELECT 1)',
  ]) {
    assert.notDeepEqual(broken(sqlRule, { [path]: `\`${sql}\`` }), [], sql);
  }
  const sentence =
    "log('update payments, then select from the list'); // SELECT id FROM payments\n";
  assert.deepEqual(broken(sqlRule, { [path]: sentence }), []);
  const store = { 'server/src/payments/books/read-store.ts': '`SELECT id FROM payments`' };
  assert.deepEqual(broken(sqlRule, store), []);
});

test('sql: a change of rows up to a limit asks for them once', () => {
  const path = 'server/src/payments/books/read-store.ts';
  const due = 'SELECT id FROM jobs ORDER BY due_at LIMIT 5 FOR UPDATE SKIP LOCKED';
  for (const sql of [
    `UPDATE jobs t SET n = 1 FROM (${due}) c WHERE t.id = c.id`,
    `DELETE FROM jobs WHERE id IN\n (${due})`,
  ])
    assert.deepEqual(broken(sqlRule, { [path]: `\`${sql}\`` }), [`${path}:1`], sql);
  for (const sql of [`DELETE FROM jobs WHERE ctid = ANY (ARRAY(${due}))`, `SELECT (${due})`])
    assert.deepEqual(broken(sqlRule, { [path]: `\`${sql}\`` }), [], sql);
});

test('words: promises for later, silenced checks and tests that do not run are found', () => {
  const later = ['TO' + 'DO', 'FIX' + 'ME', `@ts-${'expect-error'}`];
  for (const word of later) {
    const files = { 'server/src/main.ts': `start();\n// ${word} tidy this\n` };
    assert.deepEqual(broken(wordsRule, files), ['server/src/main.ts:2'], word);
  }
  for (const line of [
    "test.skip('x', run);",
    "it.only('x', run);",
    "test('x', { skip: true }, run);",
  ]) {
    assert.deepEqual(
      broken(wordsRule, { 'sdk/src/a.test.ts': line }),
      ['sdk/src/a.test.ts:1'],
      line,
    );
  }
  assert.deepEqual(broken(wordsRule, { 'server/src/offset.ts': 'rows.skip(10);' }), []);
});

test('words: phrases that no native speaker says are found in comments, strings and docs', () => {
  const bad = [
    ['ends by it', 'self'],
    ['runs by them', 'selves'],
    ['All the ', 'same'],
    ['made a', 'new'],
    ['what became', ' of it'],
    ['five nou', 'ghts'],
    ['parted', ' by commas'],
    ['a process that di', 'es'],
    ['it is wan', 'ted'],
    ['Told', ' you'],
  ].map((pieces) => pieces.join(''));
  for (const phrase of bad) {
    assert.deepEqual(
      broken(wordsRule, { 'sdk/src/a.ts': `\n// ${phrase}` }),
      ['sdk/src/a.ts:2'],
      phrase,
    );
    assert.deepEqual(broken(wordsRule, { 'docs/a.md': phrase }), ['docs/a.md:1'], phrase);
    assert.deepEqual(broken(wordsRule, { 'server/migrations/0001_a.sql': `-- ${phrase}` }), []);
  }
  assert.deepEqual(
    broken(wordsRule, { 'sdk/src/a.ts': '// bodies, at the same time, renewed' }),
    [],
  );
});

test('words: a type imported inside an expression, which the structure check does not see, is found', () => {
  const path = 'server/src/a.ts';
  assert.deepEqual(broken(wordsRule, { [path]: "let b: import('./b.ts').B;" }), [`${path}:1`]);
  assert.deepEqual(broken(wordsRule, { [path]: "const b = await import('./b.ts');" }), []);
});

test('width: a line of 131 columns is too wide, one of 130 is not', () => {
  assert.deepEqual(broken(widthRule, { 'sdk/src/a.ts': `\n${'£'.repeat(131)}\n` }), [
    'sdk/src/a.ts:2',
  ]);
  assert.deepEqual(broken(widthRule, { 'sdk/src/a.ts': `${'£'.repeat(130)}\n` }), []);
  assert.deepEqual(broken(widthRule, { 'docs/a.md': 'x'.repeat(200) }), []);
});

test('names: junk drawers are found, words that contain theirs are not', () => {
  const files = {
    'server/src/utils.ts': '',
    'sdk/src/helpers/text.ts': '',
    'sdk/src/commons.ts': '',
  };
  assert.deepEqual(broken(namesRule, files), [
    'server/src/utils.ts:1',
    'sdk/src/helpers/text.ts:1',
  ]);
});

test('references: links, anchors, paths and npm scripts that do not exist are found', () => {
  const files = {
    'package.json': '{ "scripts": { "check": "x" } }',
    'docs/guide.md': '# The guide\n\n## What runs, and how\n',
    'README.md': [
      '[good](docs/guide.md) [good](docs/guide.md#what-runs-and-how) [good](docs) [out](https://a.b)',
      '[bad](docs/gide.md)',
      '[bad](docs/guide.md#elsewhere)',
      '`docs/guide.md` `platform/missing.ts`',
      '`npm run check`',
      'npm run chek',
    ].join('\n'),
    'server/src/a.ts': '// see guide.md\n// see docs/gone.md\nconst text = "docs/gone.md";\n',
  };
  assert.deepEqual(broken(referencesRule, files), [
    'README.md:2',
    'README.md:3',
    'README.md:4',
    'README.md:6',
    'server/src/a.ts:2',
  ]);
});

test('references: anchors in comments, and links between pages, lead to a heading', () => {
  const files = {
    'docs/rules/payments.md': [
      '# Payments',
      '```sh',
      '# Not a heading',
      '```',
      '## Retries',
      '## Retries',
      '[good](../guide.md#start) [good](#retries-1) [bad](#not-a-heading)',
      '[bad](../guide.md#end)',
      '[bad]: ../gone.md',
      '`docs/rules/payments.md#retries` `docs/rules/payments.md#refunds`',
    ].join('\n'),
    'docs/guide.md': '# Start\n[bad](../server/src/a.ts#L1)\n',
    'server/src/a.ts': [
      '/** Plans a retry: docs/rules/payments.md#retries. */',
      '/** Plans a refund: docs/rules/payments.md#refunds. */',
      'const at = 1; // docs/rules/payments.md#refunds',
      "const text = 'docs/rules/payments.md#refunds';",
    ].join('\n'),
  };
  assert.deepEqual(broken(referencesRule, files), [
    'docs/rules/payments.md:7',
    'docs/rules/payments.md:8',
    'docs/rules/payments.md:9',
    'docs/rules/payments.md:10',
    'docs/guide.md:2',
    'server/src/a.ts:2',
    'server/src/a.ts:3',
  ]);
});

test('references: the files of a table on a page exist', () => {
  const files = {
    'CONTRIBUTING.md': [
      '| what | where |',
      '| --- | --- |',
      '| the retry delays | `server/src/payments/payment/retry.ts` |',
      '| the words | `server/src/portal/words.ts`, `server/src/portal/gone.ts` |',
    ].join('\n'),
    'server/src/payments/payment/retry.ts': '',
    'server/src/portal/words.ts': '',
  };
  assert.deepEqual(broken(referencesRule, files), ['CONTRIBUTING.md:4']);
});

test('references: documents outside the repository are no sources', () => {
  const files = {
    'docs/guide.md': 'As SPEC says.\n',
    'server/src/a.ts': [
      '/** DECISIONS, "Payments". */',
      ' * Limits (REFERENCE of the standard).',
      'const at = 1; // SPEC, "Limits"',
      "const SPEC = 'SPEC';",
      '/** In special cases, by reference. */',
    ].join('\n'),
  };
  assert.deepEqual(broken(referencesRule, files), [
    'docs/guide.md:1',
    'server/src/a.ts:1',
    'server/src/a.ts:2',
    'server/src/a.ts:3',
  ]);
});

test('structure: a file that dependency-cruiser did not read is a violation, so that it cannot pass blind', () => {
  const cruise = { modules: [{ source: 'sdk/src/a.ts' }], summary: { violations: [] } };
  assert.deepEqual(structureProblems(cruise, ['sdk/src/a.ts', 'README.md']), []);
  assert.deepEqual(structureProblems(cruise, ['sdk/src/a.ts', 'sdk/src/b.ts']), [
    'sdk/src/b.ts  was not read by dependency-cruiser',
  ]);
});

test('layout: tests, contract suites, test support and scripts are not product code', () => {
  assert.ok(isProductCode('server/src/payments/stages/open.ts'));
  for (const path of [
    'server/src/payments/open.test.ts',
    'server/src/banks/bank-contract.ts',
    'server/test-support/slices/platform.ts',
    'server/test-support/database.ts',
    'sandbox/test-support/ports.ts',
    'scripts/check.ts',
    'sdk/scripts/build.ts',
    'README.md',
  ]) {
    assert.ok(!isProductCode(path), path);
  }
});
