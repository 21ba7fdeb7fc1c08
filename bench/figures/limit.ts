import type { Tx } from '../../server/src/platform/db.ts';
import { oneOf } from '../../server/src/platform/one-of.ts';
import type { Figure, Row } from '../figure.ts';
import { measured, type Run, runOurs } from '../stand/due.ts';
import { pgbench } from '../stand/pgbench.ts';
import { AMOUNT_PENCE, BANK_ID, seedMerchant, seedSchedules } from '../stand/seed.ts';
import { median, significant } from '../stand/statistics.ts';
import { openWorld, type World } from '../stand/world.ts';

const BATCH = 500;
const CLIENTS = 2;

/** A way to make collections from prepared schedules. */
interface Contender {
  name: string;
  prepare(world: World, merchantId: string, count: number): Promise<void>;
  run(world: World, count: number): Promise<Run>;
}

const prepareDue: Contender['prepare'] = (world, merchantId, count) =>
  seedSchedules(world.platform, merchantId, count, world.platform.clock.now());

const OURS: Contender = {
  name: 'Recollect, the real stages',
  prepare: prepareDue,
  run: (world, count) => runOurs(world, count),
};

/**
 * The same rows in the same tables with the same constraints, in the fewest set-based statements that could work: opened, sent,
 * credited, transferred, 500 each, in four transactions. Omits everything that only a race, a crash or a failure needs.
 */
