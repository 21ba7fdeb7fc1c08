import { asOwner } from '../../../server/test-support/owner.ts';
import { BATCH } from '../pgbench.ts';
import { AMOUNT_PENCE } from '../seed.ts';
import type { World } from '../world.ts';

// The ideal that keeps the laws of money, in a schema of its own: narrow tables, uuid ids, and four transactions for 500
// collections. The order is noted before the bank is called, with its consent locked; what is under way has a lease; events are
// numbered per schedule; each change of state has an audit row. Partners cost nothing.

const TABLES = `
  CREATE SCHEMA lawful;
  CREATE TABLE lawful.merchants (merchant_id uuid PRIMARY KEY, outside uuid NOT NULL, wallet_id uuid NOT NULL);
  CREATE TABLE lawful.schedules (merchant_id uuid, schedule_id uuid, customer_id uuid NOT NULL, status text NOT NULL,
    description text NOT NULL, live_version int NOT NULL, consent_id uuid NOT NULL, PRIMARY KEY (merchant_id, schedule_id));
  CREATE TABLE lawful.terms (merchant_id uuid, schedule_id uuid, version int, amount_pence bigint NOT NULL,
    currency text NOT NULL, PRIMARY KEY (merchant_id, schedule_id, version));
  CREATE TABLE lawful.consents (merchant_id uuid, consent_id uuid, status text NOT NULL, wallet_id uuid NOT NULL,
    bank_id text NOT NULL, bank_consent_id text NOT NULL, initiation text NOT NULL, bank_grant text NOT NULL,
    PRIMARY KEY (merchant_id, consent_id));
  CREATE TABLE lawful.wallets (merchant_id uuid, wallet_id uuid, issuer_wallet_id text NOT NULL,
    PRIMARY KEY (merchant_id, wallet_id));
  CREATE TABLE lawful.accounts (merchant_id uuid, account_id uuid, kind smallint NOT NULL, balance_pence bigint NOT NULL,
    CHECK (balance_pence >= 0 OR kind = 0), PRIMARY KEY (merchant_id, account_id)) WITH (fillfactor = 45);
  CREATE TABLE lawful.agenda (merchant_id uuid, schedule_id uuid, next_occurrence int NOT NULL, due_at timestamptz,
    put_off_until timestamptz, check_at timestamptz, last_event int NOT NULL DEFAULT 0,
    PRIMARY KEY (merchant_id, schedule_id)) WITH (fillfactor = 60);
  CREATE INDEX agenda_due ON lawful.agenda (greatest(due_at, put_off_until)) WHERE due_at IS NOT NULL;
  CREATE TABLE lawful.payments (merchant_id uuid, payment_id uuid, schedule_id uuid NOT NULL, customer_id uuid NOT NULL,
    consent_id uuid NOT NULL, wallet_id uuid NOT NULL, bank_id text NOT NULL, amount_pence bigint NOT NULL,
    currency text NOT NULL, due_date timestamptz NOT NULL, status text NOT NULL, bank_payment_id text,
    created_at timestamptz NOT NULL, completed_at timestamptz, failed_at timestamptz, settlement_id uuid,
    CHECK (amount_pence > 0), CHECK (status IN ('pending', 'processing', 'success', 'failed')),
    CHECK ((status = 'success') = (completed_at IS NOT NULL)), CHECK ((status = 'failed') = (failed_at IS NOT NULL)),
    PRIMARY KEY (merchant_id, payment_id), UNIQUE (merchant_id, schedule_id, due_date)) WITH (fillfactor = 50);
  CREATE TABLE lawful.work (merchant_id uuid, payment_id uuid, stage text NOT NULL, bank_id text NOT NULL,
    due_at timestamptz NOT NULL, attempt int NOT NULL, polls int NOT NULL, manual boolean NOT NULL,
    CHECK (stage IN ('submit', 'track', 'move')), PRIMARY KEY (merchant_id, payment_id)) WITH (fillfactor = 50);
  CREATE INDEX work_due ON lawful.work (stage, bank_id, due_at);
  CREATE TABLE lawful.attempts (merchant_id uuid, payment_id uuid, number int, manual boolean NOT NULL, status text NOT NULL,
    bank_payment_id text, started_at timestamptz NOT NULL, sent_at timestamptz, finished_at timestamptz,
    PRIMARY KEY (merchant_id, payment_id, number)) WITH (fillfactor = 50);
  CREATE INDEX attempts_at_bank ON lawful.attempts (merchant_id, bank_payment_id) WHERE bank_payment_id IS NOT NULL;
  CREATE TABLE lawful.transfers (merchant_id uuid, transfer_id uuid NOT NULL, kind text, debit_account_id uuid NOT NULL,
    credit_account_id uuid NOT NULL, amount_pence bigint NOT NULL, source_id uuid, at timestamptz NOT NULL,
    CHECK (amount_pence > 0), CHECK (debit_account_id <> credit_account_id), PRIMARY KEY (merchant_id, source_id, kind));
  CREATE TABLE lawful.state_changes (merchant_id uuid, schedule_id uuid, change_id bigint GENERATED ALWAYS AS IDENTITY,
    object_id uuid NOT NULL, from_state text, to_state text NOT NULL, reason text NOT NULL, at timestamptz NOT NULL,
    PRIMARY KEY (merchant_id, schedule_id, change_id));
  CREATE TABLE lawful.events (merchant_id uuid, event_id uuid, kind text NOT NULL, schedule_id uuid, sequence int,
    subject_id uuid NOT NULL, body text NOT NULL, created_at timestamptz NOT NULL,
    PRIMARY KEY (merchant_id, event_id), UNIQUE (merchant_id, schedule_id, sequence));
  CREATE TABLE lawful.events_without_endpoint (merchant_id uuid, event_id uuid, PRIMARY KEY (merchant_id, event_id));
  CREATE TABLE lawful.to_settle (merchant_id uuid, settle_at timestamptz, payment_id uuid, amount_pence bigint NOT NULL,
    PRIMARY KEY (merchant_id, settle_at, payment_id))`;

