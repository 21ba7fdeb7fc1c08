import type { Issuer, Movement } from '../wallets/issuer.ts';

/** The issuer's clock and ours need not agree. */
const BEFORE = Temporal.Duration.from({ minutes: 10 });

/**
 * The pay-in that the issuer has under an end-to-end id, looked for among a wallet's movements since `since` less ten
 * minutes; null where there is none, or no wallet yet. Throws what `Issuer.listMovements` throws.
 */
export async function findArrival(
  issuer: Issuer,
  issuerWalletId: string | null,
  endToEndId: string,
  since: Temporal.Instant,
): Promise<Movement | null> {
  if (issuerWalletId === null) return null;
  for await (const movement of issuer.listMovements(issuerWalletId, since.subtract(BEFORE)))
    if (
      movement.kind === 'payin' &&
      movement.status === 'settled' &&
      movement.endToEndId === endToEndId
    )
      return movement;
  return null;
}
