import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Reply, startService } from '../../test-support/service.ts';

const page = (items: readonly string[], path: string): Reply => {
  const query = new URL(path, 'http://a.example').searchParams;
  const limit = Number(query.get('limit') ?? 10);
  const after = query.get('after');
  const start = after === null ? Number(query.get('offset') ?? 0) : items.indexOf(after) + 1;
  const data = items.slice(start, start + limit).map((id) => ({ id }));
  const last = data.at(-1)?.id;
  const next = last === items.at(-1) ? {} : { next_cursor: last };
  return { body: { data, ...next, ...(after === null && { total: items.length }) } };
};
const ids = (count: number) => Array.from({ length: count }, (_, i) => `pay_${i}`);

async function idsOf(list: AsyncIterable<{ id: string }>): Promise<string[]> {
  const found: string[] = [];
  for await (const { id } of list) found.push(id);
  return found;
}

test('a list that is awaited is one page and its total', async (t) => {
  const { client, arrived } = await startService(t, ({ path }) => page(ids(25), path));
  const { data, total } = await client.payments.list({ limit: 3, offset: 2 });
  assert.deepEqual(
    data.map((p) => p.id),
    ['pay_2', 'pay_3', 'pay_4'],
  );
  assert.equal(total, 25);
  assert.equal(arrived.length, 1);
});

test('a list that is iterated is every item in its order, with the filter at every page', async (t) => {
  const all = ids(230);
  const { client, arrived } = await startService(t, ({ path }) => page(all, path));
  assert.deepEqual(await idsOf(client.payments.list({ status: 'success' })), all);
  assert.deepEqual(
    arrived.map((r) => r.path.split('?')[1]),
    [
      'status=success',
      'limit=100&status=success&after=pay_9',
      'limit=100&status=success&after=pay_109',
      'limit=100&status=success&after=pay_209',
    ],
  );
});

test('iteration begins at the offset and keeps to the page size that were asked for', async (t) => {
  const { client, arrived } = await startService(t, ({ path }) => page(ids(7), path));
  assert.deepEqual(await idsOf(client.payments.list({ limit: 2, offset: 3 })), [
    'pay_3',
    'pay_4',
    'pay_5',
    'pay_6',
  ]);
  assert.equal(arrived.length, 2);
});

test('amounts are added up with the first page alone: beside a cursor the service refuses it', async (t) => {
  const { client, arrived } = await startService(t, ({ path }) => page(ids(12), path));
  assert.deepEqual(await idsOf(client.payments.list({ sum: true })), ids(12));
  assert.deepEqual(
    arrived.map((r) => r.path.split('?')[1]),
    ['sum=true', 'limit=100&after=pay_9'],
  );
});

test('a list becomes an array, up to as many as are asked for', async (t) => {
  const all = ids(230);
  const { client, arrived } = await startService(t, ({ path }) => page(all, path));
  const some = await client.payments.list().toArray(120);
  assert.deepEqual(
    some.map(({ id }) => id),
    all.slice(0, 120),
  );
  assert.equal(arrived.length, 3);
  assert.equal((await client.payments.list().toArray(1_000)).length, 230);
  const { response } = await client.payments.list().withResponse();
  assert.equal(response.status, 200);
});

test('an empty list ends at once', async (t) => {
  const { client, arrived } = await startService(t, ({ path }) => page([], path));
  assert.deepEqual(await idsOf(client.settlements.list()), []);
  assert.equal(arrived.length, 1);
});

test('what is added or removed meanwhile makes nothing come twice or be missed', async (t) => {
  const old = ids(25);
  const { client } = await startService(t, ({ path }, before) =>
    page(before === 0 ? old : ['pay_new1', ...old.slice(3)], path),
  );
  assert.deepEqual(await idsOf(client.payments.list()), old);
});

test('breaking off fetches no further page', async (t) => {
  const { client, arrived } = await startService(t, ({ path }) => page(ids(500), path));
  for await (const { id } of client.payments.list()) if (id === 'pay_4') break;
  assert.equal(arrived.length, 1);
});

test('a page that cannot be fetched ends the iteration with its error', async (t) => {
  const { client } = await startService(t, ({ path }, before) =>
    before === 0
      ? page(ids(50), path)
      : { status: 401, body: { error: { code: 'unauthorized', message: 'No.' } } },
  );
  await assert.rejects(idsOf(client.payments.list()), { code: 'unauthorized' });
});
