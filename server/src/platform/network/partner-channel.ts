import type { IncomingHttpHeaders } from 'node:http';
import { Agent } from 'undici';
import { noteNetworkCall } from './network-call.ts';
import { type Begun, HTTP_1, noteBegun } from './request-begun.ts';

/** One request to a partner. */
export interface Question {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers: Record<string, string>;
  body?: string | undefined;
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/** No complete answer came in time. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  /** The request provably never left. */
  readonly notSent: boolean;

  constructor(notSent: boolean, cause: unknown) {
    super(notSent ? 'not reached' : 'no answer', { cause });
    this.notSent = notSent;
  }
}

/** The connections to one partner: all traffic with it passes through them. */
export interface PartnerChannel {
  /** Throws `NoAnswer`. Redirects are returned and not followed. */
  send(question: Question): Promise<Answer>;
  /** Closes the connections after the requests in progress. */
  close(): Promise<void>;
}

/** A call as libraries for tokens and keys make it. */
export type Fetch = (url: string, init: FetchInit) => Promise<Response>;

interface FetchInit {
  method?: string;
  headers?: ConstructorParameters<typeof Headers>[0];
  body?: unknown;
}

/** Returns `send` in the form that those libraries expect. */
export function asFetch(send: (question: Question) => Promise<Answer>): Fetch {
  return async (url, init) => {
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
  };
}

function singleValues(headers: IncomingHttpHeaders): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
}

const KEEP_ALIVE_MS = 30_000;

/** Opens a channel. Connections are made when needed and kept alive; `timeoutMs` is for one call from start to end. */
export function openChannel({
  connections,
  maxAnswerBytes,
  timeoutMs,
  tls = {},
}: {
  connections: number;
  maxAnswerBytes: number;
  timeoutMs: number;
  tls?: object;
}): PartnerChannel {
  const plain = new Agent({
    ...HTTP_1,
    connections,
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxResponseSize: maxAnswerBytes,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect: { ...tls, timeout: timeoutMs, minVersion: 'TLSv1.2' },
  });
  const agent = plain.compose(noteBegun);
  return {
    async send({ method, url, headers, body }) {
      const { origin, pathname, search } = new URL(url);
      const call: Begun = { hasBegun: false };
      noteNetworkCall();
      try {
        const answer = await agent.request({
          origin,
          path: pathname + search,
          method,
          headers,
          body: body ?? null,
          signal: AbortSignal.timeout(timeoutMs),
          opaque: call,
        });
        const text = await answer.body.text();
        return { status: answer.statusCode, headers: answer.headers, body: text };
      } catch (cause) {
        throw new NoAnswer(!call.hasBegun, cause);
      }
    },
    close: () => plain.close(),
  };
}
