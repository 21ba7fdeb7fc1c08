import { recordChanges } from '../platform/audit-trail.ts';
import type { Tx } from '../platform/db.ts';
import { destinationOfRow, type SettlementDeps } from './destination.ts';
import { clearDoubts, findDoubted } from './return-store.ts';
import type { SettlementRow } from './store.ts';

/**
 * Whether pay-outs to the merchant's account wait: one came back, and nobody has confirmed the account since. A merchant who
 * has changed it meanwhile waits no longer.
 */
export async function isAccountDoubted(
  deps: SettlementDeps,
  tx: Tx,
  now: Temporal.Instant,
  merchantId: string,
): Promise<boolean> {
  const doubted = await findDoubted(tx, merchantId);
  if (doubted.length === 0) return false;
  const account = await deps.destinationOf(tx, merchantId);
  const isSame = (row: SettlementRow): boolean => {
    const { sortCode, accountNumber } = destinationOfRow(deps.platform, row);
    return sortCode === account.sortCode && accountNumber === account.accountNumber;
  };
  if (doubted.some(isSame)) return true;
  await trustAccount(tx, now, merchantId, 'the settlement account was changed');
  return false;
}

/** Lets a merchant's pay-outs go on where one came back: the account was confirmed. False: none waits. */
export async function trustIfDoubted(
  tx: Tx,
  now: Temporal.Instant,
  merchantId: string,
  reason: string,
): Promise<boolean> {
  if ((await findDoubted(tx, merchantId)).length === 0) return false;
  await trustAccount(tx, now, merchantId, reason);
  return true;
}

async function trustAccount(
  tx: Tx,
  now: Temporal.Instant,
  merchantId: string,
  reason: string,
): Promise<void> {
  await clearDoubts(tx, merchantId);
  const change = { merchantId, objectId: merchantId, scheduleId: null };
  await recordChanges(tx, now, [
    { ...change, from: 'account_doubted', to: 'account_confirmed', reason },
  ]);
}
