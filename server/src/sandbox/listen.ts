import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Recollect } from '@recollect/sdk';
import { request } from 'undici';
import { realNow } from '../platform/time/clock.ts';
import { errorMessage } from '../platform/values/thrown.ts';
import { EVENT_KINDS, type EventKind } from '../webhooks/endpoint.ts';

/** A webhook that was forwarded, and the answer to it; null: there was none. */
export interface Forwarded {
  event: string;
  eventId: string;
  status: number | null;
  ms: number;
  /** Why there was no answer. */
  problem: string | null;
}

export interface Listening {
  /** Signs what is forwarded, until `close`. */
  secret: string;
  close(): Promise<void>;
}

interface Listen {
  client: Recollect;
  forwardTo: string;
  kinds: readonly EventKind[];
  report(forwarded: Forwarded): void;
}

/** The service waits ten seconds for an answer. */
const TIMEOUT_MS = 9_000;
const NO_ANSWER = 502;
/** The headers of a webhook that are passed on; the others belong to the connection. */
const PASSED_ON = /^(webhook-|x-service-|x-sandbox-|content-type$|user-agent$)/;

/** A host with a port or a path, as other tools take it too: `localhost:4242/webhooks`. */
const WITHOUT_SCHEME =
  /^(localhost|[a-z0-9-]+(\.[a-z0-9-]+)*\.?[a-z][a-z0-9-]*|(\d{1,3}\.){3}\d{1,3}|\[[0-9a-f:]+\])(:\d{1,5})?([/?].*)?$/i;

/** Returns the URL to forward to; `http://` is understood, and a port alone is one of this machine. Null: it is none. */
export function forwardUrl(text: string): string | null {
  const port = /^:?(\d{1,5})([/?].*)?$/.exec(text);
  const guessed = port === null ? `http://${text}` : `http://localhost:${port[1]}${port[2] ?? ''}`;
  const isBare = port !== null || WITHOUT_SCHEME.test(text);
  const url = isBare ? guessed : text;
  return /^https?:\/\//i.test(url) && URL.canParse(url) ? url : null;
}

/**
 * Forwards every webhook of the sandbox's merchant to a URL, with its signatures: through an endpoint of its own, which `close`
 * deletes. The answer of the URL is the answer to the webhook, so what fails is retried.
 */
export async function listen({ client, forwardTo, kinds, report }: Listen): Promise<Listening> {
  const server = createServer((incoming, outgoing) => {
    void forward(incoming, forwardTo).then((forwarded) => {
      outgoing.writeHead(forwarded.status ?? NO_ANSWER).end();
      report(forwarded);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const stop = (): Promise<void> =>
    new Promise((done) => {
      server.close(() => done());
      server.closeAllConnections();
    });
  try {
    const endpoint = await client.webhookEndpoints.create({
      url: `http://127.0.0.1:${port}/`,
      description: `recollect listen: ${forwardTo}`.slice(0, 200),
      event_kinds: [...kinds],
    });
    return {
      secret: endpoint.secret,
      close: async () => {
        await client.webhookEndpoints.delete(endpoint.id);
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function forward(incoming: IncomingMessage, to: string): Promise<Forwarded> {
  const body = await buffer(incoming);
  const headers = Object.fromEntries(
    Object.entries(incoming.headers).filter(([name]) => PASSED_ON.test(name)),
  );
  const begun = realNow();
  const about = { event: eventOf(body), eventId: String(headers['webhook-id'] ?? '') };
  const ms = () => Math.round(realNow().since(begun).total('milliseconds'));
  try {
    const { statusCode: status, body: answer } = await request(to, {
      method: 'POST',
      headers,
      body,
      headersTimeout: TIMEOUT_MS,
    });
    await answer.dump();
    return { ...about, status, ms: ms(), problem: null };
  } catch (error) {
    return { ...about, status: null, ms: ms(), problem: errorMessage(error) };
  }
}

function eventOf(body: Buffer): string {
  const { event } = JSON.parse(body.toString('utf8')) as { event?: unknown };
  return String(event);
}

/** Returns the kinds that a comma-separated list names, all for no list; or the names that are no kinds. */
export function kindsOf(
  list: string | undefined,
): { kinds: readonly EventKind[] } | { unknown: string[] } {
  if (list === undefined) return { kinds: EVENT_KINDS };
  const wanted = list.split(',').map((one) => one.trim());
  const unknown = wanted.filter((one) => !EVENT_KINDS.some((kind) => kind === one));
  if (unknown.length > 0) return { unknown };
  return { kinds: EVENT_KINDS.filter((kind) => wanted.includes(kind)) };
}
