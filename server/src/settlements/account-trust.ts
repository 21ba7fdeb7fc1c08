import type { Asked } from '../platform/platform.ts';
import { recordChanges } from '../platform/state/audit-trail.ts';
import { destinationOfRow, type SettlementDeps } from './destination.ts';
import { clearDoubts, lockDoubted } from './return-store.ts';
import type { SettlementRow } from './store.ts';

/**
 * Whether pay-outs to the merchant's account are on hold: one came back, and the account was not confirmed since. Changing
 * the account lifts the hold.
 */
export async function isAccountDoubted(deps: SettlementDeps, asked: Asked): Promise<boolean> {
  const { tx, merchantId } = asked;
  const doubted = await lockDoubted(tx, merchantId);
  if (doubted.length === 0) return false;
  const account = await deps.destinationOf(tx, merchantId);
  const isSame = (row: SettlementRow): boolean => {
    const { sortCode, accountNumber } = destinationOfRow(deps.platform, row);
    return sortCode === account.sortCode && accountNumber === account.accountNumber;
  };
  if (doubted.some(isSame)) return true;
  await trustAccount(asked, 'the settlement account was changed');
  return false;
}

/** Resumes a merchant's pay-outs after one came back: the account was confirmed. Returns false if none waits. */
export async function confirmDoubtedAccount(asked: Asked, reason: string): Promise<boolean> {
  if ((await lockDoubted(asked.tx, asked.merchantId)).length === 0) return false;
  await trustAccount(asked, reason);
  return true;
}

async function trustAccount({ tx, now, merchantId }: Asked, reason: string): Promise<void> {
  await clearDoubts(tx, merchantId);
  const change = { merchantId, objectId: merchantId, scheduleId: null };
  await recordChanges(tx, now, [
    { ...change, from: 'account_doubted', to: 'account_confirmed', reason },
  ]);
}
