import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type AdminCaller, type TestAdmin, testAdmin } from '../../test-support/admin.ts';
import { type Harness, openHarness } from '../../test-support/harness.ts';
import type { List } from '../platform/http/lists/page.ts';
import { adminRoutes } from './routes.ts';

let h: Harness;
let admin: TestAdmin;
let robin: AdminCaller;
let listPaths: string[];

before(async () => {
  h = await openHarness('2026-03-02T10:00:00Z');
  const { platform, issuer, bank } = h;
  const banks = new Map(
    ['a', 'b', 'c'].map((bankId) => [bankId, Object.assign(Object.create(bank), { bankId })]),
  );
  const { distrustKey } = h.service;
  const routes = adminRoutes({ platform, issuer, banks, distrustKey });
  admin = await testAdmin(platform, routes);
  listPaths = routes
    .filter(({ query }) => Object.hasOwn(Object(query).properties ?? {}, 'after'))
    .map(({ path }) => path.replace('/admin/v1', ''));
  robin = await admin.as('Robin Fern');
  await admin.as('Kim Ash');
  await h.merchant();
  await h.merchant();
  const reason = 'ticket 4711';
  for (const email of ['a@ops.example', 'b@ops.example', 'c@ops.example'])
    await robin.must('PUT', `/operators/${robin.operatorId}/email`, { email, reason });
  for (const id of ['a', 'b']) await robin.must('POST', `/banks/${id}/stop`, { reason });
});
after(async () => {
  await admin.app.close();
  await h.close();
});

const read = (path: string, query: object): Promise<List<object>> =>
  robin.must('GET', `${path}?${new URLSearchParams({ ...query, limit: '1' })}`);

const LISTS = ['/operators', '/merchants', '/activity', '/banks', '/requests', '/users'];
const EMPTY = ['/unallocated', '/overdue', '/payments/waiting', '/reconciliation/differences'];

test('each list is the same by cursor as by offset, and counted by offset alone', async () => {
  for (const path of LISTS) {
    const first = await read(path, {});
    const byOffset: object[] = [];
    for (let offset = 0; offset < (first.total ?? 0); offset++)
      byOffset.push(...(await read(path, { offset })).data);
    const byCursor: object[] = [];
    for (let after: string | undefined = 'start'; after !== undefined; ) {
      const page: List<object> = await read(path, { after });
      assert.equal(page.total, undefined);
      byCursor.push(...page.data);
      after = page.next_cursor;
    }
    assert.deepEqual(byCursor, byOffset, path);
  }
  for (const path of EMPTY) assert.deepEqual(await read(path, { after: 'start' }), { data: [] });
});

test('a cursor of another list or filter is refused, and an offset beside one', async () => {
  const { next_cursor: after = '' } = await read('/banks', {});
  for (const [path, field] of [
    [`/overdue?after=${after}`, 'after'],
    [`/merchants?after=${after}`, 'after'],
    [`/banks?after=${after}&offset=1`, 'offset'],
  ] as const) {
    const { status, body } = await robin.call('GET', path);
    assert.deepEqual([status, Object.keys(body.error.details)], [400, [field]], path);
  }
});

test('every list that is mounted knows its cursors', async () => {
  assert.ok(listPaths.length > 10, `${listPaths}`);
  for (const path of listPaths.map((one) => one.replace(':id', robin.operatorId))) {
    const { status, body } = await robin.call('GET', `${path}?after=bm90IG91cnM`);
    // Where the id is of another noun, there is nothing to list.
    if (status === 404) continue;
    assert.deepEqual([status, Object.keys(body.error?.details ?? {})], [400, ['after']], path);
    assert.equal((await read(path, { after: 'start' })).total, undefined, path);
  }
});
