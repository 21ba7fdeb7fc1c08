import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { paymentsOf } from '../../server/test-support/books.ts';
import { type Harness, openHarness } from '../../server/test-support/harness.ts';

let h: Harness;
before(async () => {
  h = await openHarness('2026-01-05T09:30:00Z');
});
after(() => h.close());

test('a payment that fails after the next occurrence of its schedule has no retry', async () => {
  const { id } = await h.agreed({ frequency: 'daily', start_date: '2026-01-06T09:00:00Z' });
  await h.runUntil('2026-01-06T08:59:00Z');
  h.bank.mood.down = true;
  await h.runUntil('2026-01-07T09:10:00Z');
  h.bank.cheerUp();
  h.bank.mood.funds = false;
  await h.runUntil('2026-01-07T10:30:00Z');
  const [first, second] = await paymentsOf(h, id);
  assert.equal(second?.status, 'pending', 'the second waits for its own retry');
  assert.deepEqual([first?.status, first?.no_retry_reason], ['failed', 'next_occurrence']);
});
