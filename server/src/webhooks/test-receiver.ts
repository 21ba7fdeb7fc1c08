import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A webhook as it reached the receiver. */
export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** What the receiver answers: a response, nothing at all, or a closed connection. */
export type Reply =
  | { status: number; body?: string; headers?: Record<string, string>; endless?: boolean }
  | 'hang'
  | 'drop';

/** A merchant's server of the tests: keeps what reaches it and answers as it is told. */
export interface Receiver {
  url: string;
  received: Received[];
  reply: (received: Received) => Reply;
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

/** Starts a receiver on a free port of loopback; it answers 200 until told otherwise. */
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
    answer(response, receiver.reply(webhook));
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
