import type { Work } from '../../platform/platform.ts';
import { compareInstants } from '../../platform/values/instants.ts';
import { post } from '../../wallets/ledger-store.ts';
import { findWallet, lockWallet } from '../../wallets/store.ts';
import type { Paid } from '../books/attempt-store.ts';
import {
  type FoundCandidate,
  findBooked,
  findWithSameAmount,
  lockCandidates,
  markLatePayIn,
} from '../books/candidate-store.ts';
import { lockItemOf, nameItem } from '../books/unallocated-store.ts';
import {
  type NamedPayIn,
  payIn,
  recordNamed,
  recordPaid,
  reinstate,
  type Transfers,
} from '../outcomes/paid.ts';
import {
  type Arrived,
  type Guess,
  openItem,
  payFromItem,
  recordEnd,
} from '../outcomes/record-item.ts';
import { type Allocation, allocate } from '../payment/allocation.ts';
import { readInstructionId } from '../payment/payment.ts';

/** Money that arrived in a wallet, as reported by the issuer. */
export type PayInNotice = Arrived;

/**
 * Records the issuer's notices of pay-ins. They are the strongest evidence that an attempt worked, whatever we believed before,
 * because the money is there. Each movement is booked once, whatever reports it, however often and in whatever order. Returns the
 * notices that were not recorded because, in a batch, they are not simply the money of an attempt under way: record each of those
 * alone. `transfers` takes the payments on.
 */
export async function recordPayIns(
  work: Work,
  notices: readonly PayInNotice[],
  transfers?: Transfers,
): Promise<Set<PayInNotice>> {
  const [only, ...others] = notices;
  if (only === undefined) return new Set();
  if (others.length === 0) {
    await recordPayIn(work, only, transfers);
    return new Set();
  }
  const named = await recordNamed(work, namedIn(notices), transfers);
  const rest = notices.filter(({ movementId }) => !named.has(movementId));
  const left = new Set(rest);
  const [booked, candidates] = await Promise.all([
    findBooked(work.tx, rest),
    lockCandidates(work.tx, rest, false),
  ]);
  const paid: Paid[] = [];
  for (const notice of rest.sort(earlierFirst)) {
    if (booked.has(notice.movementId)) continue;
    const found = allocate(notice, ofMerchant(candidates, notice));
    if (found.kind !== 'pays') continue;
    booked.add(notice.movementId);
    found.candidate.paidBy = found.by;
    found.candidate.isUnderWay = false;
    paid.push(toPaid(found, notice));
    left.delete(notice);
  }
  await recordPaid(work, paid, transfers);
  return left;
}

const earlierFirst = (a: PayInNotice, b: PayInNotice): number => compareInstants(a.at, b.at);

/** Returns the earliest money that names each payment, in the order in which rows are locked. */
function namedIn(notices: readonly PayInNotice[]): NamedPayIn[] {
  const byPayment = new Map<string, NamedPayIn>();
  for (const notice of [...notices].sort(earlierFirst)) {
    const { merchantId, movementId, endToEndId, walletId, amountPence } = notice;
    const name = readInstructionId(endToEndId);
    const key = `${merchantId} ${name?.paymentId}`;
    if (name === null || byPayment.has(key)) continue;
    const expected = { walletId, amountPence };
    byPayment.set(key, { ref: { merchantId, ...name }, expected, payInId: movementId });
  }
  return [...byPayment].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}

const ofMerchant = (
  candidates: readonly FoundCandidate[],
  { merchantId }: PayInNotice,
): FoundCandidate[] => candidates.filter(({ row }) => row.merchantId === merchantId);

type Pays = Extract<Allocation<FoundCandidate>, { kind: 'pays' }>;

const toPaid = ({ candidate, by }: Pays, { movementId: payInId }: PayInNotice): Paid => ({
  ref: { ...candidate.row, attempt: candidate.attempt },
  payInId,
  by,
});

/** Records one notice of any kind. The wallet is locked, so that two notices for one wallet do not choose the same attempt. */
export async function recordPayIn(
  work: Work,
  notice: PayInNotice,
  transfers?: Transfers,
): Promise<void> {
  const { merchantId, walletId, movementId } = notice;
  if ((await findWallet(work.tx, merchantId, walletId)) === null) {
    work.platform.log.report('payment.unknown_wallet', {
      movement_id: movementId,
      wallet_id: walletId,
    });
    return;
  }
  await lockWallet(work.tx, merchantId, walletId);
  const candidates = await lockCandidates(work.tx, [notice], true);
  // Asked under the payments' locks: a transaction that this one waited for may have booked the money.
  const isKnown = (await findBooked(work.tx, [notice])).has(movementId);
  if (isKnown && notice.endToEndId === null) return;
  const allocation = allocate(notice, candidates);
  if (isKnown) return nameLater(work, notice, allocation);
  switch (allocation.kind) {
    case 'pays':
      return recordPaid(work, [toPaid(allocation, notice)], transfers);
    case 'reinstates':
      return payLate(work, notice, allocation.candidate);
    case 'unallocated':
      return addToUnallocated(work, notice, allocation, candidates);
  }
}

/** Handles the money of an attempt recorded as failed: books it and resumes the payment. */
async function payLate(
  work: Work,
  { movementId }: PayInNotice,
  { row, attempt }: FoundCandidate,
): Promise<void> {
  await post(work, [payIn(row, movementId, false)]);
  await reinstate(work, row, { attempt, payInId: movementId, by: 'name' }, row.status);
}

async function addToUnallocated(
  work: Work,
  notice: PayInNotice,
  found: Extract<Allocation<FoundCandidate>, { kind: 'unallocated' }>,
  candidates: readonly FoundCandidate[],
): Promise<void> {
  let { reason, guess } = found;
  if (guess === null) {
    const again = allocate(notice, [...candidates, ...(await findWithSameAmount(work.tx, notice))]);
    if (again.kind === 'unallocated') ({ reason, guess } = again);
  }
  await openItem(work, notice, {
    reason,
    guess: guess === null ? null : toGuess(guess),
  });
  if (reason === 'later_attempt' && guess !== null)
    await markLatePayIn(work.tx, { ...guess.row, attempt: guess.attempt }, notice.movementId);
}

const toGuess = ({ row, attempt }: FoundCandidate): Guess => ({ ...row, attempt });

/**
 * Allocates an item on the list by the end-to-end id of a later notice: the first one carried none, or came before a restored
 * database had opened the payment again.
 */
async function nameLater(
  work: Work,
  notice: PayInNotice,
  allocation: Allocation<FoundCandidate>,
): Promise<void> {
  const item = await lockItemOf(work.tx, notice.merchantId, notice.movementId);
  // What could not be transferred waits for a person: its name was known before.
  if (item?.status !== 'open' || item.reason === 'not_transferred') return;
  if (item.endToEndId === null) await nameItem(work.tx, item, { endToEndId: notice.endToEndId });
  else if (item.endToEndId !== notice.endToEndId) return;
  if (allocation.kind === 'unallocated') return;
  if (allocation.kind === 'pays' && allocation.by !== 'name') return;
  const { candidate } = allocation;
  const late = { attempt: candidate.attempt, payInId: notice.movementId, by: 'name' as const };
  await payFromItem(work, item, candidate.row, late);
  await recordEnd(work, item, {
    status: 'allocated',
    by: 'the service',
    confirmedBy: null,
    reason: 'a later notice named the payment',
    paid: toGuess(candidate),
  });
}
