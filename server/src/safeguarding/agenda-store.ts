import type { Tx } from '../platform/db/db.ts';

/** Claims the check that is due: nobody else makes it until `leaseEnd`. Returns false: nothing is due. */
export async function claimDueCheck(
  tx: Tx,
  now: Temporal.Instant,
  leaseEnd: Temporal.Instant,
): Promise<boolean> {
  const row = await tx.row<object>(
    'SELECT FROM safeguarding_agenda WHERE only_one AND due_at <= $1 FOR UPDATE SKIP LOCKED',
    [now],
  );
  if (row !== null) await setNextCheck(tx, leaseEnd);
  return row !== null;
}

/** Sets when to check next. */
export async function setNextCheck(tx: Tx, at: Temporal.Instant): Promise<void> {
  await tx.run('UPDATE safeguarding_agenda SET due_at = $1 WHERE only_one', [at]);
}

/** Returns the first day that is looked after; `today`, from now on, if none was yet. */
export async function firstDay(tx: Tx, today: Temporal.PlainDate): Promise<Temporal.PlainDate> {
  const row = await tx.row<{ since: Temporal.PlainDate }>(
    'UPDATE safeguarding_agenda SET since = coalesce(since, $1) WHERE only_one RETURNING since',
    [today],
  );
  return row?.since ?? today;
}

/** Returns since which day the safeguarding day is kept; null: since none. */
export async function findFirstDay(tx: Tx): Promise<Temporal.PlainDate | null> {
  const row = await tx.row<{ since: Temporal.PlainDate | null }>(
    'SELECT since FROM safeguarding_agenda WHERE only_one',
  );
  return row?.since ?? null;
}

/** Forgets since when the safeguarding day is kept: it begins again with the next look that keeps it. */
export async function forgetFirstDay(tx: Tx): Promise<void> {
  await tx.run('UPDATE safeguarding_agenda SET since = NULL WHERE only_one');
}

/** Lets one answer after the other be recorded, until the transaction ends. */
export async function lockAnswers(tx: Tx): Promise<void> {
  await tx.run('SELECT FROM safeguarding_agenda WHERE only_one FOR UPDATE');
}
