import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { violates } from '../../server/src/platform/values/errors.ts';
import {
  balanceOf,
  OUTSIDE,
  openAccounts,
  type Posting,
  post,
} from '../../server/src/wallets/ledger-store.ts';
import { assertLaws } from '../../server/test-support/books.ts';
import { type Harness, openHarness } from '../../server/test-support/harness.ts';

let h: Harness;
before(async () => {
  h = await openHarness();
  await h.db.transaction((tx) =>
    openAccounts(
      tx,
      h.merchantId,
      ['a', 'b', 'c'].map((accountId) => ({ accountId, kind: 'customer_wallet' as const })),
    ),
  );
});
after(() => h.close());

let sources = 0;

function transfer(
  debit: string,
  credit: string,
  amountPence: number,
  sourceId = `s${sources++}`,
): Posting {
  return { merchantId: h.merchantId, kind: 'move', debit, credit, amountPence, sourceId };
}

const posted = (...postings: Posting[]): Promise<void> =>
  h.db.transaction((tx) => post({ platform: h.platform, tx, now: h.clock.at }, postings));
const balances = (): Promise<number[]> =>
  h.db.read(async (tx) => {
    const found: number[] = [];
    for (const account of ['a', 'b', 'c']) found.push(await balanceOf(tx, h.merchantId, account));
    return found;
  });

test('of many debits of one balance at once, as many go through as it bears, and it is never below zero', async () => {
  await posted(transfer(OUTSIDE, 'a', 1000));
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, () => posted(transfer('a', 'b', 300))),
  );
  assert.equal(results.filter((r) => r.status === 'fulfilled').length, 3);
  for (const r of results)
    if (r.status === 'rejected')
      assert.ok(violates(r.reason, 'accounts_not_below_zero'), String(r.reason));
  assert.deepEqual(await balances(), [100, 900, 0]);
  await assertLaws(h);
});

test('transfers to and fro at once neither lose a penny nor block each other', async () => {
  await posted(transfer(OUTSIDE, 'c', 5000));
  const [a, b, c] = await balances();
  const moves = Array.from({ length: 30 }, (_, n) =>
    n % 2 === 0
      ? posted(transfer('a', 'b', 1), transfer('b', 'c', 2))
      : posted(transfer('c', 'b', 2), transfer('b', 'a', 1)),
  );
  await Promise.all(moves);
  assert.deepEqual(await balances(), [a, b, c]);
  await assertLaws(h);
});

test('one source is posted once, however many try', async () => {
  const [a = 0] = await balances();
  const same = Array.from({ length: 10 }, () => posted(transfer(OUTSIDE, 'a', 7, 'the-same')));
  const results = await Promise.allSettled(same);
  assert.equal(results.filter((r) => r.status === 'fulfilled').length, 1);
  assert.equal((await balances())[0], a + 7);
  await assertLaws(h);
});
