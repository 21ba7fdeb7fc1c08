import assert from 'node:assert/strict';
import type { FastifyInstance } from 'fastify';
import type { List } from '../src/platform/http/lists/page.ts';

/** The response of an endpoint. */
export interface Called<T> {
  status: number;
  body: T;
}

/** Calls an endpoint as a merchant whose id is its key (`testServer`); with a body it is a POST. */
export async function callAs<T>(
  app: FastifyInstance,
  merchantId: string,
  url: string,
  body?: object,
): Promise<Called<T>> {
  const headers = { authorization: `Bearer ${merchantId}` };
  const call = body === undefined ? {} : { method: 'POST' as const, payload: body };
  const answer = await app.inject({ url, headers, ...call });
  return { status: answer.statusCode, body: answer.json<T>() };
}

/** Calls an endpoint, asserts success and returns the body. */
export async function readAs<T>(app: FastifyInstance, merchantId: string, url: string): Promise<T> {
  const { status, body } = await callAs<T>(app, merchantId, url);
  assert.equal(status, 200, `${url}: ${JSON.stringify(body)}`);
  return body;
}

/** Returns every item of a list, page by page. */
export async function allOf<T>(
  app: FastifyInstance,
  merchantId: string,
  url: string,
  limit: number,
): Promise<T[]> {
  const items: T[] = [];
  let after: string | undefined = 'start';
  for (let pages = 0; after !== undefined; pages++) {
    assert.ok(pages < 1000, 'a list without end');
    const query: string = `${url.includes('?') ? '&' : '?'}limit=${limit}&after=${after}`;
    const { data, next_cursor }: List<T> = await readAs(app, merchantId, url + query);
    assert.ok(data.length === limit || (data.length < limit && next_cursor === undefined));
    items.push(...data);
    after = next_cursor;
  }
  return items;
}
