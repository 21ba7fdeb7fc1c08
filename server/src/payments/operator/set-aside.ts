import type { Tx } from '../../platform/db/db.ts';
import type { Platform } from '../../platform/platform.ts';
import { isAfter, isBefore } from '../../platform/values/instants.ts';
import { errorMessage } from '../../platform/values/thrown.ts';
import { lockAgainstChanges } from '../../schedules/books/due-store.ts';
import type { Issuer } from '../../wallets/issuer.ts';
import { heldInWallet } from '../../wallets/store.ts';
import { moveAttemptToSetAside } from '../books/attempt-store.ts';
import { lockPayments } from '../books/lock-store.ts';
import { moveToSetAside } from '../books/payment-store.ts';
import {
  endTransferKeys,
  findStuck,
  postponeTransfers,
  type StuckTransfer,
} from '../books/transfer-store.ts';
import { setAsideOnList } from '../outcomes/record-item.ts';
import type { PaymentKey } from '../payment/payment.ts';
import { NOT_TRANSFERRED_FOR } from '../payment/retry.ts';
import { TRANSFER_LEASE } from '../stages/transfer.ts';
import { OperatorRefusal } from './decide.ts';

/** An operator's decision about a payment whose money does not get on to the merchant. */
export interface SetAsideDecision {
  by: string;
  reason: string;
  /** What proves that the transfer was not made, where the issuer itself does not say so. */
  evidence?: string;
}

interface Deps {
  platform: Platform;
  issuer: Issuer;
}

const FAILURE = {
  code: 'technical',
  message: 'The money was collected, and could not be transferred to your wallet.',
};

/**
 * Ends a payment whose money has been in the customer's wallet for two hours and cannot be transferred: the payment fails, and
 * its money is an item of the unallocated list, from which it can be applied to the payment again, returned or paid on. The
 * issuer is asked first. Throws `OperatorRefusal`.
 */
export async function setAside(deps: Deps, key: PaymentKey, word: SetAsideDecision): Promise<void> {
  const { platform } = deps;
  const asked = await platform.db.read((tx) => findStuck(tx, key.merchantId, key.paymentId));
  if (asked === null) throw new OperatorRefusal('the money has been transferred meanwhile');
  checkAge(asked, platform.clock.now());
  refuseReturned(asked);
  const isOrdered = await askIssuer(deps, asked, word);
  if (!isOrdered) await waitForCall(platform, asked);
  await platform.db.transaction((tx) => endUnderLock(platform, tx, asked, word));
}

function checkAge({ paidAt }: StuckTransfer, now: Temporal.Instant): void {
  if (isBefore(now, paidAt.add(NOT_TRANSFERRED_FOR)))
    throw new OperatorRefusal(
      `the money came at ${paidAt} and is on its way to the merchant: end it after ${NOT_TRANSFERRED_FOR.hours} hours`,
    );
}

/** Its merchant owes what the payer's bank took back, so that the money is theirs: as an item it would be given back twice. */
function refuseReturned({ returnedPence }: StuckTransfer): void {
  if (returnedPence !== null)
    throw new OperatorRefusal(
      `the payer's bank took ${returnedPence} pence of it back, and the merchant owes them: the issuer has to make the transfer`,
    );
}

/**
 * Refuses where the issuer has made the transfer, and, without evidence, where it may still make it or does not hold the money.
 * Returns whether it has an order that is not over.
 */
async function askIssuer(
  { platform, issuer }: Deps,
  row: StuckTransfer,
  { evidence }: SetAsideDecision,
): Promise<boolean> {
  const found = await ask(platform, issuer, row, evidence !== undefined);
  if (found === null) return false;
  const { statuses, balancePence, heldPence } = found;
  if (statuses.includes('settled'))
    throw new OperatorRefusal('the issuer has made the transfer: it is recorded automatically');
  const isPending = statuses.includes('pending');
  if (evidence !== undefined) return isPending;
  if (isPending)
    throw new OperatorRefusal('the issuer may still make the transfer. Evidence is required');
  if (balancePence < heldPence)
    throw new OperatorRefusal(
      `the issuer holds ${balancePence} pence in the wallet, our ledger ${heldPence}. Evidence is required`,
    );
  return false;
}

/** Null: the issuer does not tell, and there is evidence. */
async function ask(
  { db }: Platform,
  issuer: Issuer,
  row: StuckTransfer,
  hasEvidence: boolean,
): Promise<{ statuses: string[]; balancePence: number; heldPence: number } | null> {
  const { issuerWalletId: wallet, paymentId: reference } = row;
  try {
    const since = row.paidAt.subtract(TRANSFER_LEASE);
    const orders = await issuer.findByReference(wallet, reference, since);
    const { balancePence } = await issuer.readWallet(wallet);
    const held = await db.read((tx) => heldInWallet(tx, row.merchantId, row.walletId));
    const statuses = orders.map(({ status }) => status);
    return { statuses, balancePence, heldPence: held?.pence ?? 0 };
  } catch (cause) {
    if (hasEvidence) return null;
    throw new OperatorRefusal(
      `the issuer does not tell the outcome of the transfer: ${errorMessage(cause)}`,
      { cause },
    );
  }
}

/** A call may be under way that the issuer does not know yet. It is over when the lease of whoever made it is. */
async function waitForCall(platform: Platform, row: StuckTransfer): Promise<void> {
  const now = platform.clock.now();
  const isWaiting = isAfter(row.dueAt, now);
  const isLeased = !isAfter(row.dueAt, now.add(TRANSFER_LEASE));
  if (!isWaiting || !isLeased) return;
  const dueAt = now.add({ minutes: 30 });
  await platform.db.transaction((tx) => postponeTransfers(tx, [{ row, polls: row.polls, dueAt }]));
  throw new OperatorRefusal(
    `the issuer may be asked for the transfer at this moment: try again in ${TRANSFER_LEASE.minutes} minutes`,
  );
}

/** The service may have made the transfer, or have asked for it again, since the issuer was asked. */
async function endUnderLock(
  platform: Platform,
  tx: Tx,
  asked: StuckTransfer,
  { by, reason, evidence }: SetAsideDecision,
): Promise<void> {
  const { merchantId, paymentId, scheduleId } = asked;
  const ref = { merchantId, paymentId, scheduleId, attempt: asked.paidAttempt };
  await lockAgainstChanges(tx, [ref]);
  await lockPayments(tx, [ref]);
  const now = platform.clock.now();
  const row = await findStuck(tx, merchantId, paymentId);
  if (row === null) throw new OperatorRefusal('the money has been transferred meanwhile');
  refuseReturned(row);
  if (row.polls !== asked.polls || !row.dueAt.equals(asked.dueAt))
    throw new OperatorRefusal('the service asked for the transfer at this moment: try again');
  const work = { platform, tx, now };
  const proof = evidence === undefined ? '' : ` (evidence: ${evidence})`;
  await moveToSetAside(work, {
    row: { ...row, manual: false },
    failure: FAILURE,
    reason: `set aside by ${by}: ${reason}${proof}`,
    retry: { none: 'final' },
  });
  await endTransferKeys(tx, row);
  await moveAttemptToSetAside(tx, now, { ref, failure: FAILURE });
  await setAsideOnList(work, {
    merchantId,
    walletId: row.walletId,
    movementId: row.payInId,
    amountPence: row.amountPence,
    at: row.paidAt,
    guess: { scheduleId, paymentId, attempt: row.paidAttempt },
  });
}
