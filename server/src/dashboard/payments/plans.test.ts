import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { asOwner } from '../../../test-support/owner.ts';
import {
  bareMerchant,
  type OwnPlatform,
  ownPlatform,
} from '../../../test-support/slices/platform.ts';
import { type PaymentFilter, readPayments } from '../../payments/books/list-store.ts';
import type { SqlValue, Tx } from '../../platform/db/db.ts';
import type { List, Page } from '../../platform/http/lists/page.ts';
import { firstPage } from '../../platform/http/lists/page.ts';
import { listActivity } from '../activity/store.ts';
import { readPulse } from '../pulse-store.ts';
import { listRequests } from '../requests/store.ts';

const PAYMENTS = 50_000;
const AT = Temporal.Instant.from('2026-01-20T00:00:00Z');

let platform: OwnPlatform;
let merchantId: string;

before(async () => {
  platform = await ownPlatform();
  merchantId = await bareMerchant(platform);
  const other = await bareMerchant(platform);
  await platform.db.transaction(async (tx) => {
    await fill(tx, merchantId, PAYMENTS);
    await fill(tx, other, PAYMENTS / 10);
    // So much work that reading all of it costs more than the index of this merchant's own.
    await tx.run(
      `INSERT INTO payment_work (merchant_id, payment_id, stage, bank_id, wallet_id, due_at)
       SELECT merchant_id, payment_id, 'wait', bank_id, wallet_id, due_date FROM payments
       WHERE merchant_id = $1 AND status = 'success'`,
      [other],
    );
  });
  await asOwner(platform.db, async (tx) => {
    for (const table of [
      'payments',
      'payment_work',
      'schedules',
      'schedule_words',
      'attempts',
      'request_log',
      'state_changes',
      'events',
    ])
      await tx.run(`ANALYZE ${table}`);
  });
});
after(() => platform.drop());

/**
 * Inserts years of a merchant's payments: ten per schedule, five schedules per customer; one in a thousand failed or is waiting.
 */
async function fill(tx: Tx, merchant: string, payments: number): Promise<void> {
  const statements = [
    `INSERT INTO customers (merchant_id, customer_id, phone, phone_index, created_at)
     SELECT $1, 'cus_' || n, 'sealed', n::text::bytea, '2025-01-01' FROM generate_series(0, $2::int / 50) n`,
    `INSERT INTO schedules (merchant_id, schedule_id, customer_id, customer_type, status, description, max_retries,
       terms_version, created_at, updated_at)
     SELECT $1, 'sch_' || n, 'cus_' || n / 5, 'phone', 'active', 'Broadband', 3, 1, '2025-01-01', '2025-01-01'
     FROM generate_series(0, $2::int / 10) n`,
    `INSERT INTO schedule_words (merchant_id, word, schedule_id)
     SELECT $1, w, 'sch_' || n FROM generate_series(0, $2::int / 10) n, unnest(ARRAY['broadband', 'broad' || n]) w`,
    `INSERT INTO payments (merchant_id, payment_id, schedule_id, customer_id, consent_id, wallet_id, bank_id, amount_pence,
       currency, due_date, status, created_at, completed_at, failed_at, error_code)
     SELECT $1, 'pay_' || n, 'sch_' || n / 10, 'cus_' || n / 50, 'con', 'wal', 'northbank', 4999, 'GBP', due, status, due,
       CASE WHEN status = 'success' THEN due END, CASE WHEN status = 'failed' THEN due END,
       CASE WHEN status = 'failed' THEN (ARRAY['technical', 'insufficient_funds'])[1 + n / 1000 % 2] END
     FROM generate_series(0, $2::int - 1) n
     CROSS JOIN LATERAL (SELECT timestamptz '2025-01-01' + n * interval '12 minutes' AS due,
       CASE n % 1000 WHEN 7 THEN 'failed' WHEN 8 THEN 'pending' WHEN 9 THEN 'processing' ELSE 'success' END AS status) x`,
    `INSERT INTO payment_work (merchant_id, payment_id, stage, bank_id, wallet_id, due_at)
     SELECT merchant_id, payment_id, CASE status WHEN 'pending' THEN 'wait' ELSE 'submit' END, bank_id, wallet_id, due_date
     FROM payments WHERE merchant_id = $1 AND status IN ('pending', 'processing') AND $2 > 0`,
    `INSERT INTO attempts (merchant_id, payment_id, number, manual, status, bank_payment_id, started_at)
     SELECT $1, 'pay_' || n, 1, false, 'success', 'bank-' || n, '2025-01-01' FROM generate_series(0, $2::int - 1) n`,
    `INSERT INTO request_log (merchant_id, request_id, at, method, path, status, duration_ms, caller_type, caller_id)
     SELECT $1, 'req_' || n, timestamptz '2026-01-01' + n * interval '1 second', 'POST', '/api/v1/schedules',
       CASE WHEN n % 1000 = 1 THEN 400 ELSE 200 END, 3, 'api_key', 'key_1' FROM generate_series(0, $2::int - 1) n`,
    `INSERT INTO state_changes (merchant_id, object_id, schedule_id, to_state, reason, at, actor)
     SELECT $1, 'pay_' || n, 'sch_' || n / 10, 'success', '', '2025-01-01',
       CASE n % 1000 WHEN 7 THEN 'member:usr_1' ELSE 'service' END FROM generate_series(0, $2::int / 5) n`,
    `INSERT INTO events (merchant_id, event_id, kind, subject_id, body, created_at)
     SELECT $1, 'evt_' || n, 'collection.success', 'pay_' || n, '{}', timestamptz '2025-01-01' + n * interval '1 minute'
     FROM generate_series(0, $2::int / 5) n`,
  ];
  for (const sql of statements) await tx.run(sql, [merchant, payments]);
}

