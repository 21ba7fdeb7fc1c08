import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onlyPaymentOf } from '../../../test-support/books.ts';
import { oneForEach } from '../../../test-support/opened.ts';
import { BankUnavailable } from '../../banks/bank.ts';
import { findWaiting } from '../books/waiting-store.ts';
import { ended, type Outcome } from '../payment/outcome.ts';
import { recordOutcomes } from './record.ts';

const { h, runFor } = oneForEach();

/** Returns the payment of an attempt that began, and of whose order a restored database knows nothing: its bank reports this. */
async function reported(outcome: Outcome): Promise<string> {
  const start = h.clock.at.round('second').add({ hours: 24 });
  const { id: scheduleId } = await h.agreed({ start_date: start.toString(), frequency: 'weekly' });
  await h.runUntil(start.subtract({ hours: 1 }));
  h.bank.before = async (call) => {
    if (call === 'confirmFunds') throw new BankUnavailable('down');
  };
  await runFor({ hours: 1 });
  const { id } = await onlyPaymentOf(h, scheduleId);
  const ref = { merchantId: h.merchantId, paymentId: id, scheduleId, attempt: 1 };
  await h.db.transaction((tx) =>
    recordOutcomes({ platform: h.platform, tx, now: h.clock.at }, [{ ref, outcome }]),
  );
  return id;
}

const attemptOf = (paymentId: string) =>
  h.db.read((tx) =>
    tx.row<{ sentAt: Temporal.Instant | null; startedAt: Temporal.Instant }>(
      'SELECT sent_at, started_at FROM attempts WHERE payment_id = $1',
      [paymentId],
    ),
  );

const AT_BANK = { bankPaymentId: 'bp-lost', bankStatus: 'ACCC' };

test('what a bank reports counts as sent, and waits for a person where its money does not come', async () => {
  const id = await reported({ kind: 'credited', ...AT_BANK });
  const { sentAt, startedAt } = (await attemptOf(id)) ?? assert.fail();
  assert.ok(sentAt?.equals(startedAt));
  const waiting = (hours: number) =>
    h.db.read((tx) => findWaiting(tx, h.clock.at.add({ hours }), h.merchantId, [id]));
  assert.equal((await waiting(1)).size, 0);
  assert.equal((await waiting(3)).get(id)?.reason, 'credited_without_money');
});

test('an attempt that ends without its bank was not sent', async () => {
  const id = await reported(ended('technical', 'It was not sent.', null));
  assert.equal((await attemptOf(id))?.sentAt, null);
});
