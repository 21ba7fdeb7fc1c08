import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onlyPaymentOf } from '../../../test-support/books.ts';
import { oneForEach } from '../../../test-support/opened.ts';
import { asOwner } from '../../../test-support/owner.ts';
import { BankUnavailable } from '../../banks/bank.ts';
import { leavesAccount } from '../payment/outcome.ts';
import { recordOutcomes } from './record.ts';

const { h, runFor } = oneForEach();

/** Returns a schedule whose customer pays from another account, with an attempt that was not ordered yet. */
async function unsent(): Promise<string> {
  const start = h.clock.at.round('second').add({ hours: 24 });
  const { id } = await h.agreed({ start_date: start.toString(), frequency: 'weekly' });
  await h.runUntil(start.subtract({ hours: 1 }));
  h.bank.before = async (call) => {
    if (call === 'confirmFunds') throw new BankUnavailable('down');
  };
  await runFor({ hours: 2 });
  const { consent_url: url } = await h.anotherAccount(id);
  assert.equal(await h.decide(url), 'granted');
  return id;
}

/** Records that the attempt cannot go on at the account that was left, after this statement of the database's owner. */
async function errorAfter(id: string, sql: string): Promise<string | undefined> {
  const { id: paymentId } = await onlyPaymentOf(h, id);
  await asOwner(h.db, async (tx) => {
    const { merchantId } = h;
    assert.equal(await tx.run(sql), 1);
    const work = await tx.row<{ polls: number }>('SELECT polls FROM payment_work');
    const ref = { merchantId, paymentId, scheduleId: id, attempt: 1 };
    const outcome = leavesAccount(work?.polls ?? 0);
    await recordOutcomes({ platform: h.platform, tx, now: h.clock.at }, [{ ref, outcome }]);
  });
  return (await onlyPaymentOf(h, id)).error?.code;
}

test('a payment that cannot move on because its new consent has ended does not fail for want of room', async () => {
  const ended = `UPDATE consents SET status = 'revoked', ended_at = now() WHERE another_account`;
  assert.equal(await errorAfter(await unsent(), ended), 'consent_revoked');
});

test('a payment that cannot move on because its schedule was stopped says so', async () => {
  const stopped = `WITH ended AS (UPDATE consents SET status = 'dropped', ended_at = now() WHERE another_account)
    UPDATE payment_work SET stopped_by = 'schedule_cancelled'`;
  assert.equal(await errorAfter(await unsent(), stopped), 'schedule_cancelled');
});

test('a payment of which an order stands does not move, nor fail for want of room', async () => {
  const ordered = `INSERT INTO payment_orders (merchant_id, payment_id, attempt, call, sent_at)
    SELECT merchant_id, payment_id, 1, 99, now() FROM payments`;
  assert.equal(await errorAfter(await unsent(), ordered), 'duplicate');
});
