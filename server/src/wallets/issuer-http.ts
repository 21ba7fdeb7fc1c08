import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { Pool } from 'undici';
import type { PayeeAnswer } from '../merchants/settlement-account/payee-check.ts';
import { decodeUtf8 } from '../platform/http/calls/bodies.ts';
import { noteNetworkCall } from '../platform/network/network-call.ts';
import { HTTP_1 } from '../platform/network/request-begun.ts';
import { realNow } from '../platform/time/clock.ts';
import {
  type AccountDetails,
  type Issuer,
  type IssuerBalance,
  type IssuerNotification,
  IssuerRefused,
  IssuerSignatureError,
  IssuerUnavailable,
  type IssuerWallet,
  type Movement,
  type PayoutOrder,
  type StatementLine,
  type TransferOrder,
  type WalletReservation,
} from './issuer.ts';
import type { IssuerLimits } from './issuer-limits.ts';
import {
  type Page,
  type Reader,
  readBalancePage,
  readErrorJson,
  readMovementJson,
  readMovementPage,
  readNameCheckJson,
  readNotificationJson,
  readStatementPage,
  readTransferResults,
  readWalletJson,
  readWalletList,
  toAccountJson,
  toPayoutJson,
  toReservationJson,
  toTransferJson,
} from './issuer-wire.ts';
import { RateLimiter } from './rate-limiter.ts';

/** How the issuer is reached, and the secrets shared with it. */
export interface IssuerConnection {
  baseUrl: string;
  keyId: string;
  secret: string;
  notificationSecret: string;
  /** The issuer's limits as they are now; by default those of the protocol. Its rate is read once. */
  limits?: () => IssuerLimits;
  /** Accepted for notifications too, while that secret is replaced. */
  previousNotificationSecret?: string | null;
}

/** What an issuer that speaks this protocol must keep. */
export const PROTOCOL_LIMITS: IssuerLimits = {
  keyLifetime: Temporal.Duration.from({ hours: 24 }),
  lookUp: {
    byKey: Temporal.Duration.from({ hours: 24 }),
    byReference: Temporal.Duration.from({ hours: 24 * 365 }),
    visibleWithin: Temporal.Duration.from({ minutes: 1 }),
  },
  transfersPerCall: 500,
  rate: { requests: 2_000, per: Temporal.Duration.from({ seconds: 1 }) },
  transfersMayBePending: true,
  payIns: { carryEndToEndId: false, carryPayer: false },
  wallets: { reservedFirst: true, accountAtOnce: true },
  checksPayees: true,
  eventIdsAreStable: false,
};

interface Call {
  method: 'GET' | 'POST';
  /** Path below the base URL, with its query. */
  path: string;
  idempotencyKey?: string;
  body?: unknown;
}

const TIMEOUT_MS = 10_000;
const CONNECTIONS = 32;
const PER_PAGE = 1_000;
/** Maximum pages of one listing: stops an issuer whose cursor loops. */
const MAX_PAGES = 100_000;
const TOLERANCE_SECONDS = 300;
/** Statuses that do not prove that the order was refused. */
const NOT_A_REFUSAL = new Set([401, 403, 408, 425, 429]);

/** The issuer over HTTP, with JSON and HMAC signatures. Signatures use the real clock, in a sandbox too. */
export class HttpIssuer implements Issuer {
  readonly #connection: IssuerConnection;
  readonly #pool: Pool;
  readonly #pathPrefix: string;
  readonly #rate: RateLimiter;

