import { mapInParallel } from '../../platform/network/concurrency-limits.ts';
import { realNow } from '../../platform/time/clock.ts';
import { IssuerRefused, type Movement, type PayoutOrder, type TransferOrder } from '../issuer.ts';
import type { ModulrBooks } from './books.ts';
import type { ModulrClient } from './client.ts';
import { ModulrRefused, ModulrUnavailable } from './errors.ts';
import { readPayment, toPayOutJson, toTransferJson } from './wire.ts';

/** Orders made at once. */
const CONCURRENCY = 16;
/** Orders whose movement is kept in memory. */
const MAX_KEPT = 50_000;

/**
 * Makes orders at Modulr, each as a payment of its own under the nonce of its key. A batch is not used: it has one nonce for all
 * its payments, so that a repeat of some of them would be a new order.
 */
export class ModulrOrders {
  readonly #client: ModulrClient;
  readonly #books: ModulrBooks;
  /** The movements of orders that this process has made, as they were last. Repeating an order returns its first answer alone. */
  readonly #made = new Map<string, Movement>();

  constructor(client: ModulrClient, books: ModulrBooks) {
    this.#client = client;
    this.#books = books;
  }

  /** As `Issuer.transfer`. Throws ModulrUnavailable if none of the first orders got an answer. */
  async transfer(orders: readonly TransferOrder[]): Promise<Map<string, Movement>> {
    const made = new Map<string, Movement>();
    for (let start = 0; start < orders.length; start += CONCURRENCY) {
      const some = orders.slice(start, start + CONCURRENCY);
      const unknown: unknown[] = [];
      await mapInParallel(some, CONCURRENCY, async (order) => {
        try {
          made.set(order.idempotencyKey, await this.#order(order, toTransferJson(order)));
        } catch (error) {
          if (error instanceof ModulrUnavailable) unknown.push(error);
          else if (!isConflict(error)) throw error;
        }
      });
      if (unknown.length === some.length && made.size === 0) throw unknown[0];
    }
    return made;
  }

  /** As `Issuer.payOut`. */
  payOut(order: PayoutOrder): Promise<Movement> {
    return this.#order(order, toPayOutJson(order));
  }

  /** Finds the payment ordered under a key, one that was carried out before one that failed; null: there is none. */
  async find(key: string): Promise<Movement | null> {
    const query = { externalReference: key, type: 'PAYOUT' };
    const found = (await Array.fromAsync(this.#books.payments(query)))
      .map(({ movement }) => movement)
      .filter(({ idempotencyKey }) => idempotencyKey === key);
    return found.find(({ status }) => status !== 'failed') ?? found.at(-1) ?? null;
  }

  /** Records the state of an order that Modulr reported. */
  note(movement: Movement): void {
    const { idempotencyKey: key } = movement;
    if (key !== null && this.#made.has(key)) this.#made.set(key, movement);
  }

  async #order(order: TransferOrder | PayoutOrder, body: object): Promise<Movement> {
    const { idempotencyKey: key } = order;
    const known = this.#made.get(key);
    const movement = known === undefined ? await this.#post(order, body) : await this.#again(known);
    if (!isSameOrder(order, movement))
      throw new IssuerRefused('idempotency_conflict', `${key} was used for another order`);
    this.#keep(key, movement);
    return movement;
  }

  async #again(known: Movement): Promise<Movement> {
    if (known.status !== 'pending') return known;
    return (await this.#books.payment(known.movementId))?.movement ?? known;
  }

  async #post(order: TransferOrder | PayoutOrder, body: object): Promise<Movement> {
    const { idempotencyKey } = order;
    try {
      const call = { method: 'POST', path: '/payments', body, idempotencyKey } as const;
      return (await this.#client.call(call, readPayment)).movement;
    } catch (error) {
      if (!(error instanceof ModulrRefused)) throw error;
      if (!error.has('DUPLICATE')) return toRefused(order, error);
      const made = await this.find(idempotencyKey);
      if (made !== null) return made;
      throw new ModulrUnavailable(`Modulr has an order like ${idempotencyKey}`, { cause: error });
    }
  }

  #keep(key: string, movement: Movement): void {
    this.#made.delete(key);
    this.#made.set(key, movement);
    const [oldest] = this.#made.keys();
    if (this.#made.size > MAX_KEPT && oldest !== undefined) this.#made.delete(oldest);
  }
}

/** Returns a refusal in the port's words. */
export function refusalOf(error: ModulrRefused): IssuerRefused {
  const [first] = error.messages;
  const field = first?.field ? `${first.field}: ` : '';
  return new IssuerRefused((first?.code ?? '').toLowerCase(), `${field}${first?.message ?? ''}`);
}

const isConflict = (error: unknown): boolean =>
  error instanceof IssuerRefused && error.code === 'idempotency_conflict';

function isSameOrder(order: TransferOrder | PayoutOrder, made: Movement): boolean {
  const isSameGoal =
    'destination' in order
      ? made.destination?.sortCode === order.destination.sortCode &&
        made.destination.accountNumber === order.destination.accountNumber
      : made.toIssuerWalletId === order.toIssuerWalletId;
  return (
    isSameGoal &&
    made.fromIssuerWalletId === order.fromIssuerWalletId &&
    made.amountPence === order.amountPence
  );
}

/** Returns the failed movement of an order that Modulr has refused: it made no payment. */
function toRefused(order: TransferOrder | PayoutOrder, error: ModulrRefused): Movement {
  const { idempotencyKey, fromIssuerWalletId, amountPence, reference } = order;
  const { code, message } = refusalOf(error);
  const isPayOut = 'destination' in order;
  const now = realNow();
  return {
    movementId: `refused-${idempotencyKey}`,
    kind: isPayOut ? 'payout' : 'transfer',
    idempotencyKey,
    fromIssuerWalletId,
    toIssuerWalletId: isPayOut ? null : order.toIssuerWalletId,
    amountPence,
    reference,
    status: 'failed',
    error: { code, message },
    destination: isPayOut ? order.destination : null,
    payer: null,
    endToEndId: null,
    originalMovementId: null,
    createdAt: now,
    completedAt: now,
  };
}
