import type { FastifyInstance } from 'fastify';
import type { Harness } from './harness.ts';
import { testServer } from './slices/platform.ts';

/** An HTTP response. */
export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: whatever JSON came back, as a merchant's program would read it
  body: any;
}

/** The API of a harness over HTTP, every response checked against its schema; a merchant's key is its id. */
export interface HttpSide {
  call(
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    body?: object,
    merchantId?: string,
  ): Promise<Answer>;
  /** Listens too, for programs; returns where. */
  listen(): Promise<string>;
  close(): Promise<void>;
}

/** Serves a harness's API. */
export async function openHttp(h: Harness): Promise<HttpSide> {
  const app: FastifyInstance = await testServer(h.platform, { routes: h.service.routes });
  return {
    async call(method, path, body, merchantId = h.merchantId) {
      const answer = await app.inject({
        method,
        url: `/api/v1${path}`,
        headers: { authorization: `Bearer ${merchantId}` },
        ...(body === undefined ? {} : { payload: body }),
      });
      return { status: answer.statusCode, body: answer.json() };
    },
    listen: () => app.listen({ port: 0, host: '127.0.0.1' }),
    close: () => app.close(),
  };
}
