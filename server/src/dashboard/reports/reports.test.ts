import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  asked,
  assertLaws,
  errorCodeIn,
  eventsOf,
  paymentsOf,
  refund,
  retryByHand,
  settlementsOf,
} from '../../../test-support/books.ts';
import { openDashboard, type TestDashboard } from '../../../test-support/slices/dashboard.ts';
import type { PaymentView } from '../../payments/api/view.ts';
import { showUpcoming } from '../../schedules/change/upcoming.ts';
import { walletBalance } from '../overview/store.ts';
import type { OverviewView } from '../overview/view.ts';
import type { Statement } from './statement-view.ts';
import type { AgeingReport, CalendarReport, CohortReport, FailureReport } from './view.ts';

// A year of collections with its failures, retries, refunds and a recall; each report is compared with a plain computation over
// the payments and events that the API shows.

const gbp = (value: number) => ({ value, currency: 'GBP' });
const phone = (n: number) => ({ type: 'phone' as const, value: `+4477009005${n}` });
const LONDON = 'Europe/London';
const FIRST = Temporal.PlainDate.from('2026-01-01');
const MONTHS = Array.from({ length: 12 }, (_, i) => FIRST.add({ months: i }));

let d: TestDashboard;
const schedules: string[] = [];
/** The wallet's balance at the end of each month, read at that moment. */
const balances = new Map<string, number>();

before(async () => {
  d = await openDashboard('2025-12-20T09:30:00Z');
  for (const month of MONTHS) await liveThrough(month);
  await assertLaws(d.h);
});
after(() => d.close());

const day = (date: Temporal.PlainDate, time = '00:00') =>
  date.toZonedDateTime({ timeZone: LONDON, plainTime: time }).toInstant();

/** Lives through a month: every second one begins a schedule, and for a week in it nobody has money. */
async function liveThrough(month: Temporal.PlainDate): Promise<void> {
  const { h } = d;
  await h.runUntil(day(month, '10:00'));
  if (month.month % 2 === 1) {
    const terms = {
      amount: gbp(1_000 + month.month),
      frequency: 'weekly' as const,
      max_retries: 2,
      limits: { per_payment: gbp(2_000), per_period: gbp(5_000) },
    };
    const { id } = await h.agreed({ ...terms, customer: phone(10 + month.month) });
    schedules.push(id);
  }
  h.bank.mood.funds = false;
  await h.runUntil(day(month.add({ days: 5 })));
  h.bank.cheerUp();
  await h.runUntil(day(month.add({ days: 16 })));
  if (month.month % 3 === 0 || month.month === 11) h.bank.mood.refuses = 'final';
  await h.runUntil(day(month.add({ days: 23 })));
  h.bank.cheerUp();
  if (month.month === 4) await changeThePast();
  const next = month.add({ months: 1 });
  await h.runUntil(day(next).subtract({ milliseconds: 1 }));
  balances.set(month.toPlainYearMonth().toString(), await balance());
}

/** Refunds one payment, collects a failed one by hand, and ends a schedule. */
async function changeThePast(): Promise<void> {
  await d.h.runUntil('2026-04-26T12:00:00Z'); // a Sunday: what was collected today is settled tomorrow
  const payments = await allPayments();
  const paid = payments.find((one) => one.status === 'success');
  await refund(d.h, paid?.id ?? '', { amount: gbp(300) });
  const failed = payments.find((one) => one.status === 'failed');
  await retryByHand(d.h, failed?.id ?? '');
  const [, last = ''] = schedules;
  await d.h.update(last, { status: 'cancelled' });
}

const balance = () => d.h.db.forMerchant(d.h.merchantId, (tx) => walletBalance(tx, d.h.merchantId));

async function allPayments(): Promise<PaymentView[]> {
  return (await Promise.all(schedules.map((id) => paymentsOf(d.h, id)))).flat();
}

