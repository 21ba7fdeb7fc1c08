import type { Movement } from '../src/wallets/issuer.ts';

/** Returns a settled movement of the fake issuer, but for what is given. */
export function movementOf(
  now: Temporal.Instant,
  kind: Movement['kind'],
  key: string,
  amountPence: number,
  more: Partial<Movement>,
): Movement {
  return {
    movementId: `mv-${key}`,
    kind,
    idempotencyKey: key,
    fromIssuerWalletId: null,
    toIssuerWalletId: null,
    amountPence,
    reference: '',
    status: 'settled',
    error: null,
    destination: null,
    payer: null,
    endToEndId: null,
    originalMovementId: null,
    createdAt: now,
    completedAt: now,
    ...more,
  };
}
