import type { FastifyInstance, InjectOptions } from 'fastify';
import { attentionRoutes } from '../../src/dashboard/attention/routes.ts';
import { dashboardCustomerRoutes } from '../../src/dashboard/customers/routes.ts';
import { overviewRoutes } from '../../src/dashboard/overview/routes.ts';
import { dashboardPaymentRoutes } from '../../src/dashboard/payments/routes.ts';
import { reportRoutes } from '../../src/dashboard/reports/routes.ts';
import { shownBeside } from '../../src/dashboard/routes.ts';
import { savedViewRoutes } from '../../src/dashboard/saved-views/routes.ts';
import { dashboardScheduleRoutes } from '../../src/dashboard/schedules/routes.ts';
import { searchRoutes } from '../../src/dashboard/search/routes.ts';
import { withShown } from '../../src/dashboard/shown.ts';
import { dashboardWebhookRoutes } from '../../src/dashboard/webhooks/routes.ts';
import type { Tx } from '../../src/platform/db/db.ts';
import { type Harness, openHarness } from '../harness.ts';
import { BE_OWNER } from '../owner.ts';
import { testServer } from './platform.ts';

type Method = 'GET' | 'POST' | 'DELETE';

interface Answer<T> {
  status: number;
  body: T;
}

interface Refused {
  error: { code: string; message: string; details?: Record<string, string> };
}

/** The endpoints of the API and the dashboard over a harness; every response is checked against its schema. */
export interface TestDashboard {
  h: Harness;
  get<T>(path: string, merchantId?: string): Promise<T>;
  post<T>(path: string, body: object, merchantId?: string): Promise<T>;
  delete<T>(path: string): Promise<T>;
  /** Asserts that a call is refused, and returns the refusal. */
  refused(
    method: Method,
    path: string,
    body?: object,
    merchantId?: string,
  ): Promise<Answer<Refused['error']>>;
  close(): Promise<void>;
}

/** Opens the endpoints at the given moment, on a database of their own. */
export async function openDashboard(start?: string): Promise<TestDashboard> {
  const h = await openHarness(start);
  const deps = { ...h.service.schedules, bankName: (bankId: string) => `Bank ${bankId}` };
  const routes = [
    ...h.service.routes,
    ...overviewRoutes(deps),
    ...attentionRoutes(deps),
    ...reportRoutes(deps),
    ...searchRoutes(deps),
    ...dashboardScheduleRoutes(deps),
    ...dashboardPaymentRoutes(deps),
    ...dashboardCustomerRoutes(h.service.customers),
    ...savedViewRoutes(h.platform),
    ...dashboardWebhookRoutes(),
  ].map((route) => withShown(h.platform, route, shownBeside(deps.bankName)));
  const app = await testServer(h.platform, { routes });
  const call = callerOf(app, h);
  const must = async <T>(...asked: Parameters<typeof call>): Promise<T> => {
    const { status, body } = await call<T>(...asked);
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
    return body;
  };
  return {
    h,
    get: (path, merchantId) => must('GET', path, undefined, merchantId),
    post: (path, body, merchantId) => must('POST', path, body, merchantId),
    delete: (path) => must('DELETE', path),
    async refused(...asked) {
      const { status, body } = await call<Refused>(...asked);
      if (status < 400) throw new Error(`not refused: ${JSON.stringify(body)}`);
      return { status, body: body.error };
    },
    async close() {
      await app.close();
      await h.close();
    },
  };
}

function callerOf(app: FastifyInstance, h: Harness) {
  return async <T>(
    method: Method,
    path: string,
    body?: object,
    merchantId: string = h.merchantId,
  ): Promise<Answer<T>> => {
    const request: InjectOptions = {
      method,
      url: path,
      headers: { authorization: `Bearer ${merchantId}` },
      ...(body === undefined ? {} : { payload: body }),
    };
    const response = await app.inject(request);
    return { status: response.statusCode, body: response.json<T>() };
  };
}