/** Returns the payments that failed at least once, with the reason of the last failure that was sent. */
async function failing(): Promise<{ payment: PaymentView; reason: string }[]> {
  const reasons = new Map<string, string>();
  for (const event of await eventsOf(d.h))
    if (event.kind === 'collection.failed')
      reasons.set(String(event.data.payment_id), errorCodeIn(event) ?? '');
  return (await allPayments()).flatMap((payment) => {
    const reason = reasons.get(payment.id);
    return reason === undefined ? [] : [{ payment, reason }];
  });
}

const dueOn = ({ due_date }: PaymentView): Temporal.PlainDate =>
  Temporal.Instant.from(due_date).toZonedDateTimeISO(LONDON).toPlainDate();
const monthOf = (at: string | null): string =>
  Temporal.Instant.from(at ?? '')
    .toZonedDateTimeISO(LONDON)
    .toPlainDate()
    .toPlainYearMonth()
    .toString();
const sumOf = (payments: readonly Pick<PaymentView, 'amount'>[]) => ({
  value: payments.reduce((sum, one) => sum + one.amount.value, 0),
  count: payments.length,
});

const YEAR = 'from=2026-01-01&to=2026-12-31';

test('failures by reason and month are those of the payments and events, and some were recovered', async () => {
  const report = await d.get<FailureReport>(`/api/reports/failures?${YEAR}&by=month`);
  const all = await failing();
  const expected = new Map<string, object>();
  for (const [key, own] of Map.groupBy(
    all,
    ({ payment, reason }) => `${monthOf(payment.due_date)} ${reason}`,
  )) {
    const of = (status: string) =>
      sumOf(own.filter(({ payment }) => payment.status === status).map(({ payment }) => payment));
    expected.set(key, {
      failed: sumOf(own.map(({ payment }) => payment)),
      recovered: of('success'),
      lost: of('failed'),
    });
  }
  assert.ok(expected.size >= 4);
  assert.deepEqual(
    new Map(
      report.lines.map(({ from, reason, failed, recovered, lost }) => [
        `${from.slice(0, 7)} ${reason}`,
        { failed, recovered, lost },
      ]),
    ),
    new Map([...expected].sort()),
  );
  const { failed, recovered, waiting, lost, recovered_share: share } = report.total;
  assert.ok(recovered.count > 0 && lost.count > 0);
  assert.equal(failed.value, recovered.value + waiting.value + lost.value);
  assert.equal(share, recovered.count / (recovered.count + lost.count));
  const sums = (list: { failed: { value: number } }[]) =>
    list.reduce((sum, one) => sum + one.failed.value, 0);
  assert.deepEqual(
    [sums(report.parts.reason), sums(report.periods), sums(report.lines)],
    [failed.value, failed.value, failed.value],
  );
});

test('weeks begin on Monday, and the first and last are cut by the range', async () => {
  const { periods } = await d.get<FailureReport>(
    '/api/reports/failures?from=2026-03-04&to=2026-03-17',
  );
  assert.deepEqual(
    periods.map(({ from, to }) => [from, to]),
    [
      ['2026-03-04', '2026-03-08'],
      ['2026-03-09', '2026-03-15'],
      ['2026-03-16', '2026-03-17'],
    ],
  );
});

