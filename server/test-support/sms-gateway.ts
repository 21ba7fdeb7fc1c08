import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request as the gateway received it. */
export interface GatewayRequest {
  key: string;
  authorization: string;
  body: { id: string; to: string; sender_name: string; text: string };
}

/** A real HTTP gateway for text messages, which delivers what has the same idempotency key once. */
export interface SmsGateway {
  url: string;
  token: string;
  requests: GatewayRequest[];
  /** What reached a phone. */
  delivered: GatewayRequest['body'][];
  /** Its next responses in place of 202, first one first; null: it never responds. */
  refusals: (number | null)[];
  close(): Promise<void>;
}

/** Starts a gateway on a free port. */
export async function startSmsGateway(token = 'sms-token-for-tests'): Promise<SmsGateway> {
  const requests: GatewayRequest[] = [];
  const keys = new Set<string>();
  const messages: GatewayRequest['body'][] = [];
  const refusals: SmsGateway['refusals'] = [];
  const server = createServer((request, response) => {
    void text(request).then((raw) => {
      const body = JSON.parse(raw) as GatewayRequest['body'];
      const { authorization = '' } = request.headers;
      const key = String(request.headers['idempotency-key']);
      requests.push({ key, authorization, body });
      const refusal = refusals.shift();
      if (refusal === null) return;
      // A provider's error may well quote the number.
      const end = (status: number) =>
        response.writeHead(status, { location: '/elsewhere' }).end(`${status} ${body.to}`);
      if (refusal !== undefined) return end(refusal);
      if (authorization !== `Bearer ${token}`) return end(401);
      if (!keys.has(key)) messages.push(body);
      keys.add(key);
      return end(202);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/messages`,
    token,
    requests,
    delivered: messages,
    refusals,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