const MERCHANT = `
  WITH merchant AS (
    INSERT INTO lawful.merchants VALUES (uuidv7(), uuidv7(), uuidv7()) RETURNING *
  ), wallet AS (
    INSERT INTO lawful.wallets SELECT merchant_id, wallet_id, 'iw-' || wallet_id FROM merchant
  )
  INSERT INTO lawful.accounts
  SELECT merchant_id, outside, 0, 0 FROM merchant UNION ALL SELECT merchant_id, wallet_id, 1, 0 FROM merchant`;

const SCHEDULES = `
  WITH new AS MATERIALIZED (
    SELECT merchant_id, uuidv7() AS schedule_id, uuidv7() AS customer_id, uuidv7() AS consent_id, uuidv7() AS wallet_id
    FROM lawful.merchants, generate_series(1, $1::int)
  ), schedule AS (
    INSERT INTO lawful.schedules SELECT merchant_id, schedule_id, customer_id, 'active', 'Broadband', 1, consent_id FROM new
  ), terms AS (
    INSERT INTO lawful.terms SELECT merchant_id, schedule_id, 1, ${AMOUNT_PENCE}, 'GBP' FROM new
  ), consent AS (
    INSERT INTO lawful.consents
    SELECT merchant_id, consent_id, 'granted', wallet_id, 'bench', 'bc-' || consent_id, repeat('i', 120), repeat('g', 220)
    FROM new
  ), wallet AS (
    INSERT INTO lawful.wallets SELECT merchant_id, wallet_id, 'iw-' || wallet_id FROM new
  ), account AS (
    INSERT INTO lawful.accounts SELECT merchant_id, wallet_id, 1, 0 FROM new
  )
  INSERT INTO lawful.agenda SELECT merchant_id, schedule_id, 0, now() FROM new`;

/** Creates the tables and their one merchant. */
export async function createConstrainedTables({ db }: Pick<World, 'db'>): Promise<void> {
  for (const statement of [...TABLES.split(';'), MERCHANT])
    await asOwner(db, (tx) => tx.run(statement));
}

/** Creates this many due schedules. */
export async function seedConstrained({ db }: Pick<World, 'db'>, count: number): Promise<void> {
  await asOwner(db, (tx) => tx.run(SCHEDULES, [count]));
}

/** Returns how many payments have succeeded, with everything that follows from that. */
export async function constrainedSuccesses({ db }: Pick<World, 'db'>): Promise<number> {
  const row = await asOwner(db, (tx) =>
    tx.row<{ done: number }>(
      `SELECT least((SELECT count(*) FROM lawful.payments WHERE status = 'success'), (SELECT count(*) FROM lawful.events),
         (SELECT count(*) FROM lawful.to_settle), (SELECT count(*) / 2 FROM lawful.transfers))::int AS done`,
    ),
  );
  return row?.done ?? 0;
}

