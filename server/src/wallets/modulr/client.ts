import type { IncomingHttpHeaders } from 'node:http';
import {
  type Answer,
  NoAnswer,
  openChannel,
  type PartnerChannel,
} from '../../platform/network/partner-channel.ts';
import { realNow } from '../../platform/time/clock.ts';
import type { IssuerLimits } from '../issuer-limits.ts';
import { RateLimiter } from '../rate-limiter.ts';
import { ModulrUnavailable, refusalIn } from './errors.ts';
import { type ModulrKey, nonceOf, signedHeaders } from './signature.ts';

/** What Modulr allows one customer, over all its keys and processes. */
const MODULR_RATE: IssuerLimits['rate'] = {
  requests: 8_000,
  per: Temporal.Duration.from({ minutes: 10 }),
};

/** How Modulr is reached. */
export interface ModulrConnection extends ModulrKey {
  /** With the path of the environment: `https://api-sandbox.modulrfinance.com/api-sandbox`. */
  baseUrl: string;
  /** Shared by all clients of this process that use the same key; by default a limiter of its own. */
  rate?: RateLimiter;
  /** The longest that one request may take, without the wait for its turn; 10 seconds by default. */
  timeoutMs?: number;
}

/** One request. */
export interface ModulrCall {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the base URL, with its query. */
  path: string;
  body?: unknown;
  /**
   * Our key of an order: a repeat under it, with the same content and within 48 hours, gets the first answer. Later it may be a
   * new order. Absent: every call is a new one.
   */
  idempotencyKey?: string;
}

const CONNECTIONS = 32;
const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
/** The longest wait that we accept: the period of Modulr's limit. */
const LONGEST_REST_SECONDS = 600;
/** How long no request is made after an answer about limits that does not say when they end. */
const DEFAULT_REST_SECONDS = 30;

/**
 * Modulr's API over HTTP: signs requests, keeps the rate, and tells refusals from unknown outcomes. Signatures use the real
 * clock. Throws `ModulrRefused` or `ModulrUnavailable`.
 */
export class ModulrClient {
  readonly #connection: ModulrConnection;
  readonly #origin: string;
  readonly #pathPrefix: string;
  readonly #rate: RateLimiter;
  readonly #channel: PartnerChannel;
  /** Until when Modulr lets nobody through, by its own word; milliseconds. */
  #restsUntil = 0;

  constructor(connection: ModulrConnection) {
    const url = new URL(connection.baseUrl);
    this.#connection = connection;
    this.#origin = url.origin;
    this.#pathPrefix = url.pathname.replace(/\/+$/, '');
    this.#rate = connection.rate ?? new RateLimiter(MODULR_RATE);
    this.#channel = openChannel({
      connections: CONNECTIONS,
      maxAnswerBytes: MAX_ANSWER_BYTES,
      timeoutMs: connection.timeoutMs ?? TIMEOUT_MS,
    });
  }

  /** Makes one request and returns what `read` makes of the JSON in the answer, which is null if there is none. */
  async call<T>(call: ModulrCall, read: (json: unknown) => T): Promise<T> {
    await this.#turn();
    const { status, headers, body } = await this.#send(call);
    if (status >= 200 && status < 300) return understood(call, status, body, read);
    const refusal = refusalIn(status, body);
    if (refusal !== null) throw refusal;
    throw new ModulrUnavailable(`Modulr answered ${status}: ${body.slice(0, 200)}`, {
      retryAfterSeconds: this.#rest(status, headers, body),
    });
  }

  /** Closes the connections after the requests in progress. */
  close(): Promise<void> {
    return this.#channel.close();
  }

  async #turn(): Promise<void> {
    const restMs = this.#restsUntil - realNow().epochMilliseconds;
    if (restMs > 0)
      throw new ModulrUnavailable('Modulr asked us to wait', {
        notSent: true,
        retryAfterSeconds: Math.ceil(restMs / 1_000),
      });
    try {
      await this.#rate.turn();
    } catch (cause) {
      throw new ModulrUnavailable("our requests have reached Modulr's limit", {
        cause,
        notSent: true,
      });
    }
  }

  /** Applies an answer about limits, which names their end as a Unix time. Returns how long they last; null: not about limits. */
  #rest(status: number, headers: IncomingHttpHeaders, body: string): number | null {
    if (status !== 429 && !(status === 403 && body.includes('Quota exceeded'))) return null;
    const now = realNow().epochMilliseconds;
    const reset = Number(headers['x-ratelimit-reset'] ?? Number.NaN);
    const named = Math.ceil(reset - now / 1_000);
    const seconds = named > 0 ? Math.min(named, LONGEST_REST_SECONDS) : DEFAULT_REST_SECONDS;
    this.#restsUntil = now + seconds * 1_000;
    return seconds;
  }

  async #send(call: ModulrCall): Promise<Answer> {
    const path = this.#pathPrefix + call.path;
    try {
      return await this.#channel.send({
        method: call.method,
        url: this.#origin + path,
        headers: this.#headers(call, path),
        body: call.body === undefined ? undefined : JSON.stringify(call.body),
      });
    } catch (cause) {
      if (!(cause instanceof NoAnswer)) throw cause;
      const { notSent } = cause;
      const what = notSent ? 'Modulr was not reached by' : 'no answer from Modulr to';
      throw new ModulrUnavailable(`${what} ${call.method} ${call.path}`, { cause, notSent });
    }
  }

  #headers(call: ModulrCall, path: string): Record<string, string> {
    const nonce = nonceOf(call.method, path, call.idempotencyKey);
    const headers = signedHeaders(this.#connection, nonce, realNow());
    headers['x-mod-version'] = '1';
    if (call.body !== undefined) headers['content-type'] = 'application/json';
    // Said on the first call too: Modulr takes a nonce that it does not know for a new request.
    if (call.idempotencyKey !== undefined) headers['x-mod-retry'] = 'true';
    return headers;
  }
}

function understood<T>(
  { method, path }: ModulrCall,
  status: number,
  body: string,
  read: (json: unknown) => T,
): T {
  try {
    return read(body.trim() === '' ? null : JSON.parse(body));
  } catch (cause) {
    const what = `Modulr's answer (${status}) to ${method} ${path} cannot be read`;
    throw new ModulrUnavailable(what, { cause });
  }
}
