import { RECHECK_WHILE_HELD } from '../merchants/holds/hold.ts';
import { blockNewHolds, findHeld } from '../merchants/holds/hold-store.ts';
import { columns } from '../platform/db/columns.ts';
import type { Tx } from '../platform/db/db.ts';
import { nextChangeId } from '../platform/state/audit-trail.ts';
import { type Clock, momentIn } from '../platform/time/clock.ts';
import { opaque } from '../platform/values/opaque.ts';
import type { SettlementRow } from './store.ts';

/**
 * Records that pay-outs are about to be ordered, and returns those that may be: docs/rules/holds.md#nothing-is-sent-while-held.
 * Those of merchants whose pay-outs are held wait; those that another process has claimed are left to it.
 */
export async function noteOrdered(
  tx: Tx,
  clock: Clock,
  rows: readonly SettlementRow[],
): Promise<SettlementRow[]> {
  if (rows.length === 0) return [];
  await blockNewHolds(tx);
  const merchantIds = rows.map((row) => row.merchantId);
  const [now, held, sequence] = await Promise.all([
    momentIn(clock, tx),
    findHeld(tx, 'pay_outs', merchantIds),
    nextChangeId(tx),
  ]);
  const { waiting = [], going = [] } = Object.groupBy(rows, ({ merchantId: id }) =>
    held.has(id) ? 'waiting' : 'going',
  );
  const [noted] = await Promise.all([
    tx.rows<{ settlementId: string }>(
      `UPDATE settlements s SET ordered_at = $4, order_sequence = $5
       ${CLAIMED} RETURNING s.settlement_id`,
      [...columns(going, 'merchantId', 'settlementId', 'polls'), now, sequence],
    ),
    tx.run(`UPDATE settlements s SET due_at = $4 ${CLAIMED}`, [
      ...columns(waiting, 'merchantId', 'settlementId', 'polls'),
      now.add(RECHECK_WHILE_HELD),
    ]),
  ]);
  const ids = new Set(noted.map((row) => row.settlementId));
  return going.filter((row) => ids.has(row.settlementId));
}

const CLAIMED = `FROM unnest($1::text[], $2::text[], $3::int[]) AS k (merchant_id, settlement_id, polls)
  WHERE s.merchant_id = k.merchant_id AND s.settlement_id = k.settlement_id
    AND ${opaque("s.polls = k.polls AND s.stage = 'pay'")}`;

/** Makes these merchants' pay-outs due that waited for the end of a hold. */
export async function resumePayOuts(
  tx: Tx,
  now: Temporal.Instant,
  merchantIds: readonly string[],
): Promise<void> {
  await tx.run(
    `UPDATE settlements SET due_at = $2 WHERE merchant_id = ANY ($1::text[]) AND stage = 'pay' AND due_at > $2`,
    [merchantIds, now],
  );
}
