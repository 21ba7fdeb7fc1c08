import type { Tx } from '../../platform/db/db.ts';
import type { Platform, Work } from '../../platform/platform.ts';
import { recordChanges } from '../../platform/state/audit-trail.ts';
import { findPerson } from '../../platform/two-people/let-in-store.ts';
import type { Issuer } from '../../wallets/issuer.ts';
import { lockInSettlement, OUTSIDE, post, UNALLOCATED } from '../../wallets/ledger-store.ts';
import { findMerchantWallet, heldInWallet, lockWallet } from '../../wallets/store.ts';
import { forgetLate } from '../books/candidate-store.ts';
import { moveToRetryOrFailed } from '../books/payment-store.ts';
import { findInTransfer, lockReceiving } from '../books/queue-store.ts';
import { findPayment } from '../books/read-store.ts';
import { insertCameBackLine } from '../books/unallocated-lines-store.ts';
import {
  type Ended,
  findItem,
  type ItemRow,
  lockItem,
  lowerAmount,
  propose,
  stillDecides,
} from '../books/unallocated-store.ts';
import { type Arrived, addItem, payFromItem, recordEnd } from '../outcomes/record-item.ts';
import type { Receiving } from '../payment/payment.ts';
import {
  attemptFor,
  type Decision,
  NO_PAYMENT,
  PAID_BY_HAND,
  type Ruling,
  rule,
} from '../payment/unallocated-item.ts';

/** An operator's request contradicts the books, the bank or the issuer; the message says how. */
export class OperatorRefusal extends Error {
  override readonly name = 'OperatorRefusal';
}

export interface EndDeps {
  platform: Platform;
  issuer: Issuer;
}

/** The result of a decision: carried out, or waiting for a second person. */
export interface Decided {
  kind: 'done' | 'waits';
  item: ItemRow;
}

/**
 * Ends an item of the unallocated list by an operator's decision: allocated to a payment, accepted in part, returned to the
 * payer, paid on by hand, or credited to the merchant whose own wallet it is in. What was paid on settles the payment that it
 * may belong to, or that the decision names: that payment is collected no more. Above `FOUR_EYES_ABOVE_PENCE` the first decision
 * is stored, and carried out when a second person makes the same one. `id` is the item's, or the issuer's id of the movement.
 * Throws `OperatorRefusal` if the books or the issuer disagree.
 */
export async function endUnallocated(
  deps: EndDeps,
  id: string,
  decision: Decision,
): Promise<Decided> {
  const { platform, issuer } = deps;
  const asked = await platform.db.read((tx) => findItem(tx, id));
  if (asked === null) throw new OperatorRefusal(`there is no unallocated money ${id}`);
  await platform.db.read((tx) => rulingOf(platform, tx, asked, decision));
  const leaves = decision.end === 'returned' || decision.end === 'paid_on';
  const seen = leaves ? await seenAtIssuer(platform, issuer, asked) : null;
  return platform.db.transaction(async (tx) => {
    if (decision.end === 'credited') await lockInSettlement(tx, asked.merchantId);
    await lockWallet(tx, asked.merchantId, asked.walletId);
    const row = await lockPaymentOf(tx, asked, decision);
    const item = await lockItem(tx, asked.merchantId, asked.itemId);
    if (item === null) throw new Error(`the item ${asked.itemId} is gone`);
    const ruling = await rulingOf(platform, tx, item, decision);
    if (seen !== null) await checkGone(tx, item, seen);
    else if (row !== null) {
      if (row.paymentId !== item.paymentId) await checkFree(tx, item);
      attemptOf(item, row, decision);
    }
    if (decision.end === 'paid_on' && row !== null) checkSettles(item, row);
    const now = platform.clock.now();
    if (ruling.kind === 'waits') {
      await storeProposal(tx, now, item, decision);
      return { kind: 'waits', item };
    }
    const work = { platform, tx, now };
    await carryOut(work, item, row, decision);
    await forgetLate(tx, item.merchantId, item.movementId);
    await recordEnd(work, item, {
      status: decision.end,
      by: ruling.firstBy ?? decision.by,
      confirmedBy: ruling.firstBy === null ? null : decision.by,
      reason: decision.reason,
      paid: paidOf(item, row, decision),
    });
    return { kind: 'done', item };
  });
}

