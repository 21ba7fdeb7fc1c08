import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onlyPaymentOf } from '../../server/test-support/books.ts';
import type { Harness } from '../../server/test-support/harness.ts';
import { openHttp } from '../../server/test-support/http-side.ts';
import { oneForEach } from '../../server/test-support/opened.ts';
import { justDue } from '../races/acts.ts';

const { h, runFor } = oneForEach();

/** Returns a schedule whose payment is at a bank that does not end it. */
async function underWay(on: Harness): Promise<string> {
  const id = await justDue(on);
  on.bank.mood.slow = true;
  await on.service.engine.drain();
  return id;
}

for (const status of ['paused', 'cancelled'] as const)
  test(`the answer to a PUT that leaves a schedule ${status} names what may still arrive, and so does a GET`, async () => {
    const http = await openHttp(h);
    try {
      const id = await underWay(h);
      const { id: paymentId, amount, due_date } = await onlyPaymentOf(h, id);
      const expected = [{ id: paymentId, amount, due_date }];
      const put = await http.call('PUT', `/schedules/${id}`, { status });
      assert.deepEqual([put.status, put.body.payments_under_way], [200, expected]);
      const get = await http.call('GET', `/schedules/${id}`);
      assert.deepEqual(get.body.payments_under_way, expected);
      h.bank.credit(h.bank.paymentOf(paymentId, 1));
      await runFor({ minutes: 1 });
      const later = await http.call('GET', `/schedules/${id}`);
      assert.deepEqual(later.body.payments_under_way, []);
    } finally {
      await http.close();
    }
  });

test('a retry of a payment whose order may still be open at the bank is answered with 409 and until when', async () => {
  const http = await openHttp(h);
  try {
    const id = await underWay(h);
    await h.update(id, { status: 'paused' });
    await runFor({ hours: 25 });
    const { id: paymentId } = await onlyPaymentOf(h, id);
    const { status, body } = await http.call('POST', `/payments/${paymentId}/retry`);
    assert.deepEqual([status, body.error.code], [409, 'payment_not_retryable']);
    assert.match(body.error.message, /may still be open at the bank.* from 2026-01-12T/);
  } finally {
    await http.close();
  }
});
