import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { asOwner } from '../../../test-support/owner.ts';
import {
  type Merchant,
  startTestWebhooks,
  type TestWebhooks,
} from '../../../test-support/slices/webhooks.ts';
import { appendEvents } from '../../platform/state/events.ts';

interface Feed {
  data: { id: string; kind: string; body: string; cursor: string }[];
  next_cursor: string;
  has_more: boolean;
}
interface Refusal {
  error: { code: string; details: Record<string, string> };
}

let world: TestWebhooks;
let merchant: Merchant;

before(async () => {
  world = await startTestWebhooks();
});
beforeEach(async () => {
  merchant = await world.merchant();
});
after(() => world.close());

const read = (after: string, limit = 100): Promise<Feed> =>
  merchant.call<Feed>('GET', `/events/feed?after=${after}&limit=${limit}`);
/** Reads until so many events are there: transactions of other tests may hold up the feed. */
async function feed(count: number, after = 'start'): Promise<Feed> {
  for (const since = performance.now(); ; ) {
    const page = await read(after);
    if (page.data.length >= count || performance.now() - since > 120_000) return page;
  }
}
const idsOf = ({ data }: Feed): string[] => data.map((event) => event.id);

test('the feed has every event once, in the order of its commits, whatever the sandbox’s clock does', async () => {
  const early = await merchant.occur(2);
  world.pass({ hours: -24 });
  const later = await merchant.occur(1, 'schedule.paused');
  const whole = await feed(3);
  assert.deepEqual(idsOf(whole), [...early, ...later]);
  assert.equal(whole.data[2]?.kind, 'schedule.paused');
  assert.equal(JSON.parse(whole.data[2]?.body ?? '').event, 'schedule.paused');
  const first = await read('start', 2);
  assert.deepEqual([idsOf(first), first.has_more], [early, true]);
  const second = await read(first.next_cursor, 2);
  assert.deepEqual([idsOf(second), second.has_more], [later, false]);
  world.pass({ hours: 24 });
});

test('where nothing has come, the cursor stays, and what comes later is behind it', async () => {
  assert.deepEqual(await read('start'), { data: [], next_cursor: 'start', has_more: false });
  await merchant.occur(1);
  const { next_cursor: cursor, data } = await feed(1);
  assert.equal(data[0]?.cursor, cursor);
  assert.deepEqual(await read(cursor), { data: [], next_cursor: cursor, has_more: false });
  const next = await merchant.occur(1);
  assert.deepEqual(idsOf(await feed(1, cursor)), next);
});

test('an event behind a transaction that is not committed yet is shown once that has ended', async () => {
  const { platform } = world;
  const one = { merchantId: merchant.id, kind: 'test', scheduleId: null, subjectId: 'x', data: {} };
  const written = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const slow = platform.db.transaction(async (tx) => {
    const ids = await appendEvents({ platform, tx, now: platform.clock.at }, [one]);
    written.resolve();
    await release.promise;
    return ids;
  });
  await written.promise;
  const quick = await merchant.occur(1);
  assert.deepEqual(idsOf(await read('start')), [], 'the earlier one may still come');
  release.resolve();
  assert.deepEqual(idsOf(await feed(2)), [...(await slow), ...quick]);
});

test('a position is taken in a transaction that has an id, also where its event is all that it writes', async () => {
  const { db } = world.platform;
  const found = await db.read((tx) =>
    tx.row<{ position: string }>(
      `SELECT pg_get_expr(d.adbin, d.adrelid) AS position FROM pg_attrdef d
       JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
       WHERE d.adrelid = 'events'::regclass AND a.attname = 'position'`,
    ),
  );
  const transactionOfPosition = () =>
    db.transaction(async (tx) => {
      await tx.row(`SELECT ${found?.position} AS position`);
      return tx.row<{ id: string | null }>('SELECT pg_current_xact_id_if_assigned()::text AS id');
    });
  await transactionOfPosition(); // now and then a sequence logs what it gives out, and its transaction has an id anyway
  assert.notEqual((await transactionOfPosition())?.id, null);
});

test('what is no cursor of the feed is refused, and named', async () => {
  await merchant.occur(2);
  const list = await merchant.call<{ next_cursor: string }>('GET', '/events?limit=1');
  for (const cursor of ['nonsense', list.next_cursor]) {
    const path = `/events/feed?after=${cursor}`;
    const { error } = await merchant.call<Refusal>('GET', path, undefined, 400);
    assert.deepEqual([error.code, Object.keys(error.details)], ['invalid_request', ['after']]);
  }
});

test('a cursor whose event is in the archive, was lost or belongs to another merchant is 410', async () => {
  const [lost = ''] = await merchant.occur(1);
  const { next_cursor: cursor } = await feed(1);
  const other = await world.merchant();
  await other.occur(1);
  const gone = async (of: Merchant): Promise<void> => {
    const path = `/events/feed?after=${cursor}`;
    const { error } = await of.call<Refusal>('GET', path, undefined, 410);
    assert.deepEqual([error.code, Object.keys(error.details)], ['cursor_gone', ['after']]);
  };
  await gone(other);
  await asOwner(world.platform.db, (tx) =>
    tx.run('DELETE FROM events_without_endpoint WHERE event_id = $1', [lost]),
  );
  await asOwner(world.platform.db, (tx) =>
    tx.run('DELETE FROM events WHERE event_id = $1', [lost]),
  );
  await gone(merchant);
  const next = await merchant.occur(1);
  assert.deepEqual(idsOf(await feed(1)), next, 'start is always there');
});