const literal = (value: SqlValue): string => {
  if (value === null) return 'NULL';
  const text = Array.isArray(value) ? `{${value.join(',')}}` : String(value);
  return `'${text.replaceAll("'", "''")}'`;
};

/** Returns PostgreSQL's plans of a statement for the merchant: one for these values, one generic. */
async function plansOf(sql: string, values: readonly SqlValue[]): Promise<string[]> {
  const plans: string[] = [];
  for (const mode of ['force_custom_plan', 'force_generic_plan'])
    await platform.db.forMerchant(merchantId, async (tx) => {
      await tx.run(`SET LOCAL plan_cache_mode = '${mode}'`);
      await tx.run(`PREPARE asked AS ${sql}`);
      const rows = await tx.rows<{ 'QUERY PLAN': string }>(
        `EXPLAIN (COSTS OFF) EXECUTE asked(${values.map(literal).join(', ')})`,
      );
      await tx.run('DEALLOCATE asked');
      plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
    });
  return plans;
}

/** Reads a page of a list. */
type Read = (tx: Tx, page: Page) => Promise<List<object>>;

/** Returns a transaction that finds these rows, and the statement that was run in it. */
function found(rows: readonly object[]): { tx: Tx; said: () => [string, readonly SqlValue[]] } {
  let said: [string, readonly SqlValue[]] = ['', []];
  const note = async (sql: string, values: readonly SqlValue[]): Promise<readonly object[]> => {
    said = [sql, values];
    return rows;
  };
  const row = async (...all: Parameters<typeof note>) => (await note(...all))[0];
  return { tx: { rows: note, row } as unknown as Tx, said: () => said };
}

/** Returns the statement of a list's first page, or of the one behind a row. */
async function statementOf(
  read: Read,
  behind: object | null = null,
): Promise<[string, readonly SqlValue[]]> {
  const two = found([behind ?? {}, {}]);
  const { next_cursor: after } = behind === null ? {} : await read(two.tx, firstPage(1));
  const { tx, said } = found([]);
  await read(tx, { ...firstPage(25), ...(after && { after }) });
  return said();
}

async function assertIndexed(
  filter: PaymentFilter,
  index: RegExp,
  { after = null as object | null, sorts = false, driving = null as string[] | null } = {},
): Promise<void> {
  const sorted = { sort: '-due_date', ...filter } as const;
  const read: Read = (tx, page) => readPayments(tx, merchantId, sorted, page, driving);
  for (const plan of await plansOf(...(await statementOf(read, after)))) {
    assert.doesNotMatch(plan, /Seq Scan/, plan);
    assert.match(plan, index, plan);
    if (!sorts) assert.doesNotMatch(plan, /Sort Key: p\./, plan);
  }
}

const behind = { dueDate: AT, paymentId: 'pay_27000' };

test('the newest payments, and the page behind any of them, are read off an index in their order', async () => {
  await assertIndexed({}, /payments_by_due_date/);
  await assertIndexed({}, /payments_by_due_date/, { after: behind });
  await assertIndexed({ status: 'success' }, /payments_by_due_date/, { after: behind });
  await assertIndexed({ sort: 'due_date' }, /payments_by_due_date/, { after: behind });
});

test('the payments made last or first, and the page behind any of them, are read by key', async () => {
  for (const sort of ['-created_at', 'created_at'] as const)
    for (const after of [null, behind])
      for (const filter of [{}, { status: 'success' }] as const)
        await assertIndexed({ ...filter, sort }, /payments_pkey/, { after });
});

