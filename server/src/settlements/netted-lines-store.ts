import {
  postponeCameBack,
  releaseCameBack,
  settleCameBack,
} from '../payments/books/unallocated-lines-store.ts';
import type { Tx } from '../platform/db/db.ts';
import { netRefunds, postponeRefunds, releaseRefunds, sumRefunds } from '../refunds/lines-store.ts';
import { type CreditLine, fitting } from './netted-lines.ts';

/** What refunds take from a settlement, and what it gives back, and from where: docs/rules/settlements.md#what-is-netted. */
export interface Netted {
  /** What refunds take less what is given back, in pence. */
  pence: number;
  back: readonly CreditLine[];
}

/** More than these wait for the settlement of a later part or day. */
const MAX_LINES = 5_000;

/**
 * Chooses what a settlement nets: every refund, and what is given back, the oldest first, as far as it exceeds the refunds by
 * no more than `roomPence`.
 */
export async function chooseNetted(tx: Tx, merchantId: string, roomPence: number): Promise<Netted> {
  const takenPence = await sumRefunds(tx, merchantId);
  const lines = await tx.rows<CreditLine>(
    `SELECT kind, id, pence FROM (
       SELECT 'refund_back' AS kind, refund_id AS id, -amount_pence AS pence, settle_at FROM refund_lines
       WHERE merchant_id = $1 AND settlement_id IS NULL AND kind = 'refund_back'
       UNION ALL
       SELECT 'came_back', item_id, amount_pence, settle_at FROM came_back_lines
       WHERE merchant_id = $1 AND settlement_id IS NULL) l
     ORDER BY settle_at, id LIMIT ${MAX_LINES}`,
    [merchantId],
  );
  const back = fitting(lines, roomPence + takenPence);
  return { pence: takenPence - back.reduce((sum, { pence }) => sum + pence, 0), back };
}

/** Nets what was chosen. */
export async function net(
  tx: Tx,
  merchantId: string,
  settlementId: string,
  { back }: Netted,
): Promise<void> {
  const idsOf = (kind: CreditLine['kind']): string[] =>
    back.filter((line) => line.kind === kind).map(({ id }) => id);
  await netRefunds(tx, merchantId, settlementId, idsOf('refund_back'));
  await settleCameBack(tx, merchantId, settlementId, idsOf('came_back'));
}

/** Releases what settlements have netted for a later one. */
export async function releaseNetted(
  tx: Tx,
  merchantId: string,
  settlementIds: readonly string[],
): Promise<void> {
  await releaseRefunds(tx, merchantId, settlementIds);
  await releaseCameBack(tx, merchantId, settlementIds);
}

/** Puts off what is due to be given back to `until`. */
export async function postponeNetted(
  tx: Tx,
  merchantId: string,
  now: Temporal.Instant,
  until: Temporal.Instant,
): Promise<void> {
  await postponeRefunds(tx, merchantId, now, until);
  await postponeCameBack(tx, merchantId, now, until);
}
