import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A webhook request as received. */
export interface Received {
  headers: IncomingHttpHeaders;
  /** The raw body. */
  raw: string;
  event: string;
  data: Record<string, unknown>;
  /** The status of the response. */
  answered: number;
}

/** A merchant's receiver of webhooks: stores requests, and responds with scripted statuses. */
export interface Receiver {
  url: string;
  received: Received[];
  /** The statuses of the next responses; 200 when the list is empty. */
  answers: number[];
  /** The status of every response, until it is null again. */
  always: number | null;
  /** Returns the requests of one kind of event, oldest first. */
  of(event: string): Received[];
  close(): Promise<void>;
}

/** Starts a receiver on a free port of loopback. */
export async function startReceiver(): Promise<Receiver> {
  const server = createServer(async (request, response) => {
    const raw = await text(request);
    const answered = receiver.always ?? receiver.answers.shift() ?? 200;
    const { event, data } = JSON.parse(raw) as Pick<Received, 'event' | 'data'>;
    receiver.received.push({ headers: request.headers, raw, event, data, answered });
    response.writeHead(answered).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
    received: [],
    answers: [],
    always: null,
    of: (event) => receiver.received.filter((one) => one.event === event),
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return receiver;
}

/** Verifies a webhook as merchants do: docs/rules/webhooks.md#the-service-signature. */
export function isGenuine(webhook: Pick<Received, 'headers' | 'raw'>, secret: string): boolean {
  const header = String(webhook.headers['x-service-signature']);
  const [, seconds = '', given = ''] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header) ?? [];
  const age = Temporal.Now.instant().epochMilliseconds / 1000 - Number(seconds);
  if (seconds === '' || age > 300) return false;
  const wanted = createHmac('sha256', secret).update(webhook.raw).digest('hex');
  return timingSafeEqual(Buffer.from(wanted), Buffer.from(given));
}
