import { londonDay } from '../laws/reconciliation/london-day.ts';
import type { Tx } from '../platform/db/db.ts';

/**
 * Claims the check that is due: nobody else makes it before `until`. Returns the first day that is looked after: today if none
 * was yet, and none unless the safeguarding day `isKept`, because the days of a seat that asks for nothing are none that were
 * missed. Returns null if nothing is due.
 */
export async function claimDueCheck(
  tx: Tx,
  now: Temporal.Instant,
  until: Temporal.Instant,
  isKept: boolean,
): Promise<{ since: Temporal.PlainDate | null } | null> {
  return tx.row(
    `UPDATE safeguarding_agenda SET due_at = $2, since = CASE WHEN $3 THEN coalesce(since, $4::date) END
     WHERE only_one AND due_at <= $1 RETURNING since`,
    [now, until, isKept, londonDay(now)],
  );
}

/** Sets when to check next. */
export async function setNextCheck(tx: Tx, at: Temporal.Instant): Promise<void> {
  await tx.run('UPDATE safeguarding_agenda SET due_at = $1 WHERE only_one', [at]);
}

/** Returns since which day the safeguarding day is kept; null: since none. */
export async function findFirstDay(tx: Tx): Promise<Temporal.PlainDate | null> {
  const row = await tx.row<{ since: Temporal.PlainDate | null }>(
    'SELECT since FROM safeguarding_agenda WHERE only_one',
  );
  return row?.since ?? null;
}

/** Lets one answer after the other be recorded, until the transaction ends. */
export async function lockAnswers(tx: Tx): Promise<void> {
  await tx.run('SELECT FROM safeguarding_agenda WHERE only_one FOR UPDATE');
}
