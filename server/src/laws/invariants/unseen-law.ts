import { findWaiting } from '../../payments/books/waiting-store.ts';
import { columns } from '../../platform/db/columns.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { Noun, Subject } from '../findings/nouns.ts';
import type { Breach, Law, Part } from './law.ts';
import { LIVES } from './lives.ts';
import { findOverdueAmong } from './overdue-store.ts';

/** How much later than the list the invariant finds something: the two judge by different moments. */
const GRACE_HOURS = 2;

/** A noun that the invariant reads: its state and its schedule in SQL, of the row `t`. */
interface Read {
  noun: Noun;
  lives: string;
  table: string;
  id: string;
  state: string;
  /** Null: its changes name none. */
  scheduleOf: string | null;
  /** From when it counts, if that is after its last change: the date asked for, its first order, or the end of its link. */
  countsFrom?: string;
}

const READS: readonly Read[] = [
  {
    noun: 'work',
    lives: 'payments',
    table: 'payment_work',
    id: 'payment_id',
    // Of what an attempt begins with nothing may be sent for as long as of a payment that waits: a stop holds both back.
    state: `CASE WHEN t.stage = 'wait' THEN 'pending' WHEN t.stage = 'submit' AND NOT EXISTS (SELECT 1 FROM attempts a
      WHERE a.merchant_id = t.merchant_id AND a.payment_id = t.payment_id AND a.number = t.attempt AND a.sent_at IS NOT NULL)
      THEN 'pending' ELSE t.stage END`,
    scheduleOf: `(SELECT p.schedule_id FROM payments p WHERE p.merchant_id = t.merchant_id AND p.payment_id = t.payment_id)`,
    countsFrom: `CASE WHEN t.stage = 'wait' THEN (SELECT coalesce(p.next_retry_at, p.due_date) FROM payments p
        WHERE p.merchant_id = t.merchant_id AND p.payment_id = t.payment_id)
      ELSE (SELECT greatest(a.sent_at, a.finished_at) FROM attempts a
        WHERE a.merchant_id = t.merchant_id AND a.payment_id = t.payment_id AND a.number = t.attempt) END`,
  },
  {
    noun: 'refund',
    lives: 'refunds',
    table: 'refunds',
    id: 'refund_id',
    state: `CASE WHEN t.stage IS NULL THEN t.status WHEN t.stage = 'wait' THEN 'waiting' WHEN t.stage = 'track' THEN 'track'
      WHEN t.status = 'pending' THEN 'pending' ELSE 'asked' END`,
    scheduleOf: 't.schedule_id',
  },
  {
    noun: 'settlement',
    lives: 'settlements',
    table: 'settlements',
    id: 'settlement_id',
    state: `CASE WHEN t.status = 'failed' THEN CASE WHEN t.stage = 'carry' THEN 'failed' ELSE 'passed_on' END
      WHEN t.status = 'success' THEN 'success' WHEN t.stage IS NULL THEN 'differs' WHEN t.stage = 'track' THEN 'track'
      WHEN t.status = 'pending' THEN 'pending' ELSE 'asked' END`,
    scheduleOf: null,
  },
  {
    noun: 'consent',
    lives: 'consents',
    table: 'consents',
    id: 'consent_id',
    state: 't.status',
    scheduleOf: 't.schedule_id',
    countsFrom: `CASE WHEN t.status IN ('pending', 'authorising') THEN t.link_expires_at END`,
  },
];

interface Old extends Subject {
  state: string;
  since: Temporal.Instant;
}

/**
 * Returns the rows that have not changed for longer than their state's limit, by the audit trail, and those in a state that has
 * no line.
 */
function findOld(tx: Tx, now: Temporal.Instant, read: Read, subjects: readonly Subject[]) {
  const { table, id, state, scheduleOf, lives, countsFrom = 'NULL::timestamptz' } = read;
  const lines = LIVES.filter(({ noun }) => noun === lives);
  const sameSchedule =
    scheduleOf === null ? 'c.schedule_id IS NULL' : 'c.schedule_id = r.schedule_id';
  return tx.rows<Old>(
    `WITH scope AS (SELECT * FROM unnest($1::text[], $2::text[]) AS k (merchant_id, id)),
       lines AS (SELECT * FROM unnest($4::text[], $5::float8[]) AS l (state, seconds))
     SELECT r.merchant_id AS merchant_id, r.id, r.state, greatest(e.since, r.counts_from) AS since FROM (
       SELECT t.merchant_id, t.${id} AS id, ${state} AS state, ${scheduleOf ?? 'NULL'} AS schedule_id,
         ${countsFrom} AS counts_from
       FROM scope k JOIN ${table} t ON t.merchant_id = k.merchant_id AND t.${id} = k.id OFFSET 0) r
     LEFT JOIN lines l ON l.state = r.state
     CROSS JOIN LATERAL (SELECT max(c.at) AS since FROM state_changes c
       WHERE c.merchant_id = r.merchant_id AND c.object_id = r.id AND ${sameSchedule}
         AND (l.state IS NULL OR l.seconds IS NOT NULL)) e
     WHERE l.state IS NULL
       OR (l.seconds IS NOT NULL
         AND greatest(e.since, r.counts_from) <= $3::timestamptz - (l.seconds + ${GRACE_HOURS} * 3600) * interval '1 second')`,
    [
      ...columns(subjects, 'merchantId', 'id'),
      now,
      lines.map((line) => line.state),
      lines.map(({ limit }) => (limit === null ? null : limit.total('seconds'))),
    ],
  );
}

/** Returns which of these are on a list that a person sees, as `<merchant> <id>`. */
async function findSeen(
  tx: Tx,
  now: Temporal.Instant,
  lives: string,
  old: readonly Subject[],
): Promise<Set<string>> {
  if (lives !== 'payments') return findOverdueAmong(tx, now, lives, old);
  const seen = new Set<string>();
  for (const [merchantId, some] of Map.groupBy(old, (one) => one.merchantId)) {
    const ids = some.map(({ id }) => id);
    const waiting = await findWaiting(tx, now, merchantId, ids);
    for (const id of waiting.keys()) seen.add(`${merchantId} ${id}`);
  }
  return seen;
}

const partOf = (read: Read): Part => ({
  noun: read.noun,
  async broken(tx, subjects, now): Promise<Breach[]> {
    if (now === null) return [];
    const old = await findOld(tx, now, read, subjects);
    if (old.length === 0) return [];
    const seen = await findSeen(tx, now, read.lives, old);
    return old
      .filter(({ merchantId, id }) => !seen.has(`${merchantId} ${id}`))
      .map((one) => ({
        merchantId: one.merchantId,
        id: one.id,
        what: `${one.merchantId} ${one.id} is ${one.state} since ${one.since}, and on no list`,
      }));
  },
});

/** Whatever is not over is on a list once it is older than its limit: `lives.ts` says how old each state may be. */
export const NOTHING_UNSEEN: Law = {
  name: 'nothing-waits-unseen',
  sentence:
    'Nothing that is not over is older than its limit without being on a list that a person sees.',
  parts: READS.map(partOf),
};