test('failed payments have an index of their own', async () => {
  for (const after of [null, behind]) {
    await assertIndexed({ status: 'failed' }, /payments_failed/, { after });
  }
});

test('the payments with a reason have an index of their own, in both orders', async () => {
  for (const sort of ['-due_date', 'due_date'] as const)
    for (const after of [null, behind])
      await assertIndexed({ errorCode: 'technical', sort }, /payments_of_error/, { after });
});

test('what is under way is found by its work', async () => {
  for (const status of ['pending', 'processing'] as const)
    for (const after of [null, behind])
      await assertIndexed({ status }, /payment_work_pkey/, { after, sorts: true });
});

test('a span of due dates is a span of the index, however long ago', async () => {
  const span = {
    from: Temporal.Instant.from('2025-02-01T00:00:00Z'),
    to: Temporal.Instant.from('2025-02-28T00:00:00Z'),
  };
  await assertIndexed(span, /payments_by_due_date/);
  await assertIndexed({ ...span, status: 'failed' }, /payments_(failed|by_due_date)/);
});

test('the payments of a few schedules are found by index, those of each in their order', async () => {
  const found = { scheduleIds: [], paymentIds: ['pay_7'], customerIds: ['cus_7'], pence: 4999 };
  const match = { ...found, words: [['broadband', 'broadcast'], ['fern']] };
  for (const filter of [{}, { status: 'failed' }, { match }] as const)
    for (const after of [null, behind])
      await assertIndexed(filter, /payments_one_per_due_date/, {
        driving: ['sch_7', 'sch_8'],
        sorts: true,
        after,
      });
});

test('a search that finds much reads the list in its order, and looks at each row by key', async () => {
  const found = { scheduleIds: [], paymentIds: [], customerIds: [], pence: null };
  const match = { ...found, words: [['broadband']] };
  await assertIndexed({ match }, /payments_by_due_date/);
  await assertIndexed({ match }, /schedule_words_pkey/);
  await assertIndexed({ amountFrom: 100, amountTo: 5000 }, /payments_by_due_date/);
});

test('the request log is read off its indexes, its errors off their own', async () => {
  for (const [errorsOnly, index] of [
    [false, /request_log_newest/],
    [true, /request_log_errors/],
  ] as const)
    for (const after of [null, { at: AT, requestId: 'req_1' }]) {
      const read: Read = (tx, page) => listRequests(tx, merchantId, { errorsOnly }, page);
      for (const plan of await plansOf(...(await statementOf(read, after)))) {
        assert.match(plan, index, plan);
        assert.doesNotMatch(plan, /Seq Scan on request_log/, plan);
      }
    }
});

test('what people did is read off an index that holds nothing else', async () => {
  for (const filter of [{}, { actorType: 'member' }, { prefix: 'pay', from: AT }])
    for (const after of [null, { changeId: 5_000 }]) {
      const read: Read = (tx, page) => listActivity(tx, merchantId, filter, page);
      for (const plan of await plansOf(...(await statementOf(read, after))))
        assert.match(plan, /state_changes_by_people/);
    }
});

test('a page reads what it shows, and passes over nothing', async () => {
  const failed = { status: 'failed', sort: '-due_date' } as const;
  const read: Read = (tx, page) => readPayments(tx, merchantId, failed, page, null);
  const [sql, values] = await statementOf(read, behind);
  const rows = await platform.db.forMerchant(merchantId, (tx) =>
    tx.rows<{ 'QUERY PLAN': string }>(`EXPLAIN (ANALYZE, BUFFERS) ${sql}`, values),
  );
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  const removed = [...plan.matchAll(/Rows Removed by Filter: (\d+)/g)].map(([, n]) => Number(n));
  assert.ok(
    removed.every((n) => n < 10),
    plan,
  );
});

test('the pulse reads the ends of indexes, and nothing long', async () => {
  const pulse = found([{}]);
  await readPulse(pulse.tx, merchantId);
  const asked = pulse.said();
  for (const plan of await plansOf(...asked))
    assert.doesNotMatch(
      plan,
      /Seq Scan on (state_changes|events|schedules|payments|request_log)/,
      plan,
    );
  const rows = await platform.db.forMerchant(merchantId, (tx) =>
    tx.rows<{ 'QUERY PLAN': string }>(`EXPLAIN (ANALYZE, BUFFERS) ${asked[0]}`, asked[1]),
  );
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  const pages = [...plan.matchAll(/^ {2}Buffers: shared hit=(\d+)/gm)].map(([, n]) => Number(n));
  assert.ok(
    pages.every((n) => n < 200),
    plan,
  );
});