/** Returns a transaction that also records the plan of each statement. */
export function explaining(tx: Tx): { tx: Tx; plans: string[] } {
  const plans: string[] = [];
  const explain: Tx['rows'] = async (sql, values) => {
    const lines = await tx.rows<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`, values);
    plans.push(lines.map((line) => line['QUERY PLAN']).join('\n'));
    return tx.rows(sql, values);
  };
  const row: Tx['row'] = async <R extends object>(sql: string, values?: Parameters<Tx['row']>[1]) =>
    (await explain<R>(sql, values))[0] ?? null;
  return { plans, tx: { ...tx, rows: explain, row } };
}

/** Inserts many schedules, five per customer: `status` and `description` are SQL over `n`, from 1. */
export async function insertMany(
  h: Harness,
  many: { count: number; status: string; description: string },
): Promise<void> {
  await h.db.transaction(async (tx) => {
    await tx.run(
      `INSERT INTO customers (merchant_id, customer_id, phone, phone_index, created_at)
       SELECT $1, 'cus_' || n, 'sealed', int4send(n), $2::timestamptz + n * interval '1 second'
       FROM generate_series(0, $3::int / 5) AS n`,
      [h.merchantId, h.clock.at, many.count],
    );
    await tx.run(
      `INSERT INTO schedules (merchant_id, schedule_id, customer_id, customer_type, status, description, max_retries,
         terms_version, live_version, consented_version, consent_id, created_at, updated_at)
       SELECT $1, 'sch_' || lpad(n::text, 22, '0'), 'cus_' || n / 5, 'phone', ${many.status}, ${many.description}, 3, 1, 1, 1,
              'con_0', $2::timestamptz + n * interval '1 second', $2
       FROM generate_series(1, $3::int) AS n`,
      [h.merchantId, h.clock.at, many.count],
    );
    await tx.run(
      `INSERT INTO schedule_agenda (merchant_id, schedule_id, due_at)
       SELECT $1, s.schedule_id,
              CASE WHEN s.status = 'active' THEN $2::timestamptz + (n % 60) * interval '1 day' + interval '1 hour' END
       FROM generate_series(1, $3::int) AS n
       JOIN schedules s ON s.merchant_id = $1 AND s.schedule_id = 'sch_' || lpad(n::text, 22, '0')`,
      [h.merchantId, h.clock.at, many.count],
    );
    await tx.run(
      `INSERT INTO schedule_terms (merchant_id, schedule_id, version, amount_pence, currency, frequency_type, frequency_day,
         frequency_interval, first_at, time_of_day, time_zone, created_at)
       SELECT $1, 'sch_' || lpad(n::text, 22, '0'), 1, 1000 + n % 500, 'GBP', 'monthly', 1 + n % 28, 1, $2, '09:00',
              'Europe/London', $2
       FROM generate_series(1, $3::int) AS n`,
      [h.merchantId, h.clock.at, many.count],
    );
    await tx.run(BE_OWNER);
    for (const table of ['customers', 'schedules', 'schedule_agenda', 'schedule_terms'])
      await tx.run(`ANALYZE ${table}`);
  });
}

/**
 * Inserts `each` payments for each of the first `schedules` of those, monthly up to now: one in ten has finally failed, a few of
 * the most recent are in progress, and all older than two days are settled.
 */
export async function insertPayments(
  h: Harness,
  many: { schedules: number; each: number },
): Promise<void> {
  await h.db.transaction(async (tx) => {
    await tx.run(
      `INSERT INTO settlements (merchant_id, settlement_id, settle_date, amount_pence, gross_pence, currency, status,
         destination, created_at, completed_at)
       SELECT $1, 'set_0', $2::timestamptz::date, 1, 1, 'GBP', 'success', 'sealed', $2, $2`,
      [h.merchantId, h.clock.at],
    );
    await tx.run(
      `INSERT INTO payments (merchant_id, payment_id, schedule_id, customer_id, consent_id, wallet_id, bank_id, amount_pence,
         currency, due_date, status, created_at, completed_at, failed_at, settlement_id)
       SELECT $1, 'pay_' || lpad(n::text, 15, '0') || lpad(k::text, 7, '0'), 'sch_' || lpad(n::text, 22, '0'),
              'cus_' || n / 5, 'con_0', 'wal_0', 'bank', 1000 + n % 500, 'GBP', m.at, s.status, m.at,
              CASE WHEN s.status = 'success' THEN m.at END, CASE WHEN s.status = 'failed' THEN m.at END,
              CASE WHEN s.status = 'success' AND m.at < $2::timestamptz - interval '2 days' THEN 'set_0' END
       FROM generate_series(0, $4::int - 1) AS k CROSS JOIN generate_series(1, $3::int) AS n
       CROSS JOIN LATERAL (SELECT $2::timestamptz - k * interval '30 days' - (n % 720) * interval '1 hour' AS at) m
       CROSS JOIN LATERAL (SELECT CASE WHEN (n + k) % 10 = 0 THEN 'failed' WHEN k = 0 AND n % 100 = 1 THEN 'processing'
                                       ELSE 'success' END AS status) s`,
      [h.merchantId, h.clock.at, many.schedules, many.each],
    );
    await tx.run(
      `INSERT INTO payment_work (merchant_id, payment_id, stage, bank_id, wallet_id, due_at, attempt)
       SELECT merchant_id, payment_id, 'track', bank_id, wallet_id, due_date, 1 FROM payments WHERE status = 'processing'`,
    );
    await tx.run(
      `INSERT INTO to_settle (merchant_id, payment_id, settle_at, amount_pence)
       SELECT merchant_id, payment_id, date_trunc('day', completed_at) + interval '30 hours', amount_pence FROM payments
       WHERE status = 'success' AND settlement_id IS NULL`,
    );
    await insertMoves(h, tx);
    await tx.run(BE_OWNER);
    await tx.run('ANALYZE payments, payment_work, to_settle, transfers');
  });
}

/** Inserts the transfers of the payments that succeeded in the last two months. */
async function insertMoves(h: Harness, tx: Tx): Promise<void> {
  const since = h.clock.at.subtract({ hours: 24 * 60 });
  const rows = await tx.rows<{ paymentId: string; completedAt: Temporal.Instant }>(
    'SELECT payment_id, completed_at FROM payments WHERE merchant_id = $1 AND completed_at >= $2',
    [h.merchantId, since],
  );
  await tx.run(
    `INSERT INTO transfers (merchant_id, transfer_id, kind, debit_account_id, credit_account_id, amount_pence, source_id, at)
     SELECT p.merchant_id, n.transfer_id, 'move', 'outside', a.account_id, p.amount_pence, p.payment_id, p.completed_at
     FROM unnest($2::text[], $3::text[]) AS n (transfer_id, payment_id)
     JOIN payments p ON p.merchant_id = $1 AND p.payment_id = n.payment_id
     JOIN accounts a ON a.merchant_id = $1 AND a.kind = 'merchant_wallet'`,
    [
      h.merchantId,
      rows.map((row) => h.platform.ids.next('trf', row.completedAt)),
      rows.map((row) => row.paymentId),
    ],
  );
}
