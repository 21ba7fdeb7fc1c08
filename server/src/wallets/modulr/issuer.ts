import type { PayeeAnswer } from '../../merchants/settlement-account/payee-check.ts';
import { realNow } from '../../platform/time/clock.ts';
import {
  type AccountDetails,
  type Issuer,
  type IssuerBalance,
  type IssuerNotification,
  IssuerRefused,
  IssuerUnavailable,
  type IssuerWallet,
  type Movement,
  type PayoutOrder,
  type StatementLine,
  type TransferOrder,
  type WalletReservation,
} from '../issuer.ts';
import type { IssuerLimits } from '../issuer-limits.ts';
import { RateLimiter } from '../rate-limiter.ts';
import { accountPath, ModulrBooks } from './books.ts';
import { ModulrClient, type ModulrConnection } from './client.ts';
import { ModulrRefused, ModulrUnavailable } from './errors.ts';
import { modulrLimits } from './limits.ts';
import { readNameCheck, toNameCheckJson } from './name-check.ts';
import { toAccountReference } from './names.ts';
import { ModulrNotices } from './notices.ts';
import { ModulrOrders, refusalOf } from './orders.ts';
import { checkWebhookSignature, type Headers } from './webhook-signature.ts';
import { readAccount } from './wire.ts';

/** How Modulr is reached, and what it knows us by. */
export interface ModulrSettings extends Omit<ModulrConnection, 'rate'> {
  /** The Modulr customer whose accounts our wallets are. */
  customerId: string;
  /** The product of those accounts; null: Modulr chooses. */
  productCode: string | null;
  /** The secrets of the webhooks, the latest first. */
  webhookSecrets: readonly string[];
  /** `none`: notifications are read without a signature; whatever they say is asked for at Modulr. */
  webhookSignature: 'request' | 'none';
  /** Our share of Modulr's 8,000 requests in ten minutes. */
  requests: number;
}

/** Modulr as e-money issuer: docs/guides/modulr.md. */
export class ModulrIssuer implements Issuer {
  readonly limits: IssuerLimits;
  readonly #settings: ModulrSettings;
  readonly #client: ModulrClient;
  readonly #books: ModulrBooks;
  readonly #orders: ModulrOrders;
  readonly #notices: ModulrNotices;

  constructor(settings: ModulrSettings) {
    this.limits = modulrLimits(settings.requests);
    this.#settings = settings;
    this.#client = new ModulrClient({ ...settings, rate: new RateLimiter(this.limits.rate) });
    this.#books = new ModulrBooks(this.#client, settings.customerId);
    this.#orders = new ModulrOrders(this.#client, this.#books);
    this.#notices = new ModulrNotices(this.#client, this.#books, this.#orders);
  }

  /** Closes the connections after the requests in progress. */
  close(): Promise<void> {
    return this.#client.close();
  }

