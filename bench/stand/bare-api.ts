// The API's counterpart in the benchmark: Fastify with the same schemas, and one SQL statement per request on the same
// PostgreSQL. No keys, no rate limit, no row-level security, no log, no sealing.
// `node bench/stand/bare-api.ts <port> <url> <merchant to create for> <merchant to read>`
import { createHash, randomUUID } from 'node:crypto';
import Fastify from 'fastify';
import pg from 'pg';
import { IdParams, ListOf, ListQuery } from '../../server/src/platform/http/schemas.ts';
import type { CreateBody } from '../../server/src/schedules/request.ts';
import { CreateSchema, ScheduleAnswer } from '../../server/src/schedules/schemas.ts';

const [port, url, creator, reader] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: url, max: 20 });

/** The rows of a new schedule: those that the service writes, in one statement. */
const CREATE = `
  WITH customer AS (
    INSERT INTO customers (merchant_id, customer_id, phone, phone_index, created_at) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (merchant_id, phone_index) DO UPDATE SET phone = excluded.phone RETURNING customer_id
  ), schedule AS (
    INSERT INTO schedules (merchant_id, schedule_id, customer_id, customer_type, status, description, metadata, max_retries,
      terms_version, created_at, updated_at)
    SELECT $1, $6, customer_id, 'phone', 'pending_consent', $7, $8::jsonb, 3, 1, $5, $5 FROM customer RETURNING *
  ), agenda AS (
    INSERT INTO schedule_agenda (merchant_id, schedule_id) VALUES ($1, $6)
  ), terms AS (
    INSERT INTO schedule_terms (merchant_id, schedule_id, version, amount_pence, currency, frequency_type, frequency_day,
      frequency_interval, first_at, time_of_day, time_zone, created_at)
    VALUES ($1, $6, 1, $9, $10, 'monthly', 1, 1, $11, '09:00', 'Europe/London', $5)
  ), changes AS (
    INSERT INTO state_changes (merchant_id, object_id, schedule_id, from_state, to_state, reason, at)
    VALUES ($1, $6, $6, NULL, 'pending_consent', 'created', $5), ($1, $12, $6, NULL, 'pending', 'consent asked for', $5)
  ), consent AS (
    INSERT INTO consents (merchant_id, consent_id, schedule_id, customer_id, terms_version, status, link_hash, link,
      link_expires_at, due_at, created_at)
    SELECT $1, $12, $6, customer_id, 1, 'pending', $13, $14, $11, $11, $5 FROM customer
  )
  SELECT s.schedule_id, s.customer_id FROM schedule s`;

const SELECTED = `
  SELECT s.schedule_id, s.status, s.customer_id, s.customer_type, s.description, s.metadata, s.max_retries, a.due_at,
         s.created_at, t.amount_pence, t.currency, t.frequency_type, t.frequency_day, t.frequency_interval, t.start_date,
         t.end_at, t.first_at, c.phone, k.link
  FROM schedules s
  JOIN schedule_agenda a ON a.merchant_id = s.merchant_id AND a.schedule_id = s.schedule_id
  JOIN schedule_terms t ON t.merchant_id = s.merchant_id AND t.schedule_id = s.schedule_id AND t.version = s.terms_version
  JOIN customers c ON c.merchant_id = s.merchant_id AND c.customer_id = s.customer_id
  LEFT JOIN consents k ON k.merchant_id = s.merchant_id AND k.schedule_id = s.schedule_id
    AND k.status IN ('pending', 'authorising') AND k.link_expires_at > now()`;
const READ = `${SELECTED} WHERE s.merchant_id = $1 AND s.schedule_id = $2`;
const TOTAL = '(SELECT count(*) FROM schedules WHERE merchant_id = $1)::int AS total';
const LIST = `
  WITH page AS (
    SELECT * FROM schedules WHERE merchant_id = $1 ORDER BY created_at DESC, schedule_id DESC LIMIT $2 OFFSET $3
  )
${SELECTED.replace('schedules s', 'page s').replace('SELECT', `SELECT ${TOTAL},`)}
  ORDER BY s.created_at DESC, s.schedule_id DESC`;

