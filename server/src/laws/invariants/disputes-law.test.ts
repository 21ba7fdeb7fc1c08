import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Harness, openHarness } from '../../../test-support/harness.ts';
import { brokenIn } from '../../../test-support/slices/laws.ts';

let harness: Harness;

before(async () => {
  harness = await openHarness();
  await harness.agreed();
  await harness.runUntil('2026-02-12T12:00:00Z');
});
after(() => harness.close());

/** Makes changes, and expects exactly these laws to notice. */
async function notice(laws: string[], ...statements: string[]): Promise<void> {
  assert.deepEqual(Object.keys(await brokenIn(harness, statements)).sort(), laws.sort());
}

test('a dispute that gave back what its payment did not is noticed, and one without its refund', async () => {
  const dispute = (status: string, more: string) =>
    `INSERT INTO disputes (merchant_id, dispute_id, payment_id, schedule_id, raised_by, reason, amount_pence, currency, status,
       deadline_at, returned_before_pence, created_at, ended_at, returned_pence, refund_id)
     SELECT merchant_id, 'dsp_1', payment_id, schedule_id, 'customer', 'unauthorised', amount_pence, currency, '${status}', now(),
       0, now(), ${more} FROM payments ORDER BY payment_id LIMIT 1`;
  await notice(['disputes-within-payments'], dispute('refunded', 'now(), 1, NULL'));
  await notice(['disputes-within-payments'], dispute('refunded', `now(), 0, 'ref_lost'`));
  await notice([], dispute('open', 'NULL, NULL, NULL'));
  await notice(['disputes-within-payments'], dispute('open', `NULL, NULL, 'ref_lost'`));
  await notice(
    ['disputes-within-payments'],
    dispute('open', 'NULL, NULL, NULL'),
    'UPDATE disputes SET amount_pence = amount_pence + 1',
  );
  await notice(
    ['disputes-within-payments'],
    dispute('open', 'NULL, NULL, NULL'),
    `UPDATE disputes SET amount_pence = amount_pence - 1, returned_before_pence = 1, refunds_before = '{ref_failed}'`,
  );
});
