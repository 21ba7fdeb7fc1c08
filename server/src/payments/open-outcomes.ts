import type { Tx } from '../platform/db.ts';
import { unguessed } from '../platform/unguessed.ts';
import { ATTEMPTS, refs, STILL_THERE } from './learned-sql.ts';
import type { StopCode } from './order-decision.ts';
import { takeBack } from './order-store.ts';
import { askAgainAt, type Learned } from './payment.ts';

/** Outcomes that end nothing: the bank is asked again, or sent the order that never left. */

/** Never taken for a failure: the same attempt is asked again under the same key. */
export async function recordUnknown(
  tx: Tx,
  now: Temporal.Instant,
  learned: readonly Learned[],
): Promise<void> {
  if (learned.length === 0) return;
  const rows = await tx.rows<AskedRow>(
    `SELECT p.merchant_id, p.payment_id, p.polls FROM payments p JOIN ${ATTEMPTS} AS l (merchant_id, payment_id, attempt)
     ON ${STILL_THERE}`,
    refs(learned),
  );
  const outcomes = new Map(learned.map((l) => [l.ref.paymentId, l.outcome]));
  await setDue(tx, rows, (row) => {
    const outcome = outcomes.get(row.payment_id);
    if (outcome?.kind !== 'unknown') return now;
    const { notBefore, notAfter } = outcome;
    const at = restedAt(now, row, notBefore);
    return notAfter !== undefined && Temporal.Instant.compare(notAfter, at) < 0 ? notAfter : at;
  });
}

/** When it is asked again; where the bank asked for rest, after that, and not for everybody at its end. */
function restedAt(
  now: Temporal.Instant,
  row: AskedRow,
  rest: Temporal.Instant | null,
): Temporal.Instant {
  const at = askAgainAt(now, row.polls, row.payment_id);
  if (rest === null || Temporal.Instant.compare(at, rest) > 0) return at;
  return askAgainAt(rest, 1, row.payment_id);
}

/** The order is not with the bank: it is sent again later, after every check; one that a no has met since ends at once. */
export async function recordNotSent(
  tx: Tx,
  now: Temporal.Instant,
  learned: readonly Learned[],
): Promise<void> {
  if (learned.length === 0) return;
  await takeBack(tx, now, learned);
  const rows = await tx.rows<AskedRow & { stopped_by: StopCode | null }>(
    `SELECT p.merchant_id, p.payment_id, p.polls, p.stopped_by FROM payments p
     JOIN unnest($1::text[], $2::text[], $3::int[], $4::int[]) AS l (merchant_id, payment_id, attempt, call)
       ON ${STILL_THERE} AND ${unguessed("p.stage = 'submit' AND p.polls = l.call")}`,
    [...refs(learned), learned.map(({ outcome }) => ('call' in outcome ? outcome.call : null))],
  );
  const outcomes = new Map(learned.map((l) => [l.ref.paymentId, l.outcome]));
  await setDue(tx, rows, (row) => {
    const outcome = outcomes.get(row.payment_id);
    if (outcome?.kind !== 'not_sent' || row.stopped_by !== null) return now;
    return restedAt(now, row, outcome.notBefore);
  });
}

/** A payment whose bank is asked again. */
export interface AskedRow {
  merchant_id: string;
  payment_id: string;
  polls: number;
}

/** Sets when each payment is looked at next. */
export async function setDue<R extends AskedRow>(
  tx: Tx,
  rows: readonly R[],
  when: (row: R) => Temporal.Instant,
): Promise<void> {
  if (rows.length === 0) return;
  await tx.run(
    `UPDATE payments p SET due_at = n.due_at
     FROM unnest($1::text[], $2::text[], $3::timestamptz[]) AS n (merchant_id, payment_id, due_at)
     WHERE p.merchant_id = n.merchant_id AND p.payment_id = n.payment_id`,
    [rows.map((r) => r.merchant_id), rows.map((r) => r.payment_id), rows.map(when)],
  );
}
