import assert from 'node:assert/strict';
import type { LightMyRequestResponse } from 'fastify';
import { type PortalBench, stateOf } from './portal-fixture.ts';

type Answer = LightMyRequestResponse;
type Fields = Record<string, string>;

/** A schedule, and its customer's link. */
export interface Waiting {
  merchantId: string;
  scheduleId: string;
  token: string;
}

/** A customer on the portal, without a browser. Paths are below `/consent`. */
export interface PortalVisitor {
  get(path: string): Promise<Answer>;
  post(path: string, fields?: Fields, headers?: Fields): Promise<Answer>;
  /** Creates a schedule of a new merchant, whose customer has not decided. */
  waiting(changes?: object, merchant?: object): Promise<Waiting>;
  /** Chooses a bank on the current page, and sends its form with every hidden field. */
  choose(token: string, bankId?: string): Promise<Answer>;
  /** Continues to the bank; returns the state that was sent along. */
  depart(token: string, bankId?: string): Promise<string>;
  /** Returns from the bank. */
  arrive(state: string, outcome?: string): Promise<Answer>;
  /** Creates a schedule whose customer has agreed. */
  granted(changes?: object, merchant?: object): Promise<Waiting>;
  statusOf(schedule: Waiting): Promise<string>;
}

/** Returns a page's text: no tags, single spaces. */
export const textOf = (answer: Answer): string =>
  answer.body.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');

/** Returns the version of the terms in a page's form. */
export const termsVersionOf = (answer: Answer): string =>
  /name="terms_version" value="(\d+)"/.exec(answer.body)?.[1] ?? '';

/** Returns a visitor of this bench. */
export function portalVisitor(bench: PortalBench): PortalVisitor {
  const cookies = new Map<string, string>();
  const keep = (answer: Answer): Answer => {
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      if (/Max-Age=0\b/.test(line)) cookies.delete(pair.slice(0, at));
      else cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    return answer;
  };
  const sent = (): string => [...cookies].map((pair) => pair.join('=')).join('; ');
  const visitor: PortalVisitor = {
    get: async (path) =>
      keep(await bench.app.inject({ url: `/consent/${path}`, headers: { cookie: sent() } })),
    post: async (path, fields = {}, headers = {}) =>
      keep(
        await bench.app.inject({
          method: 'POST',
          url: `/consent/${path}`,
          headers: {
            'content-type': 'application/x-www-form-urlencoded',
            cookie: sent(),
            ...headers,
          },
          payload: new URLSearchParams(fields).toString(),
        }),
      ),
    async waiting(changes, merchant) {
      const { merchantId } = await bench.merchant(merchant);
      const { view, token } = await bench.schedule(merchantId, changes);
      return { merchantId, scheduleId: view.id, token };
    },
    async choose(token, bankId = 'alder') {
      const version = termsVersionOf(await visitor.get(token));
      return visitor.post(`${token}/bank`, { bank_id: bankId, terms_version: version });
    },
    async depart(token, bankId = 'alder') {
      const answer = await visitor.choose(token, bankId);
      assert.equal(answer.statusCode, 303);
      return stateOf(answer.headers.location ?? '');
    },
    arrive: (state, outcome = 'code=good') =>
      visitor.post('callback', { fragment: `${outcome}&state=${state}` }),
    async granted(changes, merchant) {
      const schedule = await visitor.waiting(changes, merchant);
      await visitor.arrive(await visitor.depart(schedule.token));
      return schedule;
    },
    async statusOf({ merchantId, scheduleId }) {
      const row = await bench.platform.db.read((tx) =>
        tx.row<{ status: string }>(
          'SELECT status FROM schedules WHERE merchant_id = $1 AND schedule_id = $2',
          [merchantId, scheduleId],
        ),
      );
      return row?.status ?? 'none';
    },
  };
  return visitor;
}
