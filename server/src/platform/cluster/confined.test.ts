import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Tx } from '../connection/transaction.ts';
import type { SqlValue } from '../connection/types.ts';
import { confinedByKeys } from './confined.ts';

const [ONE, OTHER] = ['mer_0000000000000000000001', 'mer_0000000000000000000002'];

/** Says a statement; returns what the database gets. */
async function said(sql: string, values: readonly SqlValue[]): Promise<[string, unknown]> {
  let got: [string, unknown] = ['', null];
  const tx = {
    async run(text: string, bound: unknown) {
      got = [text, bound];
    },
  };
  await confinedByKeys(tx as unknown as Tx).run(sql, values);
  return got;
}

test('a statement is confined to the merchants whose ids it binds', async () => {
  assert.deepEqual(await said('SELECT FROM refunds WHERE merchant_id = $1', [ONE]), [
    'SELECT FROM (SELECT * FROM refunds WHERE merchant_id = $2) refunds WHERE merchant_id = $1',
    [ONE, ONE],
  ]);
  assert.deepEqual(
    await said('DELETE FROM refunds WHERE merchant_id = ANY ($1)', [[ONE, OTHER, ONE]]),
    [
      'DELETE FROM refunds WHERE refunds.merchant_id = ANY ($2::text[]) AND ( merchant_id = ANY ($1)) ',
      [
        [ONE, OTHER, ONE],
        [ONE, OTHER],
      ],
    ],
  );
});

test('a text that a merchant wrote is never taken for a merchant', async () => {
  const wrote = 'UPDATE refunds SET reason = $1 WHERE merchant_id = $2 AND refund_id = $3';
  const [text, bound] = await said(wrote, [OTHER, ONE, 'ref_1']);
  assert.match(text, /refunds\.merchant_id = \$4 AND/);
  assert.deepEqual(bound, [OTHER, ONE, 'ref_1', ONE]);
  const only = 'SELECT FROM refunds WHERE reason = $1';
  assert.deepEqual(await said(only, [OTHER]), [only, [OTHER]]);
  const inserted =
    'INSERT INTO refunds (reason, merchant_id) SELECT * FROM unnest($1::text[], $2::text[])';
  assert.deepEqual((await said(inserted, [[OTHER], [ONE]]))[1], [[OTHER], [ONE]]);
  const listed =
    'UPDATE refunds r SET reason = x.reason FROM unnest($1::text[], $2::text[]) AS x (reason, merchant_id) WHERE r.merchant_id = x.merchant_id';
  assert.deepEqual((await said(listed, [[OTHER], [ONE]]))[1], [[OTHER], [ONE], ONE]);
});

test('a statement that does not say what it binds reads every shard', async () => {
  const sql = 'SELECT FROM refunds WHERE merchant_id = $1 AND something($2)';
  assert.deepEqual(await said(sql, [ONE, OTHER]), [sql, [ONE, OTHER]]);
});

test('one that binds none, pages over merchants, or reads no distributed table stays as it is', async () => {
  const page = 'SELECT FROM refunds WHERE (merchant_id, refund_id) > ($1, $2)';
  for (const [sql, values] of [
    ['SELECT FROM refunds WHERE due_at < $1', ['2026-01-01']],
    [page, [ONE, '']],
    ['SELECT FROM members WHERE merchant_id = $1', [ONE]],
  ] as const)
    assert.deepEqual(await said(sql, values), [sql, values]);
});
