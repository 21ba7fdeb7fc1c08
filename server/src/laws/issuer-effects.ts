import type { Movement } from '../wallets/issuer.ts';

/** Money that has left a wallet in our books, and leaves it at the issuer by an order under this key. */
interface SetApart {
  key: string;
  pence: number;
}

/** A movement's key without the number of its try: what our books know it by. */
const sourceOfKey = (key: string): string => key.replace(/-[mc]\d+$/, '');

/** Everything that a movement may be booked under. */
export function sourcesOf({ movementId, idempotencyKey }: Movement): string[] {
  return idempotencyKey === null
    ? [movementId]
    : [movementId, idempotencyKey, sourceOfKey(idempotencyKey)];
}

/**
 * By how many pence a movement has changed its wallet at the issuer without being in our books yet. `booked` holds what is in
 * them, as `<kind> <source>`.
 */
function effectOf(movement: Movement, issuerWalletId: string, booked: ReadonlySet<string>): number {
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
      return 0; // the issuer has paid it from an account that is no wallet
    case 'payout':
      return isBooked([`settle ${key}`]) ? 0 : -amountPence;
    case 'transfer': {
      const source = sourceOfKey(key);
      if (isBooked([`move ${source}`, `net ${source}`])) return 0;
      if (movement.fromIssuerWalletId === issuerWalletId) return -amountPence;
      return status === 'settled' ? amountPence : 0;
    }
  }
}

/** What our books have of a wallet's movements. */
export interface InBooks {
  /** As `<kind> <source>`. */
  booked: ReadonlySet<string>;
  /** The amounts that people sent back or on by an order of their own, which our books know by amount alone. */
  givenBack: readonly number[];
  setApart: readonly SetApart[];
}

/** What is under way for a wallet: by how many pence the issuer's balance differs from our books when all is in order. */
export function underWayPence(
  issuerWalletId: string,
  movements: readonly Movement[],
  { booked, givenBack, setApart }: InBooks,
): number {
  const given = [...givenBack];
  const effect = (movement: Movement): number => {
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