  constructor(connection: IssuerConnection) {
    const url = new URL(connection.baseUrl);
    this.#connection = connection;
    this.#rate = new RateLimiter(this.limits.rate);
    this.#pathPrefix = url.pathname.replace(/\/+$/, '');
    this.#pool = new Pool(url.origin, {
      ...HTTP_1,
      connections: CONNECTIONS,
      connect: { timeout: TIMEOUT_MS },
    });
  }

  get limits(): IssuerLimits {
    return this.#connection.limits?.() ?? PROTOCOL_LIMITS;
  }

  /** Closes the connections after the requests in progress. */
  close(): Promise<void> {
    return this.#pool.close();
  }

  reserveWallet(reservation: WalletReservation): Promise<IssuerWallet> {
    const { idempotencyKey } = reservation;
    const body = toReservationJson(reservation);
    return this.#call(
      { method: 'POST', path: '/v1/wallets', idempotencyKey, body },
      readWalletJson,
    );
  }

  async findWallet(externalReference: string): Promise<IssuerWallet | null> {
    const query = new URLSearchParams({ external_reference: externalReference });
    const wallets = await this.#call(
      { method: 'GET', path: `/v1/wallets?${query}` },
      readWalletList,
    );
    return wallets.find(({ status }) => status === 'open') ?? wallets[0] ?? null;
  }

  openWallet(issuerWalletId: string, idempotencyKey: string): Promise<IssuerWallet> {
    const path = `/v1/wallets/${encodeURIComponent(issuerWalletId)}/open`;
    return this.#call({ method: 'POST', path, idempotencyKey, body: {} }, readWalletJson);
  }

  async closeWallet(issuerWalletId: string, idempotencyKey: string): Promise<void> {
    const path = `/v1/wallets/${encodeURIComponent(issuerWalletId)}/close`;
    await this.#call({ method: 'POST', path, idempotencyKey, body: {} }, readWalletJson);
  }

  readWallet(issuerWalletId: string): Promise<IssuerWallet> {
    const path = `/v1/wallets/${encodeURIComponent(issuerWalletId)}`;
    return this.#call({ method: 'GET', path }, readWalletJson);
  }

  async transfer(orders: readonly TransferOrder[]): Promise<Map<string, Movement>> {
    const found = new Map<string, Movement>();
    if (orders.length === 0) return found;
    const body = { transfers: orders.map(toTransferJson) };
    const call = { method: 'POST', path: '/v1/transfers', body } as const;
    for (const movement of await this.#call(call, readTransferResults))
      if (movement.idempotencyKey !== null) found.set(movement.idempotencyKey, movement);
    return found;
  }

  payOut(order: PayoutOrder): Promise<Movement> {
    const { idempotencyKey } = order;
    const body = toPayoutJson(order);
    return this.#call(
      { method: 'POST', path: '/v1/payouts', idempotencyKey, body },
      readMovementJson,
    );
  }

  checkPayee(account: AccountDetails): Promise<PayeeAnswer> {
    const body = toAccountJson(account);
    return this.#call({ method: 'POST', path: '/v1/name-checks', body }, readNameCheckJson);
  }

  async findMovement(idempotencyKey: string): Promise<Movement | null> {
    const query = new URLSearchParams({ idempotency_key: idempotencyKey });
    const page = await this.#call(
      { method: 'GET', path: `/v1/movements?${query}` },
      readMovementPage,
    );
    return page.items[0] ?? null;
  }

  readMovement(movementId: string): Promise<Movement> {
    const path = `/v1/movements/${encodeURIComponent(movementId)}`;
    return this.#call({ method: 'GET', path }, readMovementJson);
  }

  listMovements(issuerWalletId: string, since: Temporal.Instant): AsyncIterable<Movement> {
    const query = { wallet_id: issuerWalletId, since: since.toString() };
    return this.#pages('/v1/movements', query, readMovementPage);
  }

  findByReference(
    issuerWalletId: string,
    reference: string,
    since: Temporal.Instant,
  ): Promise<Movement[]> {
    const query = { wallet_id: issuerWalletId, reference, since: since.toString() };
    return Array.fromAsync(this.#pages('/v1/movements', query, readMovementPage));
  }

  listStatement(date: Temporal.PlainDate): AsyncIterable<StatementLine> {
    return this.#pages('/v1/statement', { date: date.toString() }, readStatementPage);
  }

  listBalances(date: Temporal.PlainDate): AsyncIterable<IssuerBalance> {
    return this.#pages('/v1/balances', { date: date.toString() }, readBalancePage);
  }

  async *#pages<T>(
    path: string,
    query: Record<string, string>,
    read: Reader<Page<T>>,
  ): AsyncIterable<T> {
    const search = new URLSearchParams({ ...query, limit: String(PER_PAGE) });
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const { items, nextCursor } = await this.#call(
        { method: 'GET', path: `${path}?${search}` },
        read,
      );
      yield* items;
      if (nextCursor === null) return;
      search.set('cursor', nextCursor);
    }
    throw new IssuerUnavailable(`the issuer's list ${path} has no end`);
  }

  async parseNotification(
    headers: Record<string, string | string[] | undefined>,
    raw: Buffer,
  ): Promise<IssuerNotification> {
    const timestamp = String(headers['x-timestamp'] ?? '');
    const age = Math.abs(realSeconds() - Number(timestamp));
    if (!/^\d{1,12}$/.test(timestamp) || age > TOLERANCE_SECONDS) {
      throw new IssuerSignatureError('the timestamp is missing or more than 300 seconds away');
    }
    const { notificationSecret, previousNotificationSecret = null } = this.#connection;
    const given = Buffer.from(String(headers['x-signature'] ?? ''), 'hex');
    const isSignedWith = (secret: string): boolean => {
      const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(raw).digest();
      return given.length === expected.length && timingSafeEqual(given, expected);
    };
    const isPrevious = (): boolean =>
      previousNotificationSecret !== null && isSignedWith(previousNotificationSecret);
    if (!isSignedWith(notificationSecret) && !isPrevious()) {
      throw new IssuerSignatureError('the signature does not match');
    }
    try {
      return readNotificationJson(JSON.parse(decodeUtf8(raw)));
    } catch (cause) {
      throw new IssuerSignatureError('the notification cannot be read', { cause });
    }
  }

  async #call<T>(call: Call, read: Reader<T>): Promise<T> {
    const { status, text } = await this.#send(call);
    if (status >= 500 || NOT_A_REFUSAL.has(status)) {
      throw new IssuerUnavailable(`the issuer answered ${status}: ${text.slice(0, 200)}`);
    }
    if (status >= 200 && status < 300) return understood(text, read, status);
    const { code, message } = understood(text, readErrorJson, status);
    throw new IssuerRefused(code, message);
  }

  async #send(call: Call): Promise<{ status: number; text: string }> {
    await this.#rate.turn();
    const body = call.body === undefined ? '' : JSON.stringify(call.body);
    const path = this.#pathPrefix + call.path;
    const headers = this.#sign(call.method, path, body);
    if (body !== '') headers['content-type'] = 'application/json';
    if (call.idempotencyKey !== undefined) headers['idempotency-key'] = call.idempotencyKey;
    noteNetworkCall();
    try {
      const response = await this.#pool.request({
        method: call.method,
        path,
        headers,
        body: body === '' ? null : body,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      return { status: response.statusCode, text: await response.body.text() };
    } catch (cause) {
      throw new IssuerUnavailable(`no answer from the issuer to ${call.method} ${path}`, { cause });
    }
  }

  #sign(method: string, path: string, body: string): Record<string, string> {
    const timestamp = String(Math.floor(realSeconds()));
    const nonce = randomUUID();
    const bodyHash = createHash('sha256').update(body).digest('hex');
    const signature = createHmac('sha256', this.#connection.secret)
      .update(`${method}\n${path}\n${timestamp}\n${nonce}\n${bodyHash}`)
      .digest('hex');
    return {
      'x-key-id': this.#connection.keyId,
      'x-timestamp': timestamp,
      'x-nonce': nonce,
      'x-signature': signature,
    };
  }
}

function understood<T>(text: string, read: Reader<T>, status: number): T {
  try {
    return read(JSON.parse(text));
  } catch (cause) {
    throw new IssuerUnavailable(`the issuer's answer (${status}) cannot be read`, { cause });
  }
}

function realSeconds(): number {
  return realNow().epochMilliseconds / 1_000;
}