  /** Opens an account: Modulr knows no reserved state. */
  reserveWallet({ idempotencyKey, externalReference }: WalletReservation): Promise<IssuerWallet> {
    const { customerId, productCode } = this.#settings;
    const path = `/customers/${encodeURIComponent(customerId)}/accounts`;
    const body = {
      currency: 'GBP',
      externalReference: toAccountReference(externalReference),
      ...(productCode === null ? {} : { productCode }),
    };
    return withPortErrors(async () => {
      const made = await this.#client.call(
        { method: 'POST', path, body, idempotencyKey },
        readAccount,
      );
      if (made.externalReference !== externalReference)
        throw new IssuerRefused('idempotency_conflict', `${idempotencyKey} was used for another`);
      return made.account === null ? this.readWallet(made.issuerWalletId) : made;
    });
  }

  findWallet(externalReference: string): Promise<IssuerWallet | null> {
    const reference = toAccountReference(externalReference);
    const query = { 'externalReference.type': 'EXACT', 'externalReference.value': reference };
    return withPortErrors(async () => {
      const found = await Array.fromAsync(this.#books.accounts(query));
      const ours = found.filter((one) => one.externalReference === externalReference);
      return ours.find(({ status }) => status === 'open') ?? ours[0] ?? null;
    });
  }

  async openWallet(issuerWalletId: string): Promise<IssuerWallet> {
    const wallet = await this.readWallet(issuerWalletId);
    if (wallet.status === 'closed') throw new IssuerRefused('wallet_closed', 'It is closed.');
    return wallet;
  }

  async closeWallet(issuerWalletId: string, idempotencyKey: string): Promise<void> {
    const path = `/accounts/${encodeURIComponent(issuerWalletId)}/close`;
    try {
      await this.#client.call({ method: 'POST', path, idempotencyKey }, () => undefined);
    } catch (error) {
      if (!(error instanceof ModulrRefused)) throw inPort(error);
      const { status, balancePence } = await this.readWallet(issuerWalletId);
      if (status === 'closed') return;
      if (balancePence !== 0) throw new IssuerRefused('wallet_not_empty', error.message);
      throw refusalOf(error);
    }
  }

  async readWallet(issuerWalletId: string): Promise<IssuerWallet> {
    try {
      const path = accountPath(issuerWalletId);
      return await this.#client.call({ method: 'GET', path }, readAccount);
    } catch (error) {
      if (error instanceof ModulrRefused && error.has('NOTFOUND'))
        throw new IssuerRefused('unknown_wallet', error.message);
      throw inPort(error);
    }
  }

  transfer(orders: readonly TransferOrder[]): Promise<Map<string, Movement>> {
    return withPortErrors(() => this.#orders.transfer(orders));
  }

  payOut(order: PayoutOrder): Promise<Movement> {
    return withPortErrors(() => this.#orders.payOut(order));
  }

  /** Without a key: Modulr refuses a check that repeats a nonce. */
  checkPayee(account: AccountDetails, fromIssuerWalletId: string): Promise<PayeeAnswer> {
    const body = toNameCheckJson(account, fromIssuerWalletId);
    const call = { method: 'POST', path: '/account-name-check', body } as const;
    return withPortErrors(() => this.#client.call(call, readNameCheck));
  }

  findMovement(idempotencyKey: string): Promise<Movement | null> {
    return withPortErrors(() => this.#orders.find(idempotencyKey));
  }

  readMovement(movementId: string): Promise<Movement> {
    return withPortErrors(async () => {
      const found = await this.#books.payment(movementId);
      if (found === null) throw new IssuerRefused('unknown_movement', `no payment ${movementId}`);
      return this.#books.withOriginal(found.movement, found.originalSchemeId);
    });
  }

  async *listMovements(issuerWalletId: string, since: Temporal.Instant): AsyncIterable<Movement> {
    yield* await withPortErrors(() => this.#books.movements(issuerWalletId, since));
  }

  findByReference(
    issuerWalletId: string,
    reference: string,
    since: Temporal.Instant,
  ): Promise<Movement[]> {
    const query = { sourceAccountId: issuerWalletId, type: 'PAYOUT' };
    return withPortErrors(async () =>
      (await Array.fromAsync(this.#books.payments(query, since)))
        .map(({ movement }) => movement)
        .filter((one) => one.reference === reference),
    );
  }

  listStatement(date: Temporal.PlainDate): AsyncIterable<StatementLine> {
    return listWithPortErrors(this.#books.statement(date));
  }

  listBalances(): AsyncIterable<IssuerBalance> {
    return listWithPortErrors(this.#books.balances());
  }

  async parseNotification(headers: Headers, raw: Buffer): Promise<IssuerNotification | null> {
    const { webhookSecrets, webhookSignature } = this.#settings;
    if (webhookSignature === 'request') checkWebhookSignature(headers, webhookSecrets, realNow());
    return withPortErrors(() => this.#notices.read(raw));
  }
}

/** Returns an error of the client in the port's words. */
function inPort(error: unknown): unknown {
  if (error instanceof ModulrRefused) return refusalOf(error);
  if (!(error instanceof ModulrUnavailable)) return error;
  return new IssuerUnavailable(error.message, { cause: error, notSent: error.notSent });
}

async function withPortErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw inPort(error);
  }
}

async function* listWithPortErrors<T>(items: AsyncIterable<T>): AsyncIterable<T> {
  try {
    yield* items;
  } catch (error) {
    throw inPort(error);
  }
}
