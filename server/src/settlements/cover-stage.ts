import type { Tx } from '../platform/db/db.ts';
import { isDatabaseFailure } from '../platform/db/isolate-failures.ts';
import { claim, earliestDue } from '../platform/engine/claim.ts';
import type { Stage } from '../platform/engine/stage.ts';
import { afterJitter } from '../platform/network/backoff.ts';
import { mapInParallel } from '../platform/network/concurrency-limits.ts';
import type { Platform } from '../platform/platform.ts';
import { recordChanges } from '../platform/state/audit-trail.ts';
import type { Issuer, Movement } from '../wallets/issuer.ts';
import { IN_SETTLEMENT, OWED, post } from '../wallets/ledger-store.ts';
import { orderTransfers } from '../wallets/orders.ts';
import { COVER_COLUMNS, type CoverRow, letCoverWait, markCovered } from './debt-store.ts';
import type { SettlementDeps } from './destination.ts';

const LEASE_MS = 180_000;
const CONCURRENCY = 16;
const WAIT_SECONDS = 60;
const WAIT_AFTER_FAILURE_SECONDS = 1800;
/** A database that was restored may have ordered the cover days before it learns of the recall again: it is looked up first. */
const LOST_FOR = Temporal.Duration.from({ hours: 7 * 24 });

/** Returns the issuer's idempotency key of a try at covering a debt. */
const keyOf = (row: CoverRow): string => `${row.debtId}-c${row.tries}`;

/** Transfers what was netted for recalled pay-ins to the issuer, which has paid for them. */
export function coverDebtsStage(deps: SettlementDeps, issuer: Issuer): Stage {
  const { platform } = deps;
  return {
    name: 'settlements.cover',
    batch: 50,
    ...earliestDue('debts'),
    async run(now, limit) {
      const rows = await platform.db.transaction((tx) =>
        claim<CoverRow>(tx, now, LEASE_MS, limit, {
          table: 'debts',
          key: ['merchant_id', 'debt_id'],
          returning: COVER_COLUMNS,
        }),
      );
      await mapInParallel(rows, CONCURRENCY, async (row) => {
        const movement = await orderOrNull(deps, issuer, row);
        const at = platform.clock.now();
        await platform.db
          .transaction((tx) => recordCover(deps, tx, at, row, movement))
          .catch((error: unknown) => {
            if (isDatabaseFailure(error)) throw error;
            const about = { debt_id: row.debtId, err: error };
            platform.log.report('settlement.cover_not_recorded', about);
          });
      });
      return rows.length;
    },
  };
}

/** Orders the transfer. Null: the outcome is unknown, and the order is retried under the same key. */
async function orderOrNull(
  deps: SettlementDeps,
  issuer: Issuer,
  row: CoverRow,
): Promise<Movement | null> {
  const { platform } = deps;
  try {
    const from = await walletOf(deps, row);
    if (from === null) return null;
    const order = {
      idempotencyKey: keyOf(row),
      fromIssuerWalletId: from,
      toIssuerWalletId: row.issuerAccount,
      amountPence: row.amountPence,
      reference: row.debtId,
    };
    const made = await orderTransfers(issuer, platform.clock.now(), [
      { order, firstAt: row.nettedAt.subtract(LOST_FOR) },
    ]);
    return made.get(order.idempotencyKey) ?? null;
  } catch (error) {
    platform.log.report('settlement.cover_unknown', { debt_id: row.debtId, err: error });
    return null;
  }
}

/** Returns the issuer's id of the wallet that the money comes from; null: it is not open. */
async function walletOf(deps: SettlementDeps, row: CoverRow): Promise<string | null> {
  if (row.walletId !== null) return row.issuerWalletId;
  const { db } = deps.platform;
  return (await db.read((tx) => deps.merchantWallet(tx, row.merchantId))).issuerWalletId;
}

async function recordCover(
  { platform }: SettlementDeps,
  tx: Tx,
  now: Temporal.Instant,
  row: CoverRow,
  movement: Movement | null,
): Promise<void> {
  if (movement?.status !== 'settled') {
    const hasFailed = movement?.status === 'failed';
    const seconds = hasFailed ? WAIT_AFTER_FAILURE_SECONDS : WAIT_SECONDS;
    return letCoverWait(tx, row, afterJitter(now, seconds, keyOf(row)), hasFailed);
  }
  await recordCovered(platform, tx, now, row, 'the issuer has the money');
}

/** Records that the issuer has its cover of a debt. Returns false if it had it before. */
export async function recordCovered(
  platform: Platform,
  tx: Tx,
  now: Temporal.Instant,
  row: CoverRow,
  reason: string,
): Promise<boolean> {
  if (!(await markCovered(tx, row, now))) return false;
  const { merchantId, debtId, amountPence } = row;
  await post({ platform, tx, now }, [
    {
      merchantId,
      kind: 'cover',
      debit: IN_SETTLEMENT,
      credit: OWED,
      amountPence,
      sourceId: debtId,
    },
  ]);
  await recordChanges(tx, now, [
    { merchantId, objectId: debtId, scheduleId: null, from: 'netted', to: 'covered', reason },
  ]);
  return true;
}
