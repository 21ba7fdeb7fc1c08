import type { Platform } from '../../platform/platform.ts';
import type { Issuer, Movement } from '../../wallets/issuer.ts';
import { sealPayer } from '../../wallets/payer.ts';
import { findWallet } from '../../wallets/store.ts';
import { findPayIn } from '../books/attempt-store.ts';
import { findBooked } from '../books/candidate-store.ts';
import type { SubmitRow } from '../payment/attempt.ts';
import { instructionId } from '../payment/payment.ts';
import { type PayInNotice, takePayIn } from './pay-ins.ts';

/** An attempt whose money may have arrived, and in which wallet. */
export interface Awaited {
  merchantId: string;
  walletId: string;
  paymentId: string;
  attempt: number;
  amountPence: number;
  since: Temporal.Instant;
}

/** Returns an attempt as one whose money may have arrived. */
export function toExpectedPayIn(
  attempt: Pick<SubmitRow, 'merchantId' | 'walletId' | 'paymentId' | 'attempts' | 'amountPence'>,
  since: Temporal.Instant,
): Awaited {
  return {
    merchantId: attempt.merchantId,
    walletId: attempt.walletId,
    paymentId: attempt.paymentId,
    attempt: attempt.attempts,
    amountPence: attempt.amountPence,
    since,
  };
}

/** Tolerance for skew between the issuer's clock and ours. */
const BEFORE = Temporal.Duration.from({ minutes: 10 });

/**
 * Records the money that arrived in the attempt's wallet and whose notices were lost, from ten minutes before `since`, as if the
 * notices had come. Returns the attempt's pay-in, or null. Throws what `Issuer.listMovements` throws.
 */
export async function importPayIns(
  platform: Platform,
  issuer: Issuer,
  awaited: Awaited,
): Promise<string | null> {
  await importLostPayIns(platform, issuer, awaited);
  return payInOf(platform, awaited);
}

/**
 * Does the same, and returns whether that changed anything for the attempt. Money that names it and that a person has sent back
 * does not: the attempt must not wait for it for ever.
 */
export async function importLostPayIns(
  platform: Platform,
  issuer: Issuer,
  awaited: Awaited,
): Promise<boolean> {
  const { notices, isNew } = await findNew(platform, issuer, awaited);
  for (const notice of notices)
    await platform.db.transaction((tx) =>
      takePayIn({ platform, tx, now: platform.clock.now() }, notice),
    );
  return isNew || (notices.length > 0 && (await payInOf(platform, awaited)) !== null);
}

function payInOf(
  { db }: Platform,
  { merchantId, paymentId, attempt }: Awaited,
): Promise<string | null> {
  return db.read((tx) => findPayIn(tx, { merchantId, paymentId, attempt }));
}

/**
 * Returns the pay-ins that the issuer has and our books do not (`isNew`), and the one that names the attempt: it may be on the
 * unallocated list, because it was found before its payment was opened.
 */
async function findNew(
  platform: Platform,
  issuer: Issuer,
  { merchantId, walletId, paymentId, attempt, since }: Awaited,
): Promise<{ notices: PayInNotice[]; isNew: boolean }> {
  const wallet = await platform.db.read((tx) => findWallet(tx, merchantId, walletId));
  const issuerWalletId = wallet?.issuerWalletId ?? null;
  if (issuerWalletId === null) return { notices: [], isNew: false }; // nothing is at the issuer yet
  const notices: PayInNotice[] = [];
  for await (const movement of issuer.listMovements(issuerWalletId, since.subtract(BEFORE)))
    if (movement.kind === 'payin' && movement.status === 'settled')
      notices.push(toNotice(platform, { merchantId, walletId }, movement));
  const booked = await platform.db.read((tx) => findBooked(tx, notices));
  const name = instructionId(paymentId, attempt);
  const isUnknown = ({ movementId }: PayInNotice): boolean => !booked.has(movementId);
  return {
    notices: notices.filter((one) => isUnknown(one) || one.endToEndId === name),
    isNew: notices.some(isUnknown),
  };
}

function toNotice(
  { vault }: Platform,
  place: Pick<PayInNotice, 'merchantId' | 'walletId'>,
  movement: Movement,
): PayInNotice {
  const { movementId, amountPence, endToEndId, completedAt, createdAt } = movement;
  const payer = sealPayer(vault, movementId, movement.payer);
  return { ...place, movementId, amountPence, endToEndId, at: completedAt ?? createdAt, payer };
}
