import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { openDashboard, type TestDashboard } from '../../../test-support/slices/dashboard.ts';
import { readPayments } from '../../payments/books/list-store.ts';
import type { List } from '../../platform/http/lists/page.ts';
import { firstPage } from '../../platform/http/lists/page.ts';
import { findDriving } from '../../schedules/books/drive.ts';
import { SCHEDULE_STATUSES, schedulesStatement } from '../../schedules/books/list-store.ts';
import { readMatch } from '../../schedules/books/match.ts';
import { insertWords } from '../../schedules/books/word-store.ts';
import { amountEntry } from '../../schedules/books/words.ts';

const NAMES = ['Robin Fern', 'Robin Winter', 'Kim Oak'];
const TEXTS = ['Gym gold', 'Gym silver', 'Goldfish club', 'Broadband'];
const AMOUNTS = [1000, 2500, 4999];
const REASONS = ['technical', 'insufficient_funds'];
const START = '2026-01-05T09:00:00Z';
const DAYS = 20;

interface Row {
  id: string;
  schedule: string;
  customer: string;
  name: string;
  text: string;
  amount: number;
  status: string;
  error: string | null;
  at: string;
}

let d: TestDashboard;
let schedules: Row[] = [];
let payments: Row[] = [];

/** Nine schedules a day apart of three customers, and eight payments of each, some besides the terms' amount. */
before(async () => {
  d = await openDashboard(START);
  const { h } = d;
  for (let n = 0; n < 9; n++) {
    h.clock.at = h.clock.at.add({ hours: 24 });
    const name = NAMES[n % 3] ?? '';
    const text = TEXTS[n % 4] ?? '';
    const amount = AMOUNTS[(n * 2) % 3] ?? 0;
    const { id, customer } = await h.create({
      description: text,
      customer: { type: 'phone', value: `+44770090060${n % 3}`, name },
      amount: { value: amount, currency: 'GBP' },
      start_date: '2026-02-20T09:00:00Z',
    });
    const status = n % 4 === 3 ? 'cancelled' : 'pending_consent';
    if (status === 'cancelled') await h.update(id, { status });
    const at = h.clock.at.toString({ smallestUnit: 'millisecond' });
    const own = { id, schedule: id, customer: customer.id, name, text, amount, error: null };
    schedules.push({ ...own, status, at });
    for (let k = 0; k < 8; k++) payments.push(paymentOf({ ...own, at, status }, n, k));
  }
  await d.h.db.transaction(async (tx) => {
    for (const one of payments) {
      await tx.run(
        `INSERT INTO payments (merchant_id, payment_id, schedule_id, customer_id, consent_id, wallet_id, bank_id, amount_pence,
           currency, due_date, status, error_code, created_at, completed_at, failed_at, ad_hoc)
         VALUES ($1, $2, $3, $4, 'con', 'wal', $9, $5, 'GBP', $6::timestamptz, $7, $8, $6::timestamptz,
           CASE WHEN $7 = 'success' THEN $6::timestamptz END, CASE WHEN $7 = 'failed' THEN $6::timestamptz END, $2)`,
        [
          h.merchantId,
          one.id,
          one.schedule,
          one.customer,
          one.amount,
          one.at,
          one.status,
          one.error,
          bankOf(one),
        ],
      );
      await insertWords(tx, h.merchantId, one.schedule, [amountEntry(one.amount)]);
    }
    await tx.run(
      `INSERT INTO payment_work (merchant_id, payment_id, stage, bank_id, wallet_id, due_at)
       SELECT merchant_id, payment_id, 'wait', bank_id, wallet_id, '2030-01-01' FROM payments
       WHERE status IN ('pending', 'processing')`,
    );
  });
  schedules = schedules.toReversed();
  const order = (a: Row, b: Row): number => (a.at + a.id < b.at + b.id ? 1 : -1);
  payments = payments.toSorted(order);
});
after(() => d.close());