const SAME = [
  `WITH due AS (
     SELECT s.merchant_id, s.schedule_id, s.customer_id, s.consent_id, s.due_at, c.wallet_id, c.bank_id,
       t.amount_pence, t.currency
     FROM schedules s
     CROSS JOIN LATERAL (SELECT amount_pence, currency FROM schedule_terms t WHERE t.merchant_id = s.merchant_id
       AND t.schedule_id = s.schedule_id AND t.version = s.live_version OFFSET 0) t
     CROSS JOIN LATERAL (SELECT wallet_id, bank_id FROM consents c WHERE c.merchant_id = s.merchant_id
       AND c.consent_id = s.consent_id OFFSET 0) c
     WHERE s.due_at IS NOT NULL AND greatest(s.due_at, s.put_off_until) <= now()
     ORDER BY greatest(s.due_at, s.put_off_until) LIMIT ${BATCH} FOR UPDATE OF s SKIP LOCKED
   ), opened AS (
     INSERT INTO payments (merchant_id, payment_id, schedule_id, customer_id, consent_id, wallet_id, bank_id, amount_pence,
       currency, due_date, status, stage, due_at, created_at)
     SELECT merchant_id, 'pay_' || lpad(nextval('bench_ids')::text, 22, '0'), schedule_id, customer_id, consent_id, wallet_id,
       bank_id, amount_pence, currency, due_at, 'pending', 'submit', now(), now() FROM due
     ON CONFLICT (merchant_id, schedule_id, due_date) DO NOTHING RETURNING merchant_id, payment_id, schedule_id
   ), changed AS (
     INSERT INTO state_changes (merchant_id, object_id, schedule_id, from_state, to_state, reason, at)
     SELECT merchant_id, payment_id, schedule_id, NULL, 'pending', 'the occurrence is due', now() FROM opened
   )
   UPDATE schedules s SET next_occurrence = s.next_occurrence + 1, due_at = s.due_at + interval '1 month' FROM due d
   WHERE s.merchant_id = d.merchant_id AND s.schedule_id = d.schedule_id`,
  `WITH claimed AS (
     UPDATE payments p SET status = 'processing', attempts = 1, polls = 1, due_at = now() + interval '4 minutes'
     WHERE ${oneOf(`SELECT ctid FROM payments WHERE bank_id = '${BANK_ID}' AND stage = 'submit' AND due_at <= now()
       ORDER BY due_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`)}
     RETURNING p.merchant_id, p.payment_id, p.schedule_id
   ), changed AS (
     INSERT INTO state_changes (merchant_id, object_id, schedule_id, from_state, to_state, reason, at)
     SELECT merchant_id, payment_id, schedule_id, 'pending', 'processing', 'attempt 1', now() FROM claimed
   )
   INSERT INTO attempts (merchant_id, payment_id, number, manual, status, started_at, sent_at)
   SELECT merchant_id, payment_id, 1, false, 'started', now(), now() FROM claimed`,
  `WITH credited AS (
     UPDATE payments p SET stage = 'move', due_at = now()
     WHERE ${oneOf(`SELECT ctid FROM payments WHERE bank_id = '${BANK_ID}' AND stage = 'submit' AND due_at > now()
       ORDER BY due_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`)}
     RETURNING p.merchant_id, p.payment_id, p.wallet_id, p.amount_pence
   ), attempted AS (
     UPDATE attempts a SET status = 'success', finished_at = now(), bank_payment_id = 'bp-' || a.payment_id FROM credited c
     WHERE a.merchant_id = c.merchant_id AND a.payment_id = c.payment_id AND a.number = 1
   ), posted AS (
     INSERT INTO transfers (merchant_id, transfer_id, kind, debit_account_id, credit_account_id, amount_pence, source_id, at)
     SELECT merchant_id, 'trf_' || lpad(nextval('bench_ids')::text, 22, '0'), 'pay_in', 'outside', wallet_id, amount_pence,
       payment_id, now() FROM credited
   ), change AS (
     SELECT merchant_id, account_id, sum(pence) AS pence FROM (
       SELECT merchant_id, 'outside' AS account_id, -amount_pence AS pence FROM credited
       UNION ALL SELECT merchant_id, wallet_id, amount_pence FROM credited) sides GROUP BY merchant_id, account_id
   )
   UPDATE accounts a SET balance_pence = a.balance_pence + c.pence FROM change c
   WHERE a.merchant_id = c.merchant_id AND a.account_id = c.account_id`,
  `WITH waiting AS (
     SELECT p.merchant_id, p.payment_id, p.schedule_id, p.wallet_id, p.amount_pence, w.wallet_id AS to_account FROM payments p
     CROSS JOIN LATERAL (SELECT wallet_id FROM wallets WHERE merchant_id = p.merchant_id AND customer_id IS NULL OFFSET 0) w
     WHERE p.stage = 'move' ORDER BY p.due_at LIMIT ${BATCH} FOR UPDATE OF p SKIP LOCKED
   ), done AS (
     UPDATE payments p SET status = 'success', stage = NULL, due_at = NULL, completed_at = now(),
       settle_at = now() + interval '1 day'
     FROM waiting w WHERE p.merchant_id = w.merchant_id AND p.payment_id = w.payment_id
   ), posted AS (
     INSERT INTO transfers (merchant_id, transfer_id, kind, debit_account_id, credit_account_id, amount_pence, source_id, at)
     SELECT merchant_id, 'trf_' || lpad(nextval('bench_ids')::text, 22, '0'), 'move', wallet_id, to_account, amount_pence,
       payment_id, now() FROM waiting
   ), changed AS (
     INSERT INTO state_changes (merchant_id, object_id, schedule_id, from_state, to_state, reason, at)
     SELECT merchant_id, payment_id, schedule_id, 'processing', 'success', 'in the merchant''s wallet', now() FROM waiting
   ), counted AS (
     INSERT INTO event_sequences AS s (merchant_id, schedule_id, last) SELECT merchant_id, schedule_id, 1 FROM waiting
     ON CONFLICT (merchant_id, schedule_id) DO UPDATE SET last = s.last + 1
   ), told AS (
     INSERT INTO events (merchant_id, event_id, kind, schedule_id, sequence, subject_id, body, created_at)
     SELECT merchant_id, 'evt_' || lpad(nextval('bench_ids')::text, 22, '0'), 'collection.success', schedule_id, 1, payment_id,
       json_build_object('event', 'collection.success', 'data', json_build_object('payment_id', payment_id, 'schedule_id',
         schedule_id, 'amount', json_build_object('value', amount_pence, 'currency', 'GBP'), 'completed_at', now()))::text,
       now() FROM waiting
   ), change AS (
     SELECT merchant_id, account_id, sum(pence) AS pence FROM (
       SELECT merchant_id, wallet_id AS account_id, -amount_pence AS pence FROM waiting
       UNION ALL SELECT merchant_id, to_account, amount_pence FROM waiting) sides GROUP BY merchant_id, account_id
   )
   UPDATE accounts a SET balance_pence = a.balance_pence + c.pence FROM change c
   WHERE a.merchant_id = c.merchant_id AND a.account_id = c.account_id`,
];

const PGBENCH: Contender = {
  name: 'pgbench, the same transitions',
  prepare: prepareDue,
  run: (world, count) =>
    measured(world, count, () => pgbench(world, SAME, { clients: CLIENTS, runs: count / BATCH })),
};

/** The minimum that could be called a collection: five narrow tables, no constraints except keys, one statement for 500. */
const IDEAL_TABLES = `
  CREATE TABLE IF NOT EXISTS ideal_schedules (id bigint PRIMARY KEY, due_at timestamptz NOT NULL, pence bigint NOT NULL,
    wallet bigint NOT NULL);
  CREATE INDEX IF NOT EXISTS ideal_due ON ideal_schedules (due_at);
  CREATE TABLE IF NOT EXISTS ideal_accounts (id bigint PRIMARY KEY, pence bigint NOT NULL) WITH (fillfactor = 50);
  CREATE TABLE IF NOT EXISTS ideal_payments (schedule_id bigint, due_at timestamptz, pence bigint NOT NULL, status text NOT NULL,
    PRIMARY KEY (schedule_id, due_at));
  CREATE TABLE IF NOT EXISTS ideal_postings (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, account_id bigint NOT NULL,
    schedule_id bigint NOT NULL, pence bigint NOT NULL);
  CREATE TABLE IF NOT EXISTS ideal_events (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, body text NOT NULL);
  INSERT INTO ideal_accounts VALUES (0, 0), (-1, 0) ON CONFLICT DO NOTHING`;

