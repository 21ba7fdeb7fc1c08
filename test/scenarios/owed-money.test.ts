import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  dueInAnHour,
  onlyPaymentOf,
  refund,
  refundsOf,
  refusedWith,
  settleByHand,
  settlementsOf,
} from '../../server/test-support/books.ts';
import { oneForEach } from '../../server/test-support/opened.ts';

const { h, runFor } = oneForEach('2026-01-05T09:30:00Z'); // a Monday

/** Collects a payment of 49.99 now; returns its id. */
async function collected(): Promise<string> {
  const id = await dueInAnHour(h, { frequency: 'yearly' });
  return (await onlyPaymentOf(h, id)).id;
}

/** Recalls the pay-in that came last. */
async function recallLast(): Promise<void> {
  const payIns = [...h.issuer.wallets.values()]
    .flatMap((one) => one.movements)
    .filter(({ kind }) => kind === 'payin')
    .sort((a, b) => Temporal.Instant.compare(a.createdAt, b.createdAt));
  const last = payIns.at(-1);
  assert.ok(last);
  h.issuer.recall(last);
  await runFor({ minutes: 1 });
}

const sumOf = (sql: string): Promise<number> =>
  h.db.read(async (tx) => (await tx.row<{ pence: number }>(sql))?.pence ?? 0);
const owed = () => sumOf(`SELECT balance_pence AS pence FROM accounts WHERE account_id = 'owed'`);

test('a merchant cannot refund with the money that covers what it owes', async () => {
  const settled = await collected();
  await h.runUntil('2026-01-06T09:00:00Z');
  await collected();
  await recallLast();
  await assert.rejects(refund(h, settled), refusedWith('insufficient_balance'));
  await collected(); // what comes next is the merchant's own again
  assert.equal((await refund(h, settled)).status, 'pending');
  await collected();
  await h.runUntil('2026-01-09T12:00:00Z');
  assert.equal(await owed(), 0, 'the issuer has its cover');
});

test('a refund that waits is not paid with the money that covers what the merchant owes', async () => {
  await h.db.transaction((tx) =>
    tx.run('UPDATE merchants SET refunds_wait = true WHERE merchant_id = $1', [h.merchantId]),
  );
  const settled = await collected();
  await h.runUntil('2026-01-06T09:00:00Z');
  await collected();
  await recallLast();
  await refund(h, settled);
  await runFor({ hours: 3 });
  assert.deepEqual(
    (await refundsOf(h)).map(({ status }) => status),
    ['pending'],
  );
  await collected();
  await runFor({ hours: 2 });
  assert.deepEqual(
    (await refundsOf(h)).map(({ status }) => status),
    ['success'],
  );
});

test('a failed settlement is not paid out again by hand with money that the merchant owes', async () => {
  h.issuer.payOutError = 'invalid_account';
  await collected();
  await h.runUntil('2026-01-06T09:00:00Z');
  h.issuer.payOutError = null;
  const [failed] = await settlementsOf(h);
  assert.equal(failed?.status, 'failed');
  await recallLast();
  await assert.rejects(settleByHand(h, failed.id), refusedWith('settlement_not_retryable'));
});

test('what a settlement has netted is owed no more: the rest of the wallet may be taken', async () => {
  const first = await collected();
  await recallLast();
  await collected();
  await collected();
  h.issuer.payOutError = 'invalid_account';
  await h.runUntil('2026-01-06T09:00:00Z');
  h.issuer.payOutError = null;
  const [failed] = await settlementsOf(h);
  assert.deepEqual([failed?.amount.value, failed?.status], [4999 * 2, 'failed']);
  assert.ok(first && failed);
  assert.equal((await settleByHand(h, failed.id)).status, 'pending');
  await h.runUntil('2026-01-09T12:00:00Z');
  assert.equal(await owed(), 0);
});