interface ScheduleRow {
  total?: number;
  schedule_id: string;
  status: string;
  customer_id: string;
  customer_type: string;
  description: string;
  metadata: object | null;
  max_retries: number;
  created_at: Date;
  amount_pence: string;
  currency: string;
  frequency_type: string;
  frequency_day: number | null;
  frequency_interval: number;
  start_date: Date | null;
  end_at: Date | null;
  first_at: Date;
  phone: string;
  link: string | null;
}

const view = (row: ScheduleRow) => ({
  id: row.schedule_id,
  status: row.status,
  amount: { value: Number(row.amount_pence), currency: row.currency },
  frequency: { type: row.frequency_type, day: row.frequency_day, interval: row.frequency_interval },
  customer: { id: row.customer_id, type: row.customer_type, value: row.phone },
  description: row.description,
  metadata: row.metadata,
  start_date: row.start_date,
  end_date: row.end_at,
  max_retries: row.max_retries,
  next_payment_date: row.first_at,
  created_at: row.created_at,
  consented: null,
  paying_account: null,
  consent_notice: null,
  ...(row.link === null ? {} : { consent_url: row.link }),
});

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
const DAY_MS = 86_400_000;
const app = Fastify();

app.get('/healthz', async () => ({ status: 'up' }));
app.post<{ Body: CreateBody & { customer: { phone: string } } }>(
  '/api/v1/schedules',
  { schema: { body: CreateSchema, response: { 200: ScheduleAnswer } } },
  async ({ body }) => {
    const [now, first] = [new Date(), new Date(Date.now() + 7 * DAY_MS)];
    const [link, { phone }] = [randomUUID(), body.customer];
    const metadata = body.metadata ?? null;
    const { rows } = await pool.query<{ schedule_id: string; customer_id: string }>({
      name: 'create',
      text: CREATE,
      values: [
        creator,
        `cus_${randomUUID()}`,
        phone,
        sha256(phone),
        now,
        `sch_${randomUUID()}`,
        body.description,
        metadata === null ? null : JSON.stringify(metadata),
        body.amount.value,
        body.amount.currency,
        first,
        `con_${randomUUID()}`,
        sha256(link),
        link,
      ],
    });
    return {
      id: rows[0]?.schedule_id,
      status: 'pending_consent',
      amount: body.amount,
      frequency: { type: 'monthly', day: 1, interval: 1 },
      customer: { id: rows[0]?.customer_id, type: 'phone', value: phone },
      description: body.description,
      metadata,
      start_date: null,
      end_date: null,
      max_retries: 3,
      next_payment_date: first,
      created_at: now,
      consented: null,
      paying_account: null,
      consent_notice: null,
      consent_url: link,
    };
  },
);
app.get<{ Params: { id: string } }>(
  '/api/v1/schedules/:id',
  { schema: { params: IdParams, response: { 200: ScheduleAnswer } } },
  async ({ params }, reply) => {
    const values = [reader, params.id];
    const { rows } = await pool.query<ScheduleRow>({ name: 'read', text: READ, values });
    return rows[0] === undefined ? reply.code(404).send() : view(rows[0]);
  },
);
app.get<{ Querystring: { limit: number; offset: number } }>(
  '/api/v1/schedules',
  { schema: { querystring: ListQuery, response: { 200: ListOf(ScheduleAnswer) } } },
  async ({ query }) => {
    const values = [reader, query.limit, query.offset];
    const { rows } = await pool.query<ScheduleRow>({ name: 'list', text: LIST, values });
    return { data: rows.map(view), total: rows[0]?.total ?? 0 };
  },
);
await app.listen({ port: Number(port), host: '127.0.0.1' });
process.on('SIGTERM', () => void app.close().then(() => pool.end()));
