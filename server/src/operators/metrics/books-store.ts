import type { Tx } from '../../platform/db/db.ts';

// Reads of a scrape: each goes along an index, and counts no further than its limit, however much there is.

/** The most rows of a queue that are counted. */
const MAX_COUNTED = 10_000;
/** The most payments of a bank that are looked at for an unknown outcome, those whose next step is nearest; and pay-outs. */
const MAX_EXAMINED = 5_000;
/** An unknown outcome is asked for again at least this often. */
const ASKED_AGAIN_WITHIN = Temporal.Duration.from({ hours: 1 });
/** A call that takes longer has no answer. */
const MAX_CALL_TIME = Temporal.Duration.from({ minutes: 1 });

/** How many rows of a queue wait, and since when the first does. */
export interface Queue {
  count: number;
  oldest: Temporal.Instant | null;
}

const STEPS = { submit: "IN ('wait', 'submit')", track: "= 'track'" } as const;

/** Counts the payments of each bank that are due to be submitted, and to be tracked. */
export async function countDuePayments(
  tx: Tx,
  now: Temporal.Instant,
  banks: Iterable<string>,
): Promise<(Queue & { bank: string; step: string })[]> {
  const all = [...banks].flatMap((bank) =>
    Object.entries(STEPS).map(async ([step, stages]) => {
      const queue = await tx.row<Queue>(
        `SELECT count(*)::int AS count, min(due_at) AS oldest FROM (SELECT due_at FROM payment_work
           WHERE stage ${stages} AND bank_id = $1 AND due_at <= $2 ORDER BY due_at LIMIT ${MAX_COUNTED}) f`,
        [bank, now],
      );
      return { bank, step, count: queue?.count ?? 0, oldest: queue?.oldest ?? null };
    }),
  );
  return Promise.all(all);
}

/** Counts the payments of each bank whose order was sent, and has no answer that proves anything. */
export async function countUnknownPayments(
  tx: Tx,
  now: Temporal.Instant,
  banks: Iterable<string>,
): Promise<(Queue & { bank: string })[]> {
  const all = [...banks].map(async (bank) => {
    const queue = await tx.row<Queue>(
      `SELECT count(*)::int AS count, min(a.sent_at) AS oldest
       FROM (SELECT merchant_id, payment_id, attempt, stage FROM payment_work
         WHERE stage IN ('wait', 'submit') AND bank_id = $1 AND due_at <= $2
         ORDER BY due_at DESC LIMIT ${MAX_EXAMINED}) w
       JOIN attempts a ON a.merchant_id = w.merchant_id AND a.payment_id = w.payment_id AND a.number = w.attempt
       WHERE w.stage = 'submit' AND a.sent_at <= $3`,
      [bank, now.add(ASKED_AGAIN_WITHIN), now.subtract(MAX_CALL_TIME)],
    );
    return { bank, count: queue?.count ?? 0, oldest: queue?.oldest ?? null };
  });
  return Promise.all(all);
}

/** Counts the settlements and refunds that the issuer was asked to pay out, and has not ended; `oldest`: the first order. */
export function countUnknownPayOuts(tx: Tx): Promise<(Queue & { kind: string })[]> {
  const asked = (kind: string, schedule: string): string =>
    `SELECT '${kind}' AS kind, count(*)::int AS count, min(f.since) AS oldest FROM (
       SELECT (SELECT max(c.at) FROM state_changes c WHERE c.merchant_id = p.merchant_id AND c.object_id = p.${kind}_id
           AND c.schedule_id ${schedule} AND c.to_state = 'processing') AS since
       FROM ${kind}s p WHERE p.stage IN ('pay', 'track') AND p.status = 'processing' LIMIT ${MAX_EXAMINED}) f`;
  return tx.rows(
    `${asked('settlement', 'IS NULL')} UNION ALL ${asked('refund', '= p.schedule_id')}`,
  );
}

/** Counts the deliveries that are due, and those that wait for their next try. */
export function countDeliveries(
  tx: Tx,
  now: Temporal.Instant,
): Promise<{ state: string; count: number }[]> {
  const waiting = (state: string, due: string): string =>
    `SELECT '${state}' AS state, count(*)::int AS count FROM
       (SELECT 1 FROM deliveries WHERE due_at ${due} $1 ORDER BY due_at LIMIT ${MAX_COUNTED}) f`;
  return tx.rows(`${waiting('due', '<=')} UNION ALL ${waiting('retry', '>')}`, [now]);
}

/** Sums the open items of the unallocated list. */
export async function sumUnallocated(tx: Tx): Promise<Queue & { pence: number }> {
  const row = await tx.row<Queue & { pence: number }>(
    `SELECT count(*)::int AS count, coalesce(sum(amount_pence), 0)::bigint AS pence, min(opened_at) AS oldest FROM
       (SELECT amount_pence, opened_at FROM unallocated_items WHERE status = 'open' ORDER BY opened_at LIMIT ${MAX_COUNTED}) f`,
  );
  return row ?? { count: 0, pence: 0, oldest: null };
}

/** Lists what the last check of each law found; `holds` null: it could not tell. */
export function listFindings(
  tx: Tx,
): Promise<{ law: string; holds: boolean | null; checkedAt: Temporal.Instant }[]> {
  return tx.rows('SELECT law, holds, checked_at FROM law_findings');
}

/** Counts the open differences with the issuer, over all of its reports. */
export async function countOpenDifferences(tx: Tx, issuer: string): Promise<Queue> {
  const row = await tx.row<Queue>(
    `SELECT count(*)::int AS count, min(found_at) AS oldest FROM (SELECT found_at FROM reconciliation_items
       WHERE issuer = $1 AND resolved_at IS NULL ORDER BY found_at LIMIT ${MAX_COUNTED}) f`,
    [issuer],
  );
  return row ?? { count: 0, oldest: null };
}

/** Returns the report of the latest day; null: there is none. */
export function findLatestReport(
  tx: Tx,
  issuer: string,
): Promise<{ madeAt: Temporal.Instant; isComplete: boolean } | null> {
  return tx.row(
    `SELECT made_at, unknown IS NULL AS is_complete FROM reconciliations
     WHERE issuer = $1 ORDER BY date DESC LIMIT 1`,
    [issuer],
  );
}
