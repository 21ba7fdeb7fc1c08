import { createHash, randomUUID } from 'node:crypto';
import { indexEntries } from '../../server/src/customers/words.ts';
import { amountEntry, wordsOfSchedule } from '../../server/src/schedules/books/words.ts';
import type { ScheduleView } from '../../server/src/schedules/change/view.ts';
import type { CreateBody } from '../../server/src/schedules/request/request.ts';
import { statementReference } from '../../server/src/schedules/request/statement-reference.ts';

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The rows of a new schedule: those that the service writes, in one statement. */
export const CREATE = `
  WITH customer AS (
    INSERT INTO customers (merchant_id, customer_id, phone, phone_index, created_at) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (merchant_id, phone_index) WHERE phone_index IS NOT NULL
    DO UPDATE SET phone = excluded.phone RETURNING customer_id
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
  ), index_of_customer AS (
    INSERT INTO customer_words (merchant_id, customer_id, word)
    SELECT $1, customer_id, word FROM customer, unnest($15::bytea[]) AS word ON CONFLICT DO NOTHING
  ), index_of_schedule AS (
    INSERT INTO schedule_words (merchant_id, schedule_id, word) SELECT $1, $6, word FROM unnest($16::text[]) AS word
  )
  SELECT s.schedule_id, s.customer_id FROM schedule s`;

const SELECTED = `
  SELECT s.schedule_id, s.status, s.customer_id, s.customer_type, s.description, s.metadata, s.max_retries, a.due_at,
         s.created_at, t.amount_pence, t.currency, t.frequency_type, t.frequency_day, t.frequency_interval, t.start_date,
         t.end_at, t.first_at, c.phone, k.consent_id, k.link
  FROM schedules s
  JOIN schedule_agenda a ON a.merchant_id = s.merchant_id AND a.schedule_id = s.schedule_id
  JOIN schedule_terms t ON t.merchant_id = s.merchant_id AND t.schedule_id = s.schedule_id AND t.version = s.terms_version
  JOIN customers c ON c.merchant_id = s.merchant_id AND c.customer_id = s.customer_id
  LEFT JOIN consents k ON k.merchant_id = s.merchant_id AND k.schedule_id = s.schedule_id
    AND k.status IN ('pending', 'authorising') AND k.link_expires_at > now()`;
export const READ = `${SELECTED} WHERE s.merchant_id = $1 AND s.schedule_id = $2`;
const TOTAL = '(SELECT count(*) FROM schedules WHERE merchant_id = $1)::int AS total';
export const LIST = `
  WITH page AS (
    SELECT * FROM schedules WHERE merchant_id = $1 ORDER BY created_at DESC, schedule_id DESC LIMIT $2 OFFSET $3
  )
${SELECTED.replace('schedules s', 'page s').replace('SELECT', `SELECT ${TOTAL},`)}
  ORDER BY s.created_at DESC, s.schedule_id DESC`;

export interface ScheduleRow {
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
  consent_id: string | null;
  link: string | null;
}

/** How texts are kept; by default as they are. `place` is what a sealed text is bound to. */
export interface TextStorage {
  seal(plain: string, place: string): string;
  open(kept: string, place: string): string;
  index(plain: string, place: string): Buffer;
}

const AS_IS: TextStorage = { seal: (plain) => plain, open: (kept) => kept, index: sha256 };
const phoneContext = (merchantId: string): string => `customer:${merchantId}:phone`;
const linkContext = (merchantId: string, consentId: string): string =>
  `consent:${merchantId}:${consentId}:link`;

/** What a monthly schedule of one amount is shown with beside its terms. */
const DEFAULTS = {
  first_payment: null,
  amount_mode: 'fixed',
  non_working_day: 'same',
  resume_at: null,
  consented: null,
  paying_account: null,
  consent_notice: null,
  warnings: [],
};

const limitsOf = (amount: { value: number; currency: string }) => ({
  per_payment: amount,
  per_period: { ...amount, value: 2 * amount.value },
  period: 'month',
});

/** All that the schema requires of a schedule, so that one more field is missed here and not in a run of the bench. */
type CompleteView = { [K in keyof ScheduleView]: unknown };

/** Returns a schedule as the API shows it. */
export const view = (
  merchantId: string,
  row: ScheduleRow,
  { open }: TextStorage = AS_IS,
): CompleteView => ({
  id: row.schedule_id,
  status: row.status,
  amount: { value: Number(row.amount_pence), currency: row.currency },
  frequency: { type: row.frequency_type, day: row.frequency_day, interval: row.frequency_interval },
  customer: {
    id: row.customer_id,
    type: row.customer_type,
    value: open(row.phone, phoneContext(merchantId)),
  },
  description: row.description,
  metadata: row.metadata,
  reference: statementReference({ scheduleId: row.schedule_id, reference: null }),
  start_date: row.start_date,
  end_date: row.end_at,
  max_retries: row.max_retries,
  next_payment_date: row.first_at,
  created_at: row.created_at,
  limits: limitsOf({ value: Number(row.amount_pence), currency: row.currency }),
  ...DEFAULTS,
  ...(row.link === null
    ? {}
    : { consent_url: open(row.link, linkContext(merchantId, row.consent_id ?? '')) }),
});

export type Body = CreateBody & { customer: { phone: string } };

const NO_PROFILE = { account: null, name: null, email: null, reference: null };
const FIRST_IN_MS = 7 * 86_400_000;

/** A new schedule: the values of `CREATE`, and the answer, which lacks the customer's id. */
export function newSchedule(merchantId: string, body: Body, { seal, index }: TextStorage = AS_IS) {
  const [now, first] = [new Date(), new Date(Date.now() + FIRST_IN_MS)];
  const [link, { phone }, { description }] = [randomUUID(), body.customer, body];
  const metadata = body.metadata ?? null;
  const [id, consentId] = [`sch_${randomUUID()}`, `con_${randomUUID()}`];
  const values = [
    merchantId,
    `cus_${randomUUID()}`,
    seal(phone, phoneContext(merchantId)),
    index(phone, phoneContext(merchantId)),
    now,
    id,
    body.description,
    metadata === null ? null : JSON.stringify(metadata),
    body.amount.value,
    body.amount.currency,
    first,
    consentId,
    sha256(link),
    seal(link, linkContext(merchantId, consentId)),
    indexEntries({ ...NO_PROFILE, phone }).map((entry) =>
      index(entry, `customer:${merchantId}:search`),
    ),
    [
      ...wordsOfSchedule({ scheduleId: id, description, metadata, reference: null }),
      amountEntry(body.amount.value),
    ],
  ];
  const answer = (customerId: string): CompleteView => ({
    id,
    status: 'pending_consent',
    amount: body.amount,
    frequency: { type: 'monthly', day: 1, interval: 1 },
    customer: { id: customerId, type: 'phone', value: phone },
    description: body.description,
    metadata,
    reference: statementReference({ scheduleId: id, reference: null }),
    start_date: null,
    end_date: null,
    max_retries: 3,
    next_payment_date: first,
    created_at: now,
    limits: limitsOf(body.amount),
    ...DEFAULTS,
    consent_url: link,
  });
  return { values, answer };
}