test('arrears by age are the failed payments, equal what failures call lost, and name the customers', async () => {
  const report = await d.get<AgeingReport>('/api/reports/ageing');
  const lost = (await allPayments()).filter((one) => one.status === 'failed');
  assert.deepEqual(report.total, sumOf(lost));
  const today = d.h.clock.at.toZonedDateTimeISO(LONDON).toPlainDate();
  const ages = [
    [0, 7],
    [8, 30],
    [31, 60],
    [61, 90],
    [91, 10_000],
  ].map(([from = 0, to = 0]) =>
    sumOf(
      lost.filter((one) => {
        const { days } = dueOn(one).until(today, { largestUnit: 'days' });
        return days >= from && days <= to;
      }),
    ),
  );
  assert.deepEqual(
    report.ages.map(({ value, count }) => ({ value, count })),
    ages,
  );
  assert.ok(ages.filter(({ count }) => count > 0).length >= 3);
  const owed = Map.groupBy(lost, (one) => one.customer_id);
  assert.deepEqual(
    new Map(report.customers.map(({ customer, total }) => [customer.id, total])),
    new Map(report.customers.map(({ customer: { id } }) => [id, sumOf(owed.get(id) ?? [])])),
  );
  assert.equal(report.customers_total, owed.size);
  const failures = await d.get<FailureReport>(`/api/reports/failures?${YEAR}`);
  assert.deepEqual(failures.total.lost, report.total);
  // Each age leads to the list of failed payments due on these days.
  const [, second] = report.ages;
  const narrowed = await d.get<AgeingReport>(
    `/api/reports/ageing?from=${second?.from}&to=${second?.to}`,
  );
  assert.deepEqual(narrowed.total, { value: second?.value, count: second?.count });
});

test('cohorts are the schedules by their first active month, with what they collected in each month since', async () => {
  const report = await d.get<CohortReport>('/api/reports/cohorts?from=2026-01&to=2026-12');
  const shown = report.cohorts.map(({ schedules: size, active }) => [size, active]);
  const begun = [
    [1, 1],
    [0, 0],
    [1, 0],
    [0, 0],
    [1, 1],
    [0, 0],
    [1, 1],
    [0, 0],
    [1, 1],
    [0, 0],
    [1, 1],
    [0, 0],
  ];
  assert.deepEqual(shown, begun);
  const [first] = report.cohorts;
  const own = (await paymentsOf(d.h, schedules[0] ?? '')).filter((one) => one.status === 'success');
  assert.deepEqual(
    first?.collected,
    MONTHS.map((month) =>
      sumOf(own.filter((one) => monthOf(one.completed_at) === month.toPlainYearMonth().toString())),
    ),
  );
  const paid = (await allPayments()).filter((one) => one.status === 'success');
  assert.deepEqual(report.total, sumOf(paid));
});

test('each number of a cohort leads to as many schedules', async () => {
  const { cohorts } = await d.get<CohortReport>('/api/reports/cohorts?from=2026-01&to=2026-12');
  for (const { month, schedules: size, active } of cohorts) {
    const list = `/api/v1/schedules?started=${month}`;
    const all = await d.get<{ data: { id: string }[] }>(list);
    const still = await d.get<{ data: { id: string }[] }>(`${list}&status=active`);
    assert.deepEqual([all.data.length, still.data.length], [size, active], month);
  }
  const { body } = await d.refused('GET', '/api/v1/schedules?started=2026-13');
  assert.deepEqual(Object.keys(body.details ?? {}), ['started']);
});

test('over the same days the reports and the overview agree', async () => {
  const overview = await d.get<OverviewView>('/api/overview?days=90');
  const since = overview.days[0]?.date ?? '';
  const inDays = (at: string | null) =>
    at !== null &&
    Temporal.Instant.from(at).toZonedDateTimeISO(LONDON).toPlainDate().toString() >= since;
  const payments = await allPayments();
  assert.deepEqual(overview.collected, sumOf(payments.filter((one) => inDays(one.completed_at))));
  const { cohorts } = await d.get<CohortReport>('/api/reports/cohorts?from=2026-01&to=2026-12');
  const last = cohorts.map(({ collected }) => collected.at(-1)?.value ?? 0).reduce((a, b) => a + b);
  const december = overview.days.filter(({ date }) => date.startsWith('2026-12'));
  assert.equal(
    last,
    december.reduce((sum, one) => sum + one.collected.value, 0),
  );
  const { total } = await d.get<FailureReport>(`/api/reports/failures?from=${since}&to=2026-12-31`);
  assert.deepEqual(total.lost, overview.failed);
});

