import {
  createServer,
  type IncomingHttpHeaders,
  type RequestListener,
  type Server,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { Recollect } from '@recollect/sdk';

/** A request as it arrived. */
export interface Arrived {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** What is sent back: null drops the connection, `never` leaves it open without an answer. */
export type Reply =
  | { status?: number; body?: unknown; text?: string; headers?: Record<string, string> }
  | null
  | 'never';

/** A real HTTP server that answers as it is told, and a client for it. */
export interface TestService {
  url: string;
  arrived: Arrived[];
  client: Recollect;
}

/** Starts one that stops with the test. `answer` gets each request with the number of those before it. */
export async function startService(
  t: TestContext,
  answer: (request: Arrived, before: number) => Reply,
): Promise<TestService> {
  const arrived: Arrived[] = [];
  const listener: RequestListener = async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', url = '', headers } = request;
    const one = { method, path: url, headers, body: Buffer.concat(chunks).toString() };
    arrived.push(one);
    const reply = answer(one, arrived.length - 1);
    if (reply === 'never') return;
    if (reply === null) return void request.socket.destroy();
    const type = { 'content-type': 'application/json', 'x-request-id': `req_${arrived.length}` };
    response.writeHead(reply.status ?? 200, { ...type, ...reply.headers });
    response.end(reply.text ?? JSON.stringify(reply.body ?? {}));
  };
  const server = createServer(listener);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  t.after(() => stop(server));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, arrived, client: new Recollect({ apiKey: 'rk_test_key', baseUrl: url }) };
}

function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => void server.close(() => resolve()));
}

/** An error as the service answers it. */
export function refusal(
  status: number,
  code: string,
  details?: Record<string, string>,
): { status: number; body: object } {
  return {
    status,
    body: { error: { code, message: `It is ${code}.`, ...(details && { details }) } },
  };
}
