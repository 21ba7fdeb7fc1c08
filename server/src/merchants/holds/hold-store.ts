import type { Tx } from '../../platform/db/db.ts';
import { lockName } from '../../platform/db/lock-store.ts';
import { nextChangeId } from '../../platform/state/audit-trail.ts';
import { HOLDS_OF_PAY_OUTS, type Hold, type HoldKind, type Holds } from './hold.ts';

const NOT_ENDED = 'ended_at IS NULL';

interface HoldRow {
  kind: HoldKind;
  since: Temporal.Instant;
  givenBy: string;
  reason: string;
  endsAt: Temporal.Instant | null;
}

/** Stands for all holds: they change rarely, and whoever sends money asks for them each time. */
const HOLDS = 'holds';

/**
 * Takes the lock under which holds are given, until the transaction ends. Everything recorded as about to be sent before is
 * committed when it returns; whatever is sent later sees the hold. Take it before any row. The end of a hold needs no lock: who
 * does not see it yet sends nothing.
 */
export const lockHolds = (tx: Tx): Promise<void> => lockName(tx, HOLDS);

/**
 * Lets nobody give a hold until the transaction ends, beside others who do the same. Take it before any row, and read the holds
 * in a later statement.
 */
export async function blockNewHolds(tx: Tx): Promise<void> {
  await tx.run('SELECT pg_advisory_xact_lock_shared(hashtextextended($1, 0))', [HOLDS]);
}

/** Returns the holds of a merchant that stand. */
export async function findHolds(tx: Tx, merchantId: string): Promise<Holds> {
  const rows = await tx.rows<HoldRow>(
    `SELECT kind, since, given_by, reason, ends_at FROM merchant_holds WHERE merchant_id = $1 AND ${NOT_ENDED}`,
    [merchantId],
  );
  return Object.fromEntries(
    rows.map(({ kind, since, givenBy: by, reason, endsAt }) => [
      kind,
      { since, by, reason, endsAt },
    ]),
  );
}

/** Returns those of these merchants that have such a hold; `pay_outs`: any during which no pay-out leaves. */
export async function findHeld(
  tx: Tx,
  kind: 'suspended' | 'pay_outs',
  merchantIds: readonly string[],
): Promise<Set<string>> {
  const kinds = kind === 'pay_outs' ? HOLDS_OF_PAY_OUTS : [kind];
  const rows = await tx.rows<{ merchantId: string }>(
    `SELECT merchant_id FROM merchant_holds
     WHERE merchant_id = ANY ($1::text[]) AND kind = ANY ($2::text[]) AND ${NOT_ENDED}`,
    [[...new Set(merchantIds)], kinds],
  );
  return new Set(rows.map((row) => row.merchantId));
}

/** Counts the holds that stand, by kind. */
export async function countHolds(tx: Tx): Promise<Map<HoldKind, number>> {
  const rows = await tx.rows<{ kind: HoldKind; count: number }>(
    `SELECT kind, count(*) AS count FROM merchant_holds WHERE ${NOT_ENDED} GROUP BY kind`,
  );
  return new Map(rows.map(({ kind, count }) => [kind, count]));
}

/** Inserts a hold. */
export async function insertHold(
  tx: Tx,
  merchantId: string,
  kind: HoldKind,
  { since, by, reason, endsAt }: Hold,
): Promise<void> {
  await tx.run(
    `INSERT INTO merchant_holds (merchant_id, kind, since, given_by, reason, ends_at) VALUES ($1, $2, $3, $4, $5, $6)`,
    [merchantId, kind, since, by, reason, endsAt],
  );
}

/** Sets when a standing hold ends on its own. Returns false if there is none. */
export async function setHoldEnd(
  tx: Tx,
  merchantId: string,
  kind: HoldKind,
  endsAt: Temporal.Instant | null,
): Promise<boolean> {
  const changed = await tx.run(
    `UPDATE merchant_holds SET ends_at = $3 WHERE merchant_id = $1 AND kind = $2 AND ${NOT_ENDED}`,
    [merchantId, kind, endsAt],
  );
  return changed === 1;
}

/** When a hold ends on its own. */
export const HOLD_ENDS = {
  table: 'merchant_holds',
  moment: 'ends_at',
  where: `${NOT_ENDED} AND ends_at IS NOT NULL`,
};

/** Returns the merchants with a hold that ends by now, longest overdue first. */
export function findEndingHolds(
  tx: Tx,
  now: Temporal.Instant,
  limit: number,
): Promise<{ merchantId: string; kind: HoldKind }[]> {
  return tx.rows(
    `SELECT merchant_id AS merchant_id, kind FROM merchant_holds
     WHERE ends_at <= $1 AND ${NOT_ENDED} ORDER BY ends_at LIMIT $2`,
    [now, limit],
  );
}

/** Ends a hold. Returns false if there is none. */
export async function endHoldRow(
  tx: Tx,
  merchantId: string,
  kind: HoldKind,
  end: { at: Temporal.Instant; by: string; reason: string },
): Promise<boolean> {
  const changed = await tx.run(
    `UPDATE merchant_holds SET ended_at = $3, ended_by = $4, end_reason = $5,
       end_sequence = $6 WHERE merchant_id = $1 AND kind = $2 AND ${NOT_ENDED}`,
    [merchantId, kind, end.at, end.by, end.reason, await nextChangeId(tx)],
  );
  return changed === 1;
}

/** Gives such a hold to every merchant that has none. Returns who got it. */
export async function insertHoldForAll(
  tx: Tx,
  kind: HoldKind,
  { since, by, reason }: Omit<Hold, 'endsAt'>,
): Promise<string[]> {
  const rows = await tx.rows<{ merchantId: string }>(
    `INSERT INTO merchant_holds (merchant_id, kind, since, given_by, reason)
     SELECT m.merchant_id, $1, $2, $3, $4 FROM merchants m
     WHERE NOT EXISTS (SELECT FROM merchant_holds h WHERE h.merchant_id = m.merchant_id AND h.kind = $1 AND h.${NOT_ENDED})
     RETURNING merchant_id`,
    [kind, since, by, reason],
  );
  return rows.map((row) => row.merchantId);
}

/** Ends the holds of a kind that were given for this reason. Returns whose they were. */
export async function endHoldsGivenFor(
  tx: Tx,
  kind: HoldKind,
  given: string,
  end: { at: Temporal.Instant; by: string; reason: string },
): Promise<string[]> {
  const rows = await tx.rows<{ merchantId: string }>(
    `UPDATE merchant_holds SET ended_at = $3, ended_by = $4, end_reason = $5,
       end_sequence = $6 WHERE kind = $1 AND reason = $2 AND ${NOT_ENDED} RETURNING merchant_id`,
    [kind, given, end.at, end.by, end.reason, await nextChangeId(tx)],
  );
  return rows.map((row) => row.merchantId);
}