/** Locks what is due, opens a payment for each with its lease, and moves on; hands the payments on in `keys`. */
const OPEN = `
  WITH due AS MATERIALIZED (
    SELECT a.merchant_id, a.schedule_id, a.due_at, s.customer_id, s.consent_id, c.wallet_id, c.bank_id, c.bank_consent_id,
      c.initiation, c.bank_grant, t.amount_pence, t.currency, w.issuer_wallet_id
    FROM lawful.agenda a
    CROSS JOIN LATERAL (SELECT * FROM lawful.schedules s
      WHERE s.merchant_id = a.merchant_id AND s.schedule_id = a.schedule_id OFFSET 0) s
    CROSS JOIN LATERAL (SELECT * FROM lawful.terms t
      WHERE t.merchant_id = a.merchant_id AND t.schedule_id = a.schedule_id AND t.version = s.live_version OFFSET 0) t
    CROSS JOIN LATERAL (SELECT * FROM lawful.consents c
      WHERE c.merchant_id = a.merchant_id AND c.consent_id = s.consent_id OFFSET 0) c
    CROSS JOIN LATERAL (SELECT * FROM lawful.wallets w
      WHERE w.merchant_id = a.merchant_id AND w.wallet_id = c.wallet_id OFFSET 0) w
    WHERE a.due_at IS NOT NULL AND greatest(a.due_at, a.put_off_until) <= now()
    ORDER BY greatest(a.due_at, a.put_off_until) LIMIT ${BATCH} FOR UPDATE OF a SKIP LOCKED
  ), opened AS (
    INSERT INTO lawful.payments (merchant_id, payment_id, schedule_id, customer_id, consent_id, wallet_id, bank_id,
      amount_pence, currency, due_date, status, created_at)
    SELECT merchant_id, uuidv7(), schedule_id, customer_id, consent_id, wallet_id, bank_id, amount_pence, currency, due_at,
      'processing', now() FROM due
    ON CONFLICT (merchant_id, schedule_id, due_date) DO NOTHING RETURNING merchant_id, payment_id, schedule_id, bank_id
  ), leased AS (
    INSERT INTO lawful.work
    SELECT merchant_id, payment_id, 'submit', bank_id, now() + interval '4 minutes', 1, 1, false FROM opened
  ), audited AS (
    INSERT INTO lawful.state_changes (merchant_id, object_id, schedule_id, from_state, to_state, reason, at)
    SELECT merchant_id, payment_id, schedule_id, f, t, r, now() FROM opened
    CROSS JOIN (VALUES (NULL, 'pending', 'the occurrence is due'), ('pending', 'processing', 'attempt 1')) v (f, t, r)
  ), moved_on AS (
    UPDATE lawful.agenda a SET next_occurrence = a.next_occurrence + 1, due_at = a.due_at + interval '1 month'
    FROM due d WHERE a.merchant_id = d.merchant_id AND a.schedule_id = d.schedule_id
  )
  SELECT (SELECT coalesce(array_agg(merchant_id), '{}')::text FROM opened) AS merchants,
    (SELECT coalesce(array_agg(payment_id), '{}')::text FROM opened) AS payments,
    (SELECT length(string_agg(concat(bank_consent_id, initiation, bank_grant, issuer_wallet_id), '')) FROM due) AS read
  \\gset`;

/** The payments that the first statement handed on: variables of pgbench. */
const KEYS = 'unnest(:merchants::uuid[], :payments::uuid[]) AS k (merchant_id, payment_id)';

/** Notes the orders before the bank is called, if consent and schedule still allow them; a withdrawal waits for the lock. */
const NOTE = `
  INSERT INTO lawful.attempts (merchant_id, payment_id, number, manual, status, started_at, sent_at)
  SELECT k.merchant_id, k.payment_id, n.attempt, n.manual, 'started', now(), now() FROM ${KEYS}
  CROSS JOIN LATERAL (SELECT w.stage, w.attempt, w.manual, c.status AS consent_status, s.status AS schedule_status
    FROM lawful.work w
    JOIN lawful.payments p ON p.merchant_id = k.merchant_id AND p.payment_id = k.payment_id
    JOIN lawful.consents c ON c.merchant_id = k.merchant_id AND c.consent_id = p.consent_id
    JOIN lawful.schedules s ON s.merchant_id = k.merchant_id AND s.schedule_id = p.schedule_id
    WHERE w.merchant_id = k.merchant_id AND w.payment_id = k.payment_id OFFSET 0 FOR KEY SHARE OF c) n
  WHERE n.stage = 'submit' AND n.consent_status = 'granted' AND n.schedule_status = 'active'`;

