import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A bank and a merchant as a customer's browser sees them: on hosts other than ours. */
export interface Sites {
  /** Where customers enter the bank; it redirects them to another of its hosts, as banks do. */
  bankUrl: string;
  merchantUrl: string;
  /** The origins of both. */
  origins: string[];
  close(): Promise<void>;
}

/** Starts both on free loopback ports. */
export async function startSites(): Promise<Sites> {
  const bank = await listen(answerAsBank);
  const merchant = await listen((_request, response) =>
    page(response, 'Fernhill', '<h1>Welcome back to the merchant</h1>'),
  );
  return {
    bankUrl: `http://localhost:${bank.port}/authorise`,
    merchantUrl: `http://localhost:${merchant.port}/thanks`,
    origins: [bank.port, merchant.port].flatMap((port) => [
      `http://localhost:${port}`,
      `http://127.0.0.1:${port}`,
    ]),
    close: async () => {
      await Promise.all([bank.close(), merchant.close()]);
    },
  };
}

function answerAsBank(request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
  const { search, searchParams: asked } = url;
  if (url.pathname === '/authorise') {
    response.writeHead(302, { location: `http://127.0.0.1:${url.port}/sign-in${search}` }).end();
  } else if (request.method === 'POST') {
    const outcome = url.pathname === '/approve' ? 'code=good' : 'error=access_denied';
    const home = `${asked.get('redirect_uri')}#${outcome}&state=${asked.get('state')}`;
    response.writeHead(303, { location: home }).end();
  } else {
    const query = search.replaceAll('&', '&amp;');
    const form = (path: string, label: string): string =>
      `<form method="post" action="${path}${query}"><button>${label}</button></form>`;
    page(
      response,
      'Alder Bank',
      `<h1>Sign in</h1>${form('/approve', 'Approve')}${form('/refuse', 'Refuse')}`,
    );
  }
}

function page(response: ServerResponse, title: string, body: string): void {
  const head = `<meta charset="utf-8"><title>${title}</title><link rel="icon" href="data:,">`;
  response
    .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    .end(`<!doctype html><html lang="en-GB">${head}${body}</html>`);
}

async function listen(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<{ port: number; close(): Promise<void> }> {
  const server = createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
