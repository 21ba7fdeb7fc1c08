import type { IncomingHttpHeaders } from 'node:http';
import { Agent } from 'undici';
import { BankUnavailable } from '../bank.ts';
import { DEFAULT_TIMEOUT_MS, type OpenBankingConfig } from './config.ts';

const CONNECTIONS = 64;
const KEEP_ALIVE_MS = 30_000;
const MAX_ANSWER_BYTES = 512 * 1024;

export interface Question {
  method: 'GET' | 'POST' | 'DELETE';
  url: string;
  headers: Record<string, string>;
  body?: string | undefined;
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/** The mutually authenticated connection to one bank: every byte that we exchange with it passes here. */
export interface BackChannel {
  /** Throws `BankUnavailable` when no whole answer came in time. Redirects are answers and are not followed. */
  send(question: Question): Promise<Answer>;
  /** The same channel in the shape that the OAuth and JWKS libraries take. */
  fetch(url: string, init: FetchInit): Promise<Response>;
  close(): Promise<void>;
}

interface FetchInit {
  method?: string;
  headers?: ConstructorParameters<typeof Headers>[0];
  body?: unknown;
}

/** Opens nothing yet; connections are made as needed (at most 64) and kept alive. */
export function backChannel(config: OpenBankingConfig): BackChannel {
  const timeoutMs = config.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const agent = new Agent({
    connections: CONNECTIONS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxResponseSize: MAX_ANSWER_BYTES,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect: { ...config.tls, timeout: timeoutMs, minVersion: 'TLSv1.2' },
  });

  async function send(question: Question): Promise<Answer> {
    const url = new URL(question.url);
    if (url.protocol !== 'https:') {
      throw new BankUnavailable(`${config.bankId}: only https is spoken with a bank`);
    }
    try {
      const answer = await agent.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: question.method,
        headers: question.headers,
        body: question.body ?? null,
        signal: AbortSignal.timeout(timeoutMs),
      });
      const body = await answer.body.text();
      return { status: answer.statusCode, headers: answer.headers, body };
    } catch (cause) {
      throw new BankUnavailable(`${config.bankId}: no answer to ${question.method}`, { cause });
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
    close: () => agent.close(),
  };
}

function singleValues(headers: IncomingHttpHeaders): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
}