/** Locks the payment that a decision is about: the one it names, or that money paid on may belong to. Null: none. */
async function lockPaymentOf(
  tx: Tx,
  item: ItemRow,
  { end, paymentId }: Decision,
): Promise<Receiving | null> {
  if (paymentId === NO_PAYMENT) return null;
  if (paymentId !== null) return lockReceiver(tx, item, paymentId);
  if (end !== 'paid_on' || item.paymentId === null) return null;
  return lockReceiving(tx, item.merchantId, item.paymentId);
}

/** Books what was decided. */
async function carryOut(
  work: Work,
  item: ItemRow,
  row: Receiving | null,
  decision: Decision,
): Promise<void> {
  if (decision.end === 'credited') return credit(work, item);
  if (decision.end === 'paid_on' || decision.end === 'returned') {
    await bookReturn(work, item);
    if (decision.end === 'paid_on' && row !== null) await stopSettled(work, row);
    return;
  }
  if (row === null) throw new Error(`money that is ${decision.end} goes to a payment`);
  await applyToPayment(work, item, row, decision);
}

/** Returns what the item says that it paid for; null keeps the guess. */
function paidOf(item: ItemRow, row: Receiving | null, decision: Decision): Ended['paid'] {
  if (decision.paymentId === NO_PAYMENT) return 'none';
  if (decision.paymentId === null || row === null) return null;
  const attempt = decision.end === 'paid_on' ? row.attempt : attemptOf(item, row, decision);
  return { scheduleId: row.scheduleId, paymentId: row.paymentId, attempt };
}

/** Money paid on settles a payment that waits or has failed; one under way is named only once it has ended. */
function checkSettles(item: ItemRow, row: Receiving): void {
  if (row.paymentId === item.paymentId) return;
  if (row.status === 'success')
    throw new OperatorRefusal(`the payment ${row.paymentId} is paid already`);
  if (row.status === 'processing')
    throw new OperatorRefusal(
      `the payment ${row.paymentId} is under way: wait for its end, or end the payment first`,
    );
}

/** Ends a payment that waits for a retry: it is settled. One under way is not retried after its end. */
async function stopSettled(work: Work, row: Receiving): Promise<void> {
  if (row.status !== 'pending') return;
  const retry = { none: 'stopped' as const };
  await moveToRetryOrFailed(work, [{ row, failure: PAID_BY_HAND, retry }], 'pending');
}

/** Adds the money to the merchant's balance: it lies in the merchant's own wallet, and goes out with a settlement. */
async function credit({ platform, tx, now }: Work, item: ItemRow): Promise<void> {
  const { merchantId, itemId, amountPence } = item;
  const own = await findMerchantWallet(tx, merchantId);
  if (own?.walletId !== item.walletId)
    throw new OperatorRefusal(
      "the money lies in a customer's wallet: apply it to a payment, return it, or pay it on",
    );
  const move = { debit: UNALLOCATED, credit: item.walletId, amountPence, sourceId: itemId };
  await post({ platform, tx, now }, [{ merchantId, kind: 'allocate', ...move }]);
  await insertCameBackLine(tx, { merchantId, itemId, amountPence }, now);
}

type Allowed = Exclude<Ruling, { kind: 'refused' }>;

async function rulingOf(
  { config, clock }: Platform,
  tx: Tx,
  item: ItemRow,
  decision: Decision,
): Promise<Allowed> {
  const { status, proposed } = item;
  const facts = { status, proposed, amountPence: item.amountPence, paymentId: item.paymentId };
  const person = await findPerson(tx, { id: decision.byId, name: decision.by });
  const proposer =
    proposed?.byId === undefined || !(await stillDecides(tx, proposed.byId))
      ? null
      : await findPerson(tx, { id: proposed.byId, name: proposed.by });
  const deciders = { person, proposer, now: clock.now() };
  const ruling = rule(facts, decision, config.fourEyesAbovePence, deciders);
  if (ruling.kind === 'refused') throw new OperatorRefusal(ruling.why);
  return ruling;
}

async function storeProposal(
  tx: Tx,
  now: Temporal.Instant,
  item: ItemRow,
  decision: Decision,
): Promise<void> {
  await propose(tx, item, { ...decision, at: now.toString() });
  await recordChanges(tx, now, [
    {
      merchantId: item.merchantId,
      objectId: item.itemId,
      scheduleId: item.scheduleId,
      from: 'open',
      to: 'open',
      reason: `${decision.by} would have it ${decision.end.replaceAll('_', ' ')}: ${decision.reason}`,
    },
  ]);
}

