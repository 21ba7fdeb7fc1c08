import type { Tx } from '../platform/db/db.ts';
import { recordChanges } from '../platform/state/audit-trail.ts';
import { lockInSettlement } from '../wallets/ledger-store.ts';
import type { SettlementDeps } from './destination.ts';
import { recordPayOut } from './service.ts';
import { lockSettlement } from './store.ts';

/** Why a settlement failed that an operator ended. */
const NOT_PAID = {
  code: 'given_up',
  message: 'The pay-out was not made: its money goes out with a later settlement.',
};

/**
 * Ends a settlement under way by an operator's word: it is paid out, or it is not. The caller has asked the issuer. Returns false
 * if it has ended, or was asked for again, meanwhile.
 */
export async function endSettlement(
  deps: SettlementDeps,
  { tx, now, merchantId }: { tx: Tx; now: Temporal.Instant; merchantId: string },
  settlementId: string,
  { isPaid, polls, reason }: { isPaid: boolean; polls: number; reason: string },
): Promise<boolean> {
  await lockInSettlement(tx, merchantId);
  const row = await lockSettlement(tx, merchantId, settlementId);
  if (row === null || row.polls !== polls || row.stage === 'carry') return false;
  if (row.status !== 'pending' && row.status !== 'processing') return false;
  const { status } = row;
  const change = { merchantId, objectId: settlementId, scheduleId: null };
  await recordChanges(tx, now, [{ ...change, from: status, to: status, reason }]);
  await recordPayOut(deps, tx, now, row, {
    movementId: row.issuerMovementId,
    status: isPaid ? 'settled' : 'failed',
    amountPence: row.amountPence,
    error: isPaid ? null : NOT_PAID,
  });
  return true;
}
