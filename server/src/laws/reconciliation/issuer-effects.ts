import { earlier } from '../../platform/values/instants.ts';
import type { Movement } from '../../wallets/issuer.ts';

/** How far back movements are read if nothing older is in progress: our clock and the issuer's may differ. */
const LOOKBACK = Temporal.Duration.from({ hours: 2 });

/** Returns from when on movements are read if the oldest of what is in progress began at `since`. */
export function movementsSince(
  now: Temporal.Instant,
  since: Temporal.Instant | null,
): Temporal.Instant {
  const recently = now.subtract(LOOKBACK);
  const early = since?.subtract(LOOKBACK) ?? recently;
  return earlier(early, recently);
}

/** What of a movement decides how it changes a wallet. */
export type Effect = Pick<
  Movement,
  'movementId' | 'kind' | 'status' | 'idempotencyKey' | 'amountPence' | 'fromIssuerWalletId'
>;

/** Money that has left a wallet in our books, and leaves it at the issuer under this key. */
interface ReservedMoney {
  key: string;
  pence: number;
}

/** Returns a movement's key without its attempt number: the source in our books. */
export const sourceOfKey = (key: string): string => key.replace(/-[mcf]\d+$/, '');

/** Returns every source under which a movement may be booked. */
export function sourcesOf({
  movementId,
  idempotencyKey,
}: Pick<Movement, 'movementId' | 'idempotencyKey'>): string[] {
  return idempotencyKey === null
    ? [movementId]
    : [movementId, idempotencyKey, sourceOfKey(idempotencyKey)];
}

/**
 * Returns by how many pence a movement has changed its wallet at the issuer without being in our books yet. `booked` contains
 * our bookings, as `<kind> <source>`.
 */
function effectOf(movement: Effect, issuerWalletId: string, booked: ReadonlySet<string>): number {
  const { movementId, kind, status, idempotencyKey, amountPence } = movement;
  if (status === 'failed') return 0;
  const key = idempotencyKey ?? '';
  const isBooked = (names: readonly string[]): boolean => names.some((name) => booked.has(name));
  switch (kind) {
    case 'payin':
      return isBooked([`pay_in ${movementId}`, `extra_pay_in ${movementId}`]) ? 0 : amountPence;
    case 'payout_return':
      return isBooked([`pay_out_return ${movementId}`]) ? 0 : amountPence;
    case 'payin_recall':
      return 0; // the issuer has paid it from an account that is not a wallet
    case 'payout':
      return isBooked([`settle ${key}`, `refund ${key}`]) ? 0 : -amountPence;
    case 'transfer': {
      const source = sourceOfKey(key);
      if (isBooked([`move ${source}`, `net ${source}`, `fee_out ${source}`])) return 0;
      if (movement.fromIssuerWalletId === issuerWalletId) return -amountPence;
      return status === 'settled' ? amountPence : 0;
    }
  }
}

/** Returns the ids under which the movements of the account of recalled pay-ins are booked: of recalls, and of covered debts. */
export function debtsOf(movements: readonly Movement[]): { recalls: string[]; covers: string[] } {
  const recalls = movements.filter(({ kind }) => kind === 'payin_recall');
  const covers = movements.filter(({ kind }) => kind === 'transfer');
  return {
    recalls: recalls.map(({ movementId }) => movementId),
    covers: covers.map(({ idempotencyKey }) => sourceOfKey(idempotencyKey ?? '')),
  };
}

/** Returns by how many pence these movements change what we owe the issuer without being in our books yet. */
export function owedUnderWay(movements: readonly Movement[], booked: ReadonlySet<string>): number {
  const effect = ({ kind, status, movementId, idempotencyKey, amountPence }: Movement): number => {
    if (status !== 'settled') return 0;
    if (kind === 'payin_recall') return booked.has(movementId) ? 0 : amountPence;
    return booked.has(sourceOfKey(idempotencyKey ?? '')) ? 0 : -amountPence;
  };
  return movements.reduce((sum, movement) => sum + effect(movement), 0);
}

/** Our bookings of a wallet's movements. */
export interface InBooks {
  /** As `<kind> <source>`. */
  booked: ReadonlySet<string>;
  /** The amounts that people sent back or on by a separate order; our books know only the amount. */
  givenBack: readonly number[];
  setApart: readonly ReservedMoney[];
}

/** Returns what names an order of ours: it explains one movement, and a second one under it is a difference. */
function orderOf({ kind, status, idempotencyKey }: Effect): string | null {
  const isOrdered = kind === 'payout' || kind === 'transfer';
  return isOrdered && status !== 'failed' && idempotencyKey !== null
    ? `${kind} ${sourceOfKey(idempotencyKey)}`
    : null;
}

/**
 * Returns what is in progress for a wallet: by how many pence the issuer's balance differs from our books if all is in order.
 */
export function underWayPence(
  issuerWalletId: string,
  movements: readonly Effect[],
  { booked, givenBack, setApart }: InBooks,
): number {
  const given = [...givenBack];
  const explained = new Set<string>();
  const effect = (movement: Effect): number => {
    const order = orderOf(movement);
    if (order !== null && explained.has(order)) return 0;
    if (order !== null) explained.add(order);
    const pence = effectOf(movement, issuerWalletId, booked);
    const place = pence < 0 ? given.indexOf(-pence) : -1;
    if (place < 0) return pence;
    given.splice(place, 1);
    return 0;
  };
  const ordered = new Set(
    movements.filter((m) => m.status !== 'failed').map((m) => m.idempotencyKey),
  );
  const stillThere = setApart.filter(({ key }) => !ordered.has(key));
  return (
    movements.reduce((sum, movement) => sum + effect(movement), 0) +
    stillThere.reduce((sum, { pence }) => sum + pence, 0)
  );
}