/** Returns the statements that post a transfer of each row of `rows`, and change both balances. */
const posting = (rows: string, kind: string, debit: string, credit: string): string => `
  posted AS (
    INSERT INTO lawful.transfers
    SELECT merchant_id, uuidv7(), '${kind}', ${debit}, ${credit}, amount_pence, payment_id, now() FROM ${rows}
  ), change AS (
    SELECT merchant_id, account_id, sum(pence) AS pence FROM (
      SELECT merchant_id, ${debit} AS account_id, -amount_pence AS pence FROM ${rows}
      UNION ALL SELECT merchant_id, ${credit}, amount_pence FROM ${rows}) sides GROUP BY merchant_id, account_id
  )
  UPDATE lawful.accounts a SET balance_pence = a.balance_pence + c.pence FROM change c
  WHERE a.merchant_id = c.merchant_id AND a.account_id = c.account_id`;

/** Books the money that the bank has paid, and hands the payments on to the transfer with a new lease. */
const CREDIT = `
  WITH credited AS (
    UPDATE lawful.work w SET stage = 'move', due_at = now() + interval '2 minutes', polls = 0 FROM ${KEYS}
    WHERE w.merchant_id = k.merchant_id AND w.payment_id = k.payment_id AND coalesce(w.stage = 'submit', false)
    RETURNING w.merchant_id, w.payment_id
  ), attempted AS (
    UPDATE lawful.attempts a SET status = 'success', finished_at = now(), bank_payment_id = 'bp-' || a.payment_id
    FROM credited c WHERE a.merchant_id = c.merchant_id AND a.payment_id = c.payment_id AND a.number = 1
  ), paid AS (
    SELECT c.*, p.wallet_id, p.amount_pence, m.outside FROM credited c
    CROSS JOIN LATERAL (SELECT wallet_id, amount_pence FROM lawful.payments p
      WHERE p.merchant_id = c.merchant_id AND p.payment_id = c.payment_id OFFSET 0) p
    CROSS JOIN LATERAL (SELECT outside FROM lawful.merchants m WHERE m.merchant_id = c.merchant_id OFFSET 0) m
  ), ${posting('paid', 'pay_in', 'outside', 'wallet_id')}`;

/** Ends the payments after the transfer to the merchant's wallet: money, audit and the numbered event together. */
const SUCCEED = `
  WITH ended AS (
    DELETE FROM lawful.work w USING ${KEYS}
    WHERE w.merchant_id = k.merchant_id AND w.payment_id = k.payment_id AND coalesce(w.stage = 'move', false)
    RETURNING w.merchant_id, w.payment_id
  ), succeeded AS (
    UPDATE lawful.payments p SET status = 'success', completed_at = now(), bank_payment_id = 'bp-' || p.payment_id
    FROM ended e WHERE p.merchant_id = e.merchant_id AND p.payment_id = e.payment_id
    RETURNING p.merchant_id, p.payment_id, p.schedule_id, p.wallet_id, p.amount_pence
  ), moved AS (
    SELECT s.*, m.wallet_id AS to_account FROM succeeded s
    CROSS JOIN LATERAL (SELECT wallet_id FROM lawful.merchants m WHERE m.merchant_id = s.merchant_id OFFSET 0) m
  ), settle AS (
    INSERT INTO lawful.to_settle SELECT merchant_id, now() + interval '1 day', payment_id, amount_pence FROM moved
  ), audited AS (
    INSERT INTO lawful.state_changes (merchant_id, object_id, schedule_id, from_state, to_state, reason, at)
    SELECT merchant_id, payment_id, schedule_id, 'processing', 'success', 'in the merchant''s wallet', now() FROM moved
  ), numbered AS (
    UPDATE lawful.agenda a SET last_event = a.last_event + 1 FROM moved m
    WHERE a.merchant_id = m.merchant_id AND a.schedule_id = m.schedule_id RETURNING m.*, a.last_event
  ), told AS (
    INSERT INTO lawful.events
    SELECT merchant_id, uuidv7(), 'collection.success', schedule_id, last_event, payment_id,
      json_build_object('event', 'collection.success', 'data', json_build_object('payment_id', payment_id, 'schedule_id',
        schedule_id, 'amount', json_build_object('value', amount_pence, 'currency', 'GBP'), 'completed_at', now()))::text,
      now() FROM numbered RETURNING merchant_id, event_id
  ), without_endpoint AS (
    INSERT INTO lawful.events_without_endpoint SELECT merchant_id, event_id FROM told
  ), ${posting('moved', 'move', 'wallet_id', 'to_account')}`;

/** Collects up to 500 that are due. */
export const CONSTRAINED_STATEMENTS: readonly string[] = [OPEN, NOTE, CREDIT, SUCCEED];
