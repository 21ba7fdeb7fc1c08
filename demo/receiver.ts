import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifyWebhook } from '@recollect/sdk';

/** A merchant's webhook receiver that checks every signature before it trusts a webhook. */
export interface Receiver {
  url: string;
  /** Sets the secret that the endpoint was created with. */
  trust(secret: string): void;
  close(): Promise<void>;
}

/** Starts a receiver on a free port; `told` gets a line for each webhook. */
export async function startReceiver(told: (line: string) => void): Promise<Receiver> {
  let secret = '';
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const payload = Buffer.concat(chunks);
      try {
        const webhook = await verifyWebhook({ payload, headers: request.headers, secret });
        const moment = String(request.headers['x-sandbox-time'] ?? '')
          .slice(0, 19)
          .replace('T', ' ');
        told(`${moment}  ${webhook.event}, signature verified  ${JSON.stringify(webhook.data)}`);
        response.writeHead(200).end();
      } catch (error) {
        told(`refused: ${error instanceof Error ? error.message : error}`);
        response.writeHead(400).end();
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    trust: (given) => {
      secret = given;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
