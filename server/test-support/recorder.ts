import { subscribe, unsubscribe } from 'node:diagnostics_channel';

/** One request of this process through undici, and its response. */
export interface Exchange {
  method: string;
  path: string;
  sent: string;
  status: number;
  answered: string;
}

interface Message {
  request: { method: string; path: string; body?: unknown };
  response?: { statusCode: number };
  chunk?: Uint8Array;
}

/** Starts recording every finished request whose path contains `part`. */
export function recordExchanges(part: string): { stop(): Exchange[] } {
  const open = new Map<object, Exchange>();
  const done: Exchange[] = [];
  const listeners: [string, (message: Message) => void][] = [
    [
      'undici:request:create',
      ({ request }) => {
        if (!request.path.includes(part)) return;
        const { method, path } = request;
        const sent = request.body === null ? '' : String(request.body ?? '');
        open.set(request, { method, path, sent, status: 0, answered: '' });
      },
    ],
    [
      'undici:request:headers',
      ({ request, response }) => {
        const exchange = open.get(request);
        if (exchange) exchange.status = response?.statusCode ?? 0;
      },
    ],
    [
      'undici:request:bodyChunkReceived',
      ({ request, chunk }) => {
        const exchange = open.get(request);
        if (exchange) exchange.answered += Buffer.from(chunk ?? []).toString();
      },
    ],
    [
      'undici:request:trailers',
      ({ request }) => {
        const exchange = open.get(request);
        if (exchange) done.push(exchange);
        open.delete(request);
      },
    ],
  ];
  const handlers = listeners.map(
    ([name, listener]) => [name, (message: unknown) => listener(message as Message)] as const,
  );
  for (const [name, handler] of handlers) subscribe(name, handler);
  return {
    stop: () => {
      for (const [name, handler] of handlers) unsubscribe(name, handler);
      return done;
    },
  };
}
