import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  assertLaws,
  dueInAnHour,
  onlyPaymentOf,
  refund,
  settlementsOf,
} from '../../../test-support/books.ts';
import { feesFromTomorrow } from '../../../test-support/fees.ts';
import { openDashboard, type TestDashboard } from '../../../test-support/slices/dashboard.ts';
import type { CreateBody } from '../../schedules/request/request.ts';
import { walletBalance } from '../overview/store.ts';
import type { OverviewView } from '../overview/view.ts';
import { settlementCsv } from '../settlements/csv.ts';
import type { Statement } from './statement-view.ts';
import type { AgeingReport, CalendarReport, CohortReport, FailureReport } from './view.ts';

// One January with everything that can happen to money: the reports, the overview, the settlements' CSVs and the ledger say the
// same of it, to the penny.

const PLAIN = 3_000;
const REFUNDED = 2_500;
const PART = 700;
const RECALLED = 4_100;
const LOST = 1_550;
const LATE = 1_825;
const RETRIED = 2_275;
const NETTED = 5_300;
const LAST = 990;
const COLLECTED = PLAIN + REFUNDED + RECALLED + LATE + RETRIED + NETTED + LAST;

/** Ten pence and two in a hundred of each payment. */
const feeOf = (pence: number): number => 10 + Math.round(pence * 0.02);

let d: TestDashboard;
let overview: OverviewView;
let statement: Statement;
/** The rows of all settlements' CSVs, in pence. */
let lines: { settlement: string; kind: string; pence: number; fee: number; net: number }[];

const once = async (pence: number, rest: Partial<CreateBody> = {}): Promise<string> =>
  dueInAnHour(d.h, {
    amount: { value: pence, currency: 'GBP' },
    frequency: 'yearly',
    max_retries: 0,
    ...rest,
  });

before(async () => {
  d = await openDashboard('2026-01-05T09:30:00Z');
  await liveThroughJanuary();
  await assertLaws(d.h);
  overview = await d.get('/api/overview?days=30');
  statement = await d.get('/api/reports/statement?month=2026-01');
  lines = (await Promise.all((await settlementsOf(d.h)).map(({ id }) => readCsv(id)))).flat();
});
after(() => d.close());

async function liveThroughJanuary(): Promise<void> {
  const { h } = d;
  await h.runUntil(await feesFromTomorrow(h, { fixedPence: 10, basisPoints: 200 }));
  await once(PLAIN);
  const refunded = await onlyPaymentOf(h, await once(REFUNDED));
  await once(RECALLED);
  h.bank.mood.refuses = 'final';
  await once(LOST);
  h.bank.mood.refuses = 'retryable';
  await once(RETRIED, { max_retries: 1 });
  h.bank.cheerUp();
  h.bank.mood.slow = true;
  const late = await onlyPaymentOf(h, await once(LATE));
  h.bank.fail(h.bank.paymentOf(late.id, 1), 'final');
  h.bank.mood.slow = false;
  await h.runUntil('2026-01-07T20:00:00Z'); // the retry has worked, and is settled tomorrow
  await refund(h, refunded.id, { amount: { value: PART, currency: 'GBP' } });
  h.bank.credit(h.bank.paymentOf(late.id, 1)); // the bank had said no, and paid after all
  const payIns = [...h.issuer.wallets.values()].flatMap((one) => one.movements);
  const recalled = payIns.find((one) => one.kind === 'payin' && one.amountPence === RECALLED);
  assert.ok(recalled);
  await h.runUntil('2026-01-12T12:00:00Z');
  h.issuer.recall(recalled);
  await once(NETTED); // the next settlement is less by what was recalled
  await h.runUntil('2026-01-30T15:00:00Z');
  await once(LAST); // a Friday evening: it is settled in February
  await h.runUntil('2026-01-31T23:00:00Z');
}