test('twelve statements chain, and each closes at the balance that the wallet had', async () => {
  let before: number | null = null;
  for (const month of MONTHS) {
    const name = month.toPlainYearMonth().toString();
    const statement = await d.get<Statement>(`/api/reports/statement?month=${name}`);
    const moved = statement.summary.reduce((sum, line) => sum + line.value, 0);
    assert.equal(statement.closing, statement.opening + moved, name);
    assert.equal(
      statement.lines.reduce((sum, line) => sum + line.value, 0),
      moved,
      name,
    );
    assert.equal(statement.lines.at(-1)?.balance ?? statement.opening, statement.closing, name);
    assert.equal(statement.closing, balances.get(name), name);
    assert.ok(
      statement.lines.every((line) => line.balance >= 0),
      name,
    );
    if (before !== null) assert.equal(statement.opening, before, name);
    before = statement.closing;
  }
  assert.ok(
    [...balances.values()].some((pence) => pence > 0),
    'some months end with money in the wallet',
  );
});

test('a statement says what came in and went out, as payments, refunds and settlements have it', async () => {
  const statement = await d.get<Statement>('/api/reports/statement?month=2026-04');
  const of = (kind: string) => statement.summary.find((line) => line.kind === kind);
  const paid = (await allPayments()).filter(
    (one) => one.completed_at !== null && monthOf(one.completed_at) === '2026-04',
  );
  assert.deepEqual(of('payments'), { kind: 'payments', ...sumOf(paid) });
  assert.deepEqual(of('refunds'), { kind: 'refunds', value: -300, count: 1 });
  assert.deepEqual(of('fees'), { kind: 'fees', value: 0, count: 0 });
  const settled = (await settlementsOf(d.h)).filter((one) =>
    one.settlement_date.startsWith('2026-04'),
  );
  assert.equal(
    of('settlements')?.value,
    0 - settled.reduce((sum, one) => sum + one.amount.value, 0),
  );
  assert.deepEqual(
    [statement.from, statement.to, statement.is_complete],
    ['2026-04-01', '2026-04-30', true],
  );
});

test('each day of a calendar is the payments due on it and the settlements paid out on it', async () => {
  const payments = await allPayments();
  const settlements = await settlementsOf(d.h);
  for (const month of MONTHS.slice(2, 5).map((one) => one.toPlainYearMonth().toString())) {
    const { days } = await d.get<CalendarReport>(`/api/reports/calendar?month=${month}`);
    for (const { date, planned, collected, waiting, failed, settled } of days) {
      const due = payments.filter((one) => dueOn(one).toString() === date);
      const of = (status: string) => sumOf(due.filter((one) => one.status === status));
      assert.deepEqual([planned, collected, failed], [sumOf(due), of('success'), of('failed')]);
      assert.equal(waiting.count, due.length - collected.count - failed.count, date);
      const paidOut = settlements.filter((one) => one.completed_at?.startsWith(date));
      assert.deepEqual(settled, sumOf(paidOut), date);
    }
  }
});

test('a calendar of a month to come is what each schedule says of it, and ends a year ahead', async () => {
  const { days } = await d.get<CalendarReport>('/api/reports/calendar?month=2027-02');
  const expected = new Map<string, number>();
  for (const id of schedules) {
    const { data } = await d.h.db.read((tx) => showUpcoming(asked(d.h, tx), id, 20));
    for (const { due_date: due, amount } of data) {
      const date = Temporal.Instant.from(due).toZonedDateTimeISO(LONDON).toPlainDate().toString();
      expected.set(date, (expected.get(date) ?? 0) + (amount?.value ?? 0));
    }
  }
  assert.ok(days.some(({ coming }) => coming.count > 1));
  for (const { date, coming } of days) assert.equal(coming.value, expected.get(date) ?? 0, date);
  assert.equal((await d.refused('GET', '/api/reports/calendar?month=2028-01')).status, 400);
});