async function lockReceiver(tx: Tx, item: ItemRow, paymentId: string): Promise<Receiving> {
  const row = await lockReceiving(tx, item.merchantId, paymentId);
  if (row === null) throw new OperatorRefusal(`the merchant has no payment ${paymentId}`);
  return row;
}

/** Returns the attempt to which the money is booked. */
function attemptOf(item: ItemRow, row: Receiving, { end }: Decision): number {
  if (end !== 'allocated' && end !== 'accepted_in_part')
    throw new Error(`money that is ${end} goes to no payment`);
  const found = attemptFor(item, row, end);
  if ('why' in found) throw new OperatorRefusal(found.why);
  return found.attempt;
}

/**
 * Pays the payment with the item's money, up to the payment's amount. If the money is less, the payment's amount is lowered to
 * it; if it is more, the rest becomes a new item.
 */
async function applyToPayment(
  work: Work,
  item: ItemRow,
  row: Receiving,
  decision: Decision,
): Promise<void> {
  const attempt = attemptOf(item, row, decision);
  const late = { attempt, payInId: item.movementId, by: 'person' as const };
  const amountPence = Math.min(item.amountPence, row.amountPence);
  await payFromItem(work, item, row, late, amountPence);
  if (amountPence < row.amountPence) await lowerAmount(work.tx, row, amountPence);
  if (amountPence === item.amountPence) return;
  const rest: Arrived = {
    merchantId: item.merchantId,
    walletId: item.walletId,
    movementId: item.movementId,
    amountPence: item.amountPence - amountPence,
    endToEndId: item.endToEndId,
    at: item.arrivedAt,
    payer: item.payer,
  };
  const { scheduleId, paymentId } = row;
  const guess = { scheduleId, paymentId, attempt };
  await addItem(work, { ...rest, partOf: item.itemId }, { reason: 'left_over', guess });
}

/** Books that the money has left the wallet at the issuer. */
async function bookReturn(work: Work, item: ItemRow): Promise<void> {
  await post(work, [
    {
      merchantId: item.merchantId,
      kind: 'give_back',
      debit: UNALLOCATED,
      credit: OUTSIDE,
      amountPence: item.amountPence,
      sourceId: item.itemId,
    },
  ]);
}

/** The wallet's balance at the issuer, and in our books before we asked the issuer. */
interface WalletBalances {
  atIssuer: number;
  inBooks: number;
}

async function seenAtIssuer(
  platform: Platform,
  issuer: Issuer,
  item: ItemRow,
): Promise<WalletBalances> {
  const held = await platform.db.read((tx) => heldInWallet(tx, item.merchantId, item.walletId));
  if (held === null || held.issuerWalletId === null)
    throw new OperatorRefusal(`the issuer has no wallet ${item.walletId}`);
  try {
    const { balancePence } = await issuer.readWallet(held.issuerWalletId);
    return { atIssuer: balancePence, inBooks: held.pence };
  } catch (cause) {
    throw new OperatorRefusal('the issuer does not tell what the wallet holds: try again later', {
      cause,
    });
  }
}

/**
 * Compares the issuer's balance with our books as they were before we asked and as they are after: money may come and go
 * meanwhile.
 */
async function checkGone(
  tx: Tx,
  item: ItemRow,
  { atIssuer, inBooks }: WalletBalances,
): Promise<void> {
  await checkFree(tx, item);
  const held = await heldInWallet(tx, item.merchantId, item.walletId);
  if (held?.pence !== inBooks)
    throw new OperatorRefusal('our ledger has changed while the issuer was asked: try again');
  if (atIssuer > inBooks - item.amountPence)
    throw new OperatorRefusal(
      `the issuer holds ${atIssuer} pence in the wallet, our ledger ${inBooks}: the money has not gone back`,
    );
  const busy = await findInTransfer(tx, item.merchantId, item.walletId);
  if (busy !== null)
    throw new OperatorRefusal(`money of the payment ${busy} is on its way: try again later`);
}

/** Money of a failed attempt may still pay for the payment, if the later attempt fails too. */
async function checkFree(tx: Tx, item: ItemRow): Promise<void> {
  if (item.reason !== 'later_attempt' || item.paymentId === null) return;
  const payment = await findPayment(tx, item.merchantId, item.paymentId);
  if (payment?.status === 'processing' || payment?.status === 'pending')
    throw new OperatorRefusal(
      `the payment ${item.paymentId} is ${payment.status} and may be paid by it: wait for its end`,
    );
}