async function readCsv(settlementId: string): Promise<typeof lines> {
  const { platform, merchantId, db } = d.h;
  const file = await db.forMerchant(merchantId, (tx) =>
    settlementCsv(platform, tx, merchantId, settlementId),
  );
  const [heading = '', ...rows] = (file?.csv ?? '').trimEnd().split('\r\n');
  const names = heading.split(',');
  return rows.map((row) => {
    const cells = row.split(',');
    const cell = (name: string): string => cells[names.indexOf(name)] ?? '';
    return {
      settlement: settlementId,
      kind: cell('kind'),
      pence: Number(cell('amount_pence')),
      fee: Math.round(Number(cell('fee')) * 100),
      net: Math.round(Number(cell('net')) * 100),
    };
  });
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);
const inCsv = (kind: string): number =>
  sumOf(lines.filter((line) => line.kind === kind).map(({ pence }) => pence));
const moved = (kind: string): number =>
  statement.summary.find((line) => line.kind === kind)?.value ?? 0;

test('what was collected is one number on the overview, in the cohorts and on the statement', async () => {
  assert.equal(moved('payments'), COLLECTED);
  assert.equal(overview.collected.value, COLLECTED);
  const cohorts = await d.get<CohortReport>('/api/reports/cohorts?from=2026-01&to=2026-01');
  assert.equal(cohorts.total.value, COLLECTED);
  assert.equal(inCsv('payment') + LAST, COLLECTED, 'but the last payment, all of it is settled');
});

test('what failed is one number on the overview, in the failures and in the arrears', async () => {
  const failures = await d.get<FailureReport>(
    '/api/reports/failures?from=2026-01-01&to=2026-01-31',
  );
  const arrears = await d.get<AgeingReport>('/api/reports/ageing');
  assert.deepEqual(
    [failures.total.lost.value, arrears.total.value, overview.failed.value],
    [LOST, LOST, LOST],
  );
  assert.equal(failures.total.recovered.value, RETRIED, 'late money is no failure after all');
});

test('the calendar of the month has what was collected, what failed and what was paid out', async () => {
  const { total } = await d.get<CalendarReport>('/api/reports/calendar?month=2026-01');
  assert.deepEqual(
    [total.collected.value, total.failed.value, total.waiting.value, total.coming.value],
    [COLLECTED, LOST, 0, 0],
  );
  assert.equal(total.planned.value, COLLECTED + LOST);
  assert.deepEqual(total.settled, overview.settled);
});

test('refunds and recalls are the same on the statement and in the settlements', () => {
  assert.deepEqual([moved('refunds'), inCsv('refund')], [-PART, -PART]);
  assert.deepEqual([moved('recalled'), inCsv('returned')], [-RECALLED, -RECALLED]);
});

test('the fees on the statement are those of the payments in the settlements, and of the last one', () => {
  const fees = sumOf([PLAIN, REFUNDED, RECALLED, LATE, RETRIED, NETTED, LAST].map(feeOf));
  assert.equal(moved('fees'), -fees);
  assert.equal(sumOf(lines.map(({ fee }) => fee)), fees - feeOf(LAST));
});

test('each settlement is the sum of its CSV, and together they are what the statement paid out', async () => {
  const settlements = await settlementsOf(d.h);
  assert.ok(settlements.length >= 2);
  for (const { id, amount } of settlements) {
    const own = lines.filter((line) => line.settlement === id);
    assert.equal(sumOf(own.map(({ net }) => net)), amount.value, id);
  }
  const paidOut = sumOf(settlements.map(({ amount }) => amount.value));
  assert.deepEqual([moved('settlements'), overview.settled.value], [-paidOut, paidOut]);
});

test('the statement closes at the wallet, which holds what no settlement has taken yet', async () => {
  const { h } = d;
  const wallet = await h.db.forMerchant(h.merchantId, (tx) => walletBalance(tx, h.merchantId));
  const kept = LAST - feeOf(LAST);
  assert.deepEqual(
    [statement.opening, statement.closing, statement.owed, overview.wallet.value, wallet],
    [0, kept, 0, kept, kept],
  );
});
