import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onlyPaymentOf } from '../../../test-support/books.ts';
import { openDashboard, type TestDashboard } from '../../../test-support/slices/dashboard.ts';
import type { OverviewView } from './view.ts';

let d: TestDashboard;
before(async () => {
  d = await openDashboard('2026-03-02T09:30:00Z');
});
after(() => d.close());

let customers = 0;
async function sent(value: number): Promise<string> {
  customers += 1;
  const { id } = await d.h.agreed({
    customer: { type: 'phone', value: `+44770090045${customers}` },
    amount: { value, currency: 'GBP' },
    start_date: '2026-03-02T10:00:00Z',
    frequency: 'yearly',
  });
  return id;
}

const inQuestion = async (merchantId?: string): Promise<unknown[]> =>
  (await d.get<OverviewView>('/api/overview', merchantId)).in_question.map(
    ({ payment_id: id, value, reason }) => [id, value, reason],
  );

const runFor = (hours: number): Promise<void> => d.h.runUntil(d.h.clock.at.add({ hours }));

test('payments that wait for a person are named, the oldest first, and so is money that came beside one', async () => {
  const schedules = [await sent(1000), await sent(700)];
  d.h.bank.mood.slow = true;
  await d.h.runUntil('2026-03-02T10:01:00Z');
  const [short = '', silent = ''] = await Promise.all(
    schedules.map(async (id) => (await onlyPaymentOf(d.h, id)).id),
  );
  assert.deepEqual(await inQuestion(), []);
  d.h.issuer.payIn({ ...d.h.bank.paymentOf(short, 1), amountPence: 999 });
  await runFor(3);
  assert.deepEqual(await inQuestion(), [[short, 1000, 'wrong_amount']]);
  await runFor(24);
  assert.deepEqual(await inQuestion(), [
    [silent, 700, 'no_outcome'],
    [short, 1000, 'wrong_amount'],
  ]);
  const arrived = d.h.bank.paymentOf(silent, 1);
  d.h.bank.credit(arrived);
  await runFor(1);
  d.h.issuer.payIn(arrived);
  await runFor(1);
  assert.deepEqual(await inQuestion(), [
    [short, 1000, 'wrong_amount'],
    [silent, 700, 'unexpected_money'],
  ]);
  assert.deepEqual(await inQuestion((await d.h.merchant()).merchantId), []);
});
