import type { IncomingHttpHeaders } from 'node:http';
import { Agent } from 'undici';
import { noteNetworkCall } from '../../platform/network/network-call.ts';
import { type Begun, HTTP_1, noteBegun } from '../../platform/network/request-begun.ts';
import { BankUnavailable } from '../bank.ts';
import { DEFAULT_TIMEOUT_MS, type OpenBankingConfig } from './config.ts';

/** How many orders are sent to a bank at once. */
export const ORDERS_AT_ONCE = 256;
/** With room for tokens, polls and reads beside the orders. */
const CONNECTIONS = ORDERS_AT_ONCE + 64;
const KEEP_ALIVE_MS = 30_000;
const MAX_ANSWER_BYTES = 512 * 1024;

export interface Question {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  url: string;
  headers: Record<string, string>;
  body?: string | undefined;
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/** The mutually authenticated connection to one bank: all traffic with it passes through here. */
export interface BackChannel {
  /** Throws `BankUnavailable` if no complete response came in time. Redirects are returned and not followed. */
  send(question: Question): Promise<Answer>;
  /** The same channel with the interface that the OAuth and JWKS libraries expect. */
  fetch(url: string, init: FetchInit): Promise<Response>;
  close(): Promise<void>;
}

interface FetchInit {
  method?: string;
  headers?: ConstructorParameters<typeof Headers>[0];
  body?: unknown;
}

/** Creates the channel. Connections are opened when needed and kept alive. */
export function backChannel(
  config: Pick<OpenBankingConfig, 'bankId' | 'tls' | 'timeoutMs'>,
): BackChannel {
  const timeoutMs = config.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const plain = new Agent({
    ...HTTP_1,
    connections: CONNECTIONS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxResponseSize: MAX_ANSWER_BYTES,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect: { ...config.tls, timeout: timeoutMs, minVersion: 'TLSv1.2' },
  });
  const agent = plain.compose(noteBegun);

  async function send(question: Question): Promise<Answer> {
    const url = new URL(question.url);
    if (url.protocol !== 'https:') {
      throw new BankUnavailable(`${config.bankId}: only https is spoken with a bank`);
    }
    const call: Begun = { hasBegun: false };
    noteNetworkCall();
    try {
      const answer = await agent.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: question.method,
        headers: question.headers,
        body: question.body ?? null,
        signal: AbortSignal.timeout(timeoutMs),
        opaque: call,
      });
      const body = await answer.body.text();
      return { status: answer.statusCode, headers: answer.headers, body };
    } catch (cause) {
      const notSent = !call.hasBegun;
      const what = notSent ? 'not reached by' : 'no answer to';
      throw new BankUnavailable(`${config.bankId}: ${what} ${question.method}`, { cause, notSent });
    }
  }

  return {
    send,
    fetch: async (url, init) => {
      const answer = await send({
        method: init.method === 'POST' ? 'POST' : 'GET',
        url,
        headers: Object.fromEntries(new Headers(init.headers)),
        body: init.body ? String(init.body) : undefined,
      });
      return new Response(answer.status === 204 ? null : answer.body, {
        status: answer.status,
        headers: new Headers(singleValues(answer.headers)),
      });
    },
    close: () => plain.close(),
  };
}

function singleValues(headers: IncomingHttpHeaders): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
}