function paymentOf(schedule: Row, n: number, k: number): Row {
  const status = ['success', 'failed', 'pending', 'processing', 'success'][(n + k) % 5] ?? '';
  const hasError = status === 'failed' || (status === 'pending' && k % 2 === 0);
  const day = 1 + ((n * 3 + k * 5) % DAYS); // several payments share a moment
  return {
    ...schedule,
    id: `pay_${String(n * 10 + k).padStart(22, '0')}`,
    amount: AMOUNTS[(n + k) % 3] ?? 0,
    status,
    error: hasError ? (REASONS[k % 2] ?? null) : null,
    at: `2026-01-${String(day).padStart(2, '0')}T09:00:00.000Z`,
  };
}

const aDay = fc
  .integer({ min: 1, max: DAYS })
  .map((day) => `2026-01-${String(day).padStart(2, '0')}T09:00:00Z`);
const aFilter = fc.record(
  {
    q: fc.constantFrom(
      'gym',
      'gold',
      'GYM g',
      'Robin',
      'robin fern',
      '25.00',
      '£49.99',
      'nobody',
      '0601',
      'sch',
      'pay',
    ),
    status: fc.nat(3),
    error_code: fc.constantFrom(...REASONS),
    bank_id: fc.constantFrom('elm', 'oak'),
    customer: fc.nat(2),
    from: aDay,
    to: aDay,
    amount_from: fc.constantFrom(...AMOUNTS),
    amount_to: fc.constantFrom(...AMOUNTS),
    isBackwards: fc.boolean(),
    isByOffset: fc.boolean(),
  },
  { requiredKeys: ['isBackwards', 'isByOffset'] },
);
type Filter = typeof aFilter extends fc.Arbitrary<infer T> ? T : never;

const words = (text: string): string[] => text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
const hasAll = (typed: string, text: string): boolean =>
  words(typed).every((word) => words(text).some((own) => own.startsWith(word)));
const hasWhole = (typed: string, text: string): boolean =>
  words(typed).every((word) => words(text).includes(word));

/** What the search finds, said plainly. */
function finds(typed: string, row: Row): boolean {
  if (typed === 'sch' || typed === 'pay')
    return row[typed === 'sch' ? 'schedule' : 'id'] === idTyped(typed);
  const pence = /^£?(\d+)\.(\d\d)$/.exec(typed);
  if (pence !== null && row.amount === Number(`${pence[1]}${pence[2]}`)) return true;
  return hasAll(typed, row.text) || hasWhole(typed, row.name) || phoneOf(row).endsWith(typed);
}

const bankOf = (row: Row): string => (row.id.at(-1) === '2' ? 'elm' : 'oak');
const phoneOf = (row: Row): string => `+44770090060${NAMES.indexOf(row.name)}`;
const idTyped = (kind: 'sch' | 'pay'): string =>
  (kind === 'sch' ? schedules[3]?.id : payments[5]?.id) ?? '';

function modelOf(rows: readonly Row[], filter: Filter): string[] {
  const found = rows.filter(
    (row) =>
      (filter.q === undefined || finds(filter.q, row)) &&
      (filter.error_code === undefined || row.error === filter.error_code) &&
      (filter.bank_id === undefined || bankOf(row) === filter.bank_id) &&
      (filter.from === undefined || Date.parse(row.at) >= Date.parse(filter.from)) &&
      (filter.to === undefined || Date.parse(row.at) < Date.parse(filter.to)) &&
      (filter.amount_from === undefined || row.amount >= filter.amount_from) &&
      (filter.amount_to === undefined || row.amount <= filter.amount_to) &&
      (filter.customer === undefined || row.name === NAMES[filter.customer]),
  );
  const ids = found.map((row) => row.id);
  return filter.isBackwards ? ids.toReversed() : ids;
}

const customerOf = (n: number): string =>
  schedules.find((row) => row.name === NAMES[n])?.customer ?? '';

function queryOf({
  q,
  status: _,
  customer,
  isBackwards: __,
  isByOffset: ___,
  ...rest
}: Filter): Record<string, string> {
  const typed = q === 'sch' || q === 'pay' ? idTyped(q) : q;
  return {
    ...Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, String(value)])),
    ...(typed === undefined ? {} : { q: typed }),
    ...(customer === undefined ? {} : { customer_id: customerOf(customer) }),
  };
}

