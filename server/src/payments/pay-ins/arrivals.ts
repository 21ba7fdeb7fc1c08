import type { Platform } from '../../platform/platform.ts';
import type { Issuer, Movement } from '../../wallets/issuer.ts';
import { sealPayer } from '../../wallets/payer.ts';
import { findWallet } from '../../wallets/store.ts';
import { findPayIn } from '../books/attempt-store.ts';
import { findBooked } from '../books/candidate-store.ts';
import type { SubmitRow } from '../payment/attempt.ts';
import { instructionId } from '../payment/payment.ts';
import { type PayInNotice, recordPayIn } from './pay-ins.ts';

interface ArrivalDeps {
  platform: Platform;
  issuer: Issuer;
}

/** An attempt whose money may have arrived, and in which wallet. */
type Awaited = Pick<SubmitRow, 'merchantId' | 'walletId' | 'paymentId' | 'attempt'>;

/** Tolerance for skew between the issuer's clock and ours. */
const CLOCK_TOLERANCE = Temporal.Duration.from({ minutes: 10 });

/**
 * Records the money that arrived in the attempt's wallet and whose notices were lost, from ten minutes before `since`, as if the
 * notices had come. Returns the attempt's pay-in, or null. Throws what `Issuer.listMovements` throws.
 */
export async function importPayIns(
  deps: ArrivalDeps,
  attempt: Awaited,
  since: Temporal.Instant,
): Promise<string | null> {
  await importLost(deps, attempt, since);
  return payInOf(deps.platform, attempt);
}

/** What the books know of an attempt's money once the issuer was asked; `unknown`: it did not answer, which is logged. */
type Arrival = 'booked' | 'not_there' | 'unknown';

/** Asks the issuer for the money of an attempt that is under way, as `importPayIns` does, and returns whether it is there. */
export function checkForMoney(
  deps: ArrivalDeps,
  attempt: Awaited,
  since: Temporal.Instant,
): Promise<Arrival> {
  return asked(deps, attempt, async () => (await importPayIns(deps, attempt, since)) !== null);
}

/**
 * Does so before an order, and returns whether that changed anything for the attempt. Money that names it and that a person has
 * sent back does not: the attempt must not wait for it for ever.
 */
export function checkForLostMoney(
  deps: ArrivalDeps,
  attempt: Awaited,
  since: Temporal.Instant,
): Promise<Arrival> {
  return asked(deps, attempt, async () => {
    const { count, isNew } = await importLost(deps, attempt, since);
    return isNew || (count > 0 && (await payInOf(deps.platform, attempt)) !== null);
  });
}

async function asked(
  { platform }: ArrivalDeps,
  { paymentId }: Awaited,
  isThere: () => Promise<boolean>,
): Promise<Arrival> {
  try {
    return (await isThere()) ? 'booked' : 'not_there';
  } catch (err) {
    platform.log.report('payment.arrival_unknown', { payment_id: paymentId, err });
    return 'unknown';
  }
}

async function importLost(
  { platform, issuer }: ArrivalDeps,
  attempt: Awaited,
  since: Temporal.Instant,
): Promise<{ count: number; isNew: boolean }> {
  const { notices, isNew } = await findNew(platform, issuer, attempt, since);
  for (const notice of notices)
    await platform.db.transaction((tx) =>
      recordPayIn({ platform, tx, now: platform.clock.now() }, notice),
    );
  return { count: notices.length, isNew };
}

const payInOf = (
  { db }: Platform,
  { merchantId, paymentId, attempt }: Awaited,
): Promise<string | null> => db.read((tx) => findPayIn(tx, { merchantId, paymentId, attempt }));

/**
 * Returns the pay-ins that the issuer has and our books do not (`isNew`), and the one that names the attempt: it may be on the
 * unallocated list, because it was found before its payment was opened.
 */
async function findNew(
  platform: Platform,
  issuer: Issuer,
  { merchantId, walletId, paymentId, attempt }: Awaited,
  since: Temporal.Instant,
): Promise<{ notices: PayInNotice[]; isNew: boolean }> {
  const wallet = await platform.db.read((tx) => findWallet(tx, merchantId, walletId));
  const issuerWalletId = wallet?.issuerWalletId ?? null;
  if (issuerWalletId === null) return { notices: [], isNew: false }; // nothing is at the issuer yet
  const notices: PayInNotice[] = [];
  for await (const movement of issuer.listMovements(
    issuerWalletId,
    since.subtract(CLOCK_TOLERANCE),
  ))
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
