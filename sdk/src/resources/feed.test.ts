import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RecollectRequestError } from '@recollect/sdk';
import { type Arrived, type Reply, refusal, startService } from '../../test-support/service.ts';

const body = (n: number) =>
  JSON.stringify({ event: 'collection.success', data: { payment_id: `pay_${n}` } });

/** Answers with the events behind a cursor, of as many as have come by then. */
function feedOf(come: () => number): (request: Arrived) => Reply {
  return ({ path }) => {
    const query = new URL(path, 'http://a.example').searchParams;
    const after = Number((query.get('after') ?? '').replace('start', '0'));
    const limit = Number(query.get('limit'));
    const last = Math.min(come(), after + limit);
    const data = Array.from({ length: last - after }, (_, i) => {
      const n = after + i + 1;
      return { id: `evt_${n}`, kind: 'collection.success', body: body(n), cursor: `${n}` };
    });
    return {
      body: { data, next_cursor: last === 0 ? 'start' : `${last}`, has_more: last < come() },
    };
  };
}

test('a feed that is awaited is one page, and where it goes on', async (t) => {
  const { client, arrived } = await startService(
    t,
    feedOf(() => 3),
  );
  const page = await client.events.follow({ after: '1', limit: 1 });
  assert.deepEqual(
    [page.data.map((event) => event.id), page.next_cursor, page.has_more],
    [['evt_2'], '2', true],
  );
  assert.equal(arrived[0]?.path, '/api/v1/events/feed?limit=1&after=1');
});

test('a feed that is followed is every event once, and those that come later', async (t) => {
  let come = 5;
  const { client } = await startService(
    t,
    feedOf(() => come),
  );
  const seen: string[] = [];
  for await (const event of client.events.follow({ limit: 2 }, { pollMs: 1 })) {
    seen.push(event.id);
    if (event.webhook.event === 'collection.success' && event.id === 'evt_5') come = 7;
    if (event.id === 'evt_7') break;
  }
  assert.deepEqual(
    seen,
    Array.from({ length: 7 }, (_, i) => `evt_${i + 1}`),
  );
});

test('following ends with the reason of the caller’s signal, also while it waits', async (t) => {
  const { client, arrived } = await startService(
    t,
    feedOf(() => 0),
  );
  const ending = new AbortController();
  const { signal } = ending;
  const following = (async () => {
    for await (const event of client.events.follow({}, { signal, pollMs: 60_000 }))
      assert.fail(event.id);
  })();
  while (arrived.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  ending.abort(new Error('enough'));
  await assert.rejects(following, /^Error: enough$/);
});

test('a cursor that is gone ends it with its code', async (t) => {
  const { client } = await startService(t, () => refusal(410, 'cursor_gone', { after: 'gone' }));
  await assert.rejects(
    async () => {
      for await (const event of client.events.follow({ after: 'old' })) assert.fail(event.id);
    },
    (error) => error instanceof RecollectRequestError && error.code === 'cursor_gone',
  );
});
