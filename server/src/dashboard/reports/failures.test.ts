import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { errorCodeIn, eventsOf, paymentsOf } from '../../../test-support/books.ts';
import { openDashboard, type TestDashboard } from '../../../test-support/slices/dashboard.ts';
import type { PaymentView } from '../../payments/api/view.ts';
import type { FailureReport } from './view.ts';

// Eight weeks of two schedules with weeks without money; the report of the second four is compared with a plain computation
// over the payments and events that the API shows.

const gbp = (value: number) => ({ value, currency: 'GBP' });

let d: TestDashboard;
const made = new Map<string, string>();

async function begin(pence: number, value: string): Promise<void> {
  const { id } = await d.h.agreed({
    amount: gbp(pence),
    frequency: 'weekly',
    max_retries: 1,
    limits: { per_payment: gbp(pence), per_period: gbp(pence * 4) },
    customer: { type: 'phone', value },
  });
  made.set(id, d.h.clock.at.toString());
}

before(async () => {
  d = await openDashboard('2026-01-05T09:30:00Z');
  await begin(500, '+447700900510');
  await d.h.runUntil('2026-01-26T08:00:00Z');
  await begin(6_000, '+447700900511');
  for (const [from, to] of [
    ['2026-01-16', '2026-01-22'],
    ['2026-02-06', '2026-02-11'],
    ['2026-02-20', '2026-02-28'],
  ]) {
    await d.h.runUntil(`${from}T12:00:00Z`);
    d.h.bank.mood.funds = false;
    await d.h.runUntil(`${to}T12:00:00Z`);
    d.h.bank.cheerUp();
  }
  await d.h.runUntil('2026-03-01T12:00:00Z');
});
after(() => d.close());

const sumOf = (payments: readonly PaymentView[]) => ({
  value: payments.reduce((sum, one) => sum + one.amount.value, 0),
  count: payments.length,
});

test('what was due is split by reason, bank, amount and age of the schedule, beside as many days before', async () => {
  const report = await d.get<FailureReport>('/api/reports/failures?from=2026-02-02&to=2026-03-01');
  const all = (await Promise.all([...made.keys()].map((id) => paymentsOf(d.h, id)))).flat();
  const reasons = new Map<string, string>();
  for (const event of await eventsOf(d.h))
    if (event.kind === 'collection.failed')
      reasons.set(String(event.data.payment_id), errorCodeIn(event) ?? '');
  const ended = all.filter(({ id, completed_at }) => reasons.has(id) || completed_at !== null);
  const dueIn = (from: string, to: string) =>
    ended.filter(({ due_date: at }) => at.slice(0, 10) >= from && at.slice(0, 10) <= to);
  const [within, earlier] = [dueIn('2026-02-02', '2026-03-01'), dueIn('2026-01-05', '2026-02-01')];
  const rated = (own: readonly PaymentView[], due: readonly PaymentView[] = own) => {
    const failed = own.filter(({ id }) => reasons.has(id));
    const rate = due.length === 0 ? null : failed.length / due.length;
    return { due: sumOf(due), failed: sumOf(failed), failure_rate: rate };
  };
  const shown = (of: ReturnType<typeof rated>) => {
    const { due, failed, failure_rate } = of;
    return { due, failed, failure_rate };
  };
  const bucketOf = (bounds: readonly number[], value: number) =>
    String(bounds.filter((bound) => bound <= value).length);
  const daysOld = ({ schedule_id: id, due_date }: PaymentView) =>
    Temporal.Instant.from(made.get(id) ?? '')
      .until(due_date)
      .total('hours') / 24;
  const partOf = {
    reason: ({ id }: PaymentView) => reasons.get(id) ?? null,
    bank: () => d.h.bank.bankId,
    amount: ({ amount }: PaymentView) => bucketOf(report.bounds.amount, amount.value),
    age: (one: PaymentView) => bucketOf(report.bounds.age, daysOld(one)),
  };
  assert.deepEqual([shown(report.total), shown(report.before)], [rated(within), rated(earlier)]);
  assert.ok(rated(within).failed.count > rated(earlier).failed.count);
  for (const split of ['reason', 'bank', 'amount', 'age'] as const) {
    const parts = new Map(report.parts[split].map((one) => [one.part, one]));
    const names = new Set([...within, ...earlier].flatMap((one) => partOf[split](one) ?? []));
    assert.deepEqual(new Set(parts.keys()), names);
    if (split === 'amount' || split === 'age') assert.ok(names.size >= 2, split);
    for (const [name, one] of parts) {
      const of = (due: readonly PaymentView[]) => {
        const own = due.filter((payment) => partOf[split](payment) === name);
        return rated(own, split === 'reason' ? due : own);
      };
      assert.deepEqual([shown(one), one.before], [of(within), of(earlier)], `${split} ${name}`);
    }
  }
});
