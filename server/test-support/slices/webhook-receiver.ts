import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A webhook as the receiver got it. */
export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** How the receiver responds: with a response, not at all, or by closing the connection. */
export type Reply =
  | { status: number; body?: string; headers?: Record<string, string>; endless?: boolean }
  | 'hang'
  | 'drop';

/** A merchant's server for tests: keeps what it receives and responds as configured. */
export interface Receiver {
  url: string;
  received: Received[];
  reply: (received: Received) => Reply | Promise<Reply>;
  close(): Promise<void>;
}

function answer(response: ServerResponse, reply: Reply): void {
  if (reply === 'hang') return;
  if (reply === 'drop') {
    response.socket?.destroy();
    return;
  }
  response.writeHead(reply.status, reply.headers);
  if (reply.endless) response.write(reply.body ?? '');
  else response.end(reply.body);
}

/** Starts a receiver on a free loopback port; it responds 200 until configured otherwise. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const receiver: Omit<Receiver, 'url' | 'close'> = { received, reply: () => ({ status: 200 }) };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const webhook: Received = {
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString('utf8'),
    };
    received.push(webhook);
    answer(response, await receiver.reply(webhook));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return Object.assign(receiver, {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
}
