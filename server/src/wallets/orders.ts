import { afterJitter, delayFrom } from '../platform/network/backoff.ts';
import { mapInParallel } from '../platform/network/concurrency-limits.ts';
import { elapsedMs, msOf } from '../platform/values/instants.ts';
import type { Issuer, Movement, PayoutOrder, TransferOrder } from './issuer.ts';
import type { IssuerLimits } from './issuer-limits.ts';

/** How long before the end of a key's life an order is last repeated without looking: calls take time, clocks differ. */
const MARGIN_MS = 3_600_000;
/** Tolerance for the difference between the issuer's clock and ours. */
const CLOCK_TOLERANCE = Temporal.Duration.from({ minutes: 10 });
const CONCURRENCY = 16;

/**
 * Whether an order first made at `firstAt` may be repeated without looking for its movement: the issuer still knows its key.
 * Later, or where the issuer knows no keys, the same order may be a new one.
 */
export function isKeySafe(
  { keyLifetime }: IssuerLimits,
  firstAt: Temporal.Instant,
  now: Temporal.Instant,
): boolean {
  if (keyLifetime === null) return false;
  return elapsedMs(firstAt, now) < msOf(keyLifetime) - MARGIN_MS;
}

/** A transfer, and when it may first have been ordered. */
export interface DatedTransfer {
  order: TransferOrder;
  firstAt: Temporal.Instant;
}

/**
 * Makes transfers at the issuer, as `Issuer.transfer` does, and never twice: if a key may be forgotten, the transfer is first
 * looked up by its reference. Throws what `Issuer.transfer` throws.
 */
export async function orderTransfers(
  issuer: Issuer,
  now: Temporal.Instant,
  transfers: readonly DatedTransfer[],
): Promise<Map<string, Movement>> {
  const old = transfers.filter(({ firstAt }) => !isKeySafe(issuer.limits, firstAt, now));
  const known = new Map<string, Movement>();
  await mapInParallel(old, CONCURRENCY, async ({ order, firstAt }) => {
    const made = await findTransfer(issuer, order, firstAt);
    if (made !== null) known.set(order.idempotencyKey, made);
  });
  const orders = transfers.map(({ order }) => order);
  const toMake = orders.filter((order) => !known.has(order.idempotencyKey));
  const { transfersPerCall } = issuer.limits;
  for (let start = 0; start < toMake.length; start += transfersPerCall)
    for (const made of await issuer.transfer(toMake.slice(start, start + transfersPerCall)))
      known.set(...made);
  return known;
}

/** Finds the transfer that an order made, whichever of our keys it has; a failed one left the money where it was. */
async function findTransfer(
  issuer: Issuer,
  order: TransferOrder,
  firstAt: Temporal.Instant,
): Promise<Movement | null> {
  const { fromIssuerWalletId, toIssuerWalletId, amountPence, reference } = order;
  const since = firstAt.subtract(CLOCK_TOLERANCE);
  const found = await issuer.findByReference(fromIssuerWalletId, reference, since);
  return (
    found.find(
      (movement) =>
        movement.kind === 'transfer' &&
        movement.status !== 'failed' &&
        movement.fromIssuerWalletId === fromIssuerWalletId &&
        movement.toIssuerWalletId === toIssuerWalletId &&
        movement.amountPence === amountPence,
    ) ?? null
  );
}

/**
 * Finds the pay-out that an order made, by its reference; null: none. A settlement's other attempts have the same reference
 * and different keys. A pay-out of another amount, ordered by a lost database, is returned too: no second one may follow.
 */
export async function findPayOut(
  issuer: Issuer,
  order: PayoutOrder,
  firstAt: Temporal.Instant,
): Promise<Movement | null> {
  const { fromIssuerWalletId, reference, amountPence, idempotencyKey } = order;
  const since = firstAt.subtract(CLOCK_TOLERANCE);
  const found = (await issuer.findByReference(fromIssuerWalletId, reference, since)).filter(
    (movement) =>
      movement.kind === 'payout' && (movement.idempotencyKey ?? idempotencyKey) === idempotencyKey,
  );
  return (
    found.find((movement) => movement.amountPence === amountPence) ??
    found.find((movement) => movement.status !== 'failed') ??
    null
  );
}

const DELAYS = [5, 15, 60, 300, 1800] as const;

/** Returns when to poll the issuer again about a pay-out, after `polls` polls. Jitter prevents a burst after an outage. */
export function nextPollAt(now: Temporal.Instant, polls: number, id: string): Temporal.Instant {
  return afterJitter(now, delayFrom(DELAYS, polls), `${id} ${polls}`);
}