const IDEAL_SEED = `
  WITH new AS (
    INSERT INTO ideal_schedules
    SELECT n, now(), ${AMOUNT_PENCE}, n FROM generate_series((SELECT coalesce(max(id), 0) + 1 FROM ideal_schedules),
      (SELECT coalesce(max(id), 0) FROM ideal_schedules) + $1::bigint) AS n RETURNING wallet
  )
  INSERT INTO ideal_accounts SELECT wallet, 0 FROM new`;

const IDEAL_COLLECT = `
  WITH due AS (
    SELECT id, due_at, pence, wallet FROM ideal_schedules WHERE due_at <= now() ORDER BY due_at LIMIT ${BATCH}
    FOR UPDATE SKIP LOCKED
  ), moved AS (
    UPDATE ideal_schedules s SET due_at = s.due_at + interval '1 month' FROM due d WHERE s.id = d.id
  ), paid AS (
    INSERT INTO ideal_payments SELECT id, due_at, pence, 'success' FROM due
  ), posted AS (
    INSERT INTO ideal_postings (account_id, schedule_id, pence)
    SELECT -1, id, -pence FROM due UNION ALL SELECT wallet, id, pence FROM due
    UNION ALL SELECT wallet, id, -pence FROM due UNION ALL SELECT 0, id, pence FROM due
  ), told AS (
    INSERT INTO ideal_events (body)
    SELECT json_build_object('event', 'collection.success', 'schedule', id, 'pence', pence)::text FROM due
  )
  UPDATE ideal_accounts a SET pence = a.pence + c.pence
  FROM (SELECT -1 AS id, -sum(pence) AS pence FROM due UNION ALL SELECT 0, sum(pence) FROM due
        UNION ALL SELECT wallet, 0 FROM due) c
  WHERE a.id = c.id`;

const IDEAL: Contender = {
  name: 'the ideal, one statement for 500',
  prepare: async ({ db }, _merchantId, count) => {
    await db.read((tx) => tx.run(IDEAL_SEED, [count]));
  },
  run: (world, count) =>
    measured(world, count, () =>
      pgbench(world, [IDEAL_COLLECT], { clients: CLIENTS, runs: count / BATCH }),
    ),
};

const CONTENDERS = [OURS, PGBENCH, IDEAL];

/** Figure 2: the database's part of a collection, compared with the least SQL that could work, and with the ideal. */
export const limit: Figure = {
  name: 'limit',
  title: 'Against the limit: collections a second through the database alone, one hot merchant',
  async run({ rounds, isFull, say }) {
    const count = isFull ? 50_000 : 10_000;
    await using world = await openWorld();
    await createBenchTables(world);
    const runs = new Map<string, Run[]>(CONTENDERS.map(({ name }) => [name, []]));
    const merchantId = await seedMerchant(world.platform);
    for (let round = 0; round <= rounds; round++)
      for (const contender of CONTENDERS) {
        await world.db.transaction(endWhatIsLeft);
        await contender.prepare(world, merchantId, count);
        await world.settle();
        const run = await contender.run(world, count);
        say(`round ${round}: ${contender.name}: ${Math.round(run.perSecond)} a second`);
        if (round > 0) runs.get(contender.name)?.push(run); // the first round is a warm-up
      }
    return toRows(runs);
  },
};

/**
 * Ends unfinished payments. The clients of pgbench take rows from each other's batches and leave some unfinished, and the next
 * contender would wait for their leases.
 */
async function endWhatIsLeft(tx: Tx): Promise<void> {
  await tx.run(
    "UPDATE payments SET status = 'failed', stage = NULL, due_at = NULL, failed_at = now() WHERE stage IS NOT NULL",
  );
}

async function createBenchTables({ db }: World): Promise<void> {
  for (const statement of ['CREATE SEQUENCE bench_ids', ...IDEAL_TABLES.split(';')])
    await db.read((tx) => tx.run(statement));
}

function toRows(runs: ReadonlyMap<string, readonly Run[]>): Row[] {
  const middle = (name: string, pick: (run: Run) => number): number =>
    median((runs.get(name) ?? []).map(pick));
  const ours = middle(OURS.name, (run) => run.perSecond);
  return CONTENDERS.map(({ name }) => {
    const perSecond = middle(name, (run) => run.perSecond);
    return {
      contender: name,
      collections_per_second: significant(perSecond),
      our_share_percent: significant((100 * ours) / perSecond),
      postgres_cpu_us: significant(middle(name, (run) => run.postgresCpuMicros)),
      our_cpu_us: significant(middle(name, (run) => run.ourCpuMicros)),
      wal_bytes: significant(middle(name, (run) => run.walBytes)),
    };
  });
}
