import type { Platform } from '../platform/platform.ts';
import type { Issuer, Movement } from '../wallets/issuer.ts';
import { takePayIn } from './pay-ins.ts';
import { instructionId } from './payment.ts';

/** An attempt whose money may have come, and where. */
export interface Awaited {
  merchantId: string;
  walletId: string;
  /** Null: there is no wallet at the issuer yet. */
  issuerWalletId: string | null;
  paymentId: string;
  attempt: number;
  amountPence: number;
  since: Temporal.Instant;
}

/** The issuer's clock and ours need not agree. */
const BEFORE = Temporal.Duration.from({ minutes: 10 });

/**
 * The pay-in that the issuer has under an attempt's name and of its amount, looked for among the wallet's movements of the
 * time since, less ten minutes; null where there is none. Throws what `Issuer.listMovements` throws.
 */
export async function findArrival(issuer: Issuer, awaited: Awaited): Promise<Movement | null> {
  if (awaited.issuerWalletId === null) return null;
  const endToEndId = instructionId(awaited.paymentId, awaited.attempt);
  const since = awaited.since.subtract(BEFORE);
  for await (const movement of issuer.listMovements(awaited.issuerWalletId, since))
    if (
      movement.kind === 'payin' &&
      movement.status === 'settled' &&
      movement.endToEndId === endToEndId &&
      movement.amountPence === awaited.amountPence
    )
      return movement;
  return null;
}

/**
 * Takes in the money of an attempt whose notice was lost, as if the notice had come; answers whether it was there. Throws
 * what `Issuer.listMovements` throws.
 */
export async function takeArrival(
  platform: Platform,
  issuer: Issuer,
  awaited: Awaited,
): Promise<boolean> {
  const found = await findArrival(issuer, awaited);
  if (found === null) return false;
  const { merchantId, walletId, paymentId, attempt } = awaited;
  const { movementId, amountPence } = found;
  const endToEndId = instructionId(paymentId, attempt);
  const notice = { merchantId, walletId, movementId, endToEndId, amountPence };
  await platform.db.transaction((tx) => takePayIn(platform, tx, platform.clock.now(), notice));
  return true;
}