/** Returns the ids of a whole list, page by page: by cursor, or by offset up to its total. */
async function allOf(
  path: string,
  query: Record<string, string>,
  isByOffset: boolean,
): Promise<string[]> {
  const ids: string[] = [];
  for (
    let part: Record<string, string> | null = isByOffset ? {} : { after: 'start' };
    part !== null;
  ) {
    const asked = new URLSearchParams({ ...query, ...part, limit: '7' });
    const page: List<{ id: string }> = await d.get(`${path}?${asked}`);
    ids.push(...page.data.map((one) => one.id));
    assert.equal(page.total !== undefined, isByOffset);
    const isOver = isByOffset ? ids.length >= (page.total ?? 0) : page.next_cursor === undefined;
    const next: Record<string, string> = isByOffset
      ? { offset: String(ids.length) }
      : { after: page.next_cursor ?? '' };
    part = isOver ? null : next;
  }
  return ids;
}

const PAYMENT_STATUSES = ['pending', 'processing', 'success', 'failed'] as const;

test('the list of payments is what the filters say, in either order, whatever the page', async () => {
  await fc.assert(
    fc.asyncProperty(aFilter, async (filter) => {
      const status = filter.status === undefined ? undefined : PAYMENT_STATUSES[filter.status];
      const rows = payments.filter((row) => status === undefined || row.status === status);
      const query = {
        ...queryOf(filter),
        ...(status === undefined ? {} : { status }),
        sort: filter.isBackwards ? 'due_date' : '-due_date',
      };
      const listed = await allOf('/api/v1/payments', query, filter.isByOffset);
      assert.deepEqual(listed, modelOf(rows, filter));
    }),
    { numRuns: 150 },
  );
});

test('the list of schedules is what the filters say, in either order, whatever the page', async () => {
  await fc.assert(
    fc.asyncProperty(aFilter, async ({ error_code: _, bank_id: __, ...filter }) => {
      const status = filter.status === undefined ? undefined : SCHEDULE_STATUSES[filter.status];
      const rows = schedules.filter((row) => status === undefined || row.status === status);
      const query: Record<string, string> = {
        ...queryOf(filter),
        ...(status === undefined ? {} : { status }),
        sort: filter.isBackwards ? 'created_at' : '-created_at',
      };
      const typedPayment = payments.find((row) => filter.q === 'pay' && row.id === query.q);
      const expected = typedPayment
        ? modelOf(
            rows.filter((row) => row.id === typedPayment.schedule),
            { ...filter, q: undefined },
          )
        : modelOf(rows, filter);
      assert.deepEqual(await allOf('/api/v1/schedules', query, filter.isByOffset), expected);
    }),
    { numRuns: 150 },
  );
});

test('a list that is read in its order finds the same as one that looks up its schedules first', async () => {
  const { h } = d;
  await fc.assert(
    fc.asyncProperty(aFilter, async ({ q, amount_from, amount_to, customer }) => {
      const filter = {
        ...(amount_from === undefined ? {} : { amountFrom: amount_from }),
        ...(amount_to === undefined ? {} : { amountTo: amount_to }),
        ...(customer === undefined ? {} : { customerId: customerOf(customer) }),
      };
      await h.db.forMerchant(h.merchantId, async (tx) => {
        const { merchantId } = h;
        const match = await readMatch(h.platform, { tx, merchantId }, q);
        const by = { ...filter, match };
        const driving = await findDriving(tx, h.merchantId, by);
        const none = await findDriving(tx, h.merchantId, by, 0);
        assert.ok(none === null || none.length === 0);
        const page = firstPage(100);
        const list = (of: readonly string[] | null) => readPayments(tx, merchantId, by, page, of);
        assert.deepEqual(await list(null), await list(driving));
        const sorted = { ...by, sort: 'description' } as const;
        const listed = async (of: readonly string[] | null) => {
          const statement = schedulesStatement(merchantId, sorted, page, of);
          const rows = await tx.rows<{ scheduleId: string }>(statement.page, statement.values);
          return rows.map((one) => one.scheduleId);
        };
        assert.deepEqual(await listed(null), await listed(driving));
      });
    }),
    { numRuns: 60 },
  );
});
