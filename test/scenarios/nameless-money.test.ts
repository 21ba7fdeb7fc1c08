import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { endUnallocated } from '../../server/src/payments/operator/decide.ts';
import { assertLaws, dueInAnHour, onlyPaymentOf } from '../../server/test-support/books.ts';
import { type Harness, openHarness } from '../../server/test-support/harness.ts';

let h: Harness;
afterEach(() => h.close());

test('a payment is not retried while money that may be its own is on the unallocated list', async () => {
  h = await openHarness('2026-01-05T09:30:00Z');
  h.bank.mood.slow = true;
  const id = await dueInAnHour(h);
  const { id: paymentId } = await onlyPaymentOf(h, id);
  const first = h.bank.paymentOf(paymentId, 1);
  h.bank.fail(first, 'retryable');
  await h.runUntil(h.clock.at.add({ hours: 2 }));
  assert.equal((await onlyPaymentOf(h, id)).status, 'pending');
  h.issuer.payIn({ ...first, endToEndId: 'NOTPROVIDED' }); // the bank paid after all
  await h.runUntil(h.clock.at.add({ hours: 30 }));
  assert.deepEqual(h.bank.submitted, [`${paymentId}-a1`], 'no second debit');
  await assertLaws(h);
  const item = await h.db.read((tx) =>
    tx.row<{ itemId: string }>('SELECT item_id FROM unallocated_items'),
  );
  await endUnallocated({ platform: h.platform, issuer: h.issuer }, item?.itemId ?? '', {
    end: 'allocated',
    paymentId,
    by: 'Ms Hill',
    byId: 'shell:Ms Hill',
    reason: 'nobody else owes this amount',
  });
  await h.runUntil(h.clock.at.add({ hours: 2 }));
  assert.equal((await onlyPaymentOf(h, id)).status, 'success');
  await assertLaws(h);
});
