import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openDashboard, type TestDashboard } from '../../../test-support/slices/dashboard.ts';
import type { SavedView } from './view.ts';

let d: TestDashboard;
before(async () => {
  d = await openDashboard();
});
after(() => d.close());

const FAILED = { list: 'payments', name: 'Failed', query: 'q=Robin+Fern&status=failed' };

const save = (view: object): Promise<SavedView> => d.post<SavedView>('/api/views', view);
async function saved(merchantId?: string): Promise<SavedView[]> {
  return (await d.get<{ data: SavedView[] }>('/api/views', merchantId)).data;
}

test('a saved view is listed by name for its own team only, and is sealed in the database', async () => {
  const failed = await save({ ...FAILED, name: '  Failed ' });
  assert.match(failed.id, /^viw_/);
  const early = await save({ list: 'schedules', name: 'at first', query: 'sort=created_at' });
  assert.deepEqual(await saved(), [early, { ...FAILED, id: failed.id }]);
  assert.deepEqual(await saved((await d.h.merchant()).merchantId), []);
  const rows = await d.h.db.transaction((tx) =>
    tx.rows<{ text: string }>('SELECT v::text AS text FROM saved_views v', []),
  );
  for (const { text } of rows) assert.doesNotMatch(text, /Robin|status=|sort=/);
});

test('a view of the same list and name is replaced, one of another list is not', async () => {
  const [first] = (await saved()).filter((one) => one.name === FAILED.name);
  const again = await save({ ...FAILED, query: 'status=failed' });
  assert.deepEqual(again, { ...FAILED, id: first?.id, query: 'status=failed' });
  const other = await save({ ...FAILED, list: 'refunds' });
  assert.notEqual(other.id, again.id);
  assert.equal((await saved()).filter((one) => one.name === FAILED.name).length, 2);
});

test('a deleted view is gone, and nobody deletes one of another team', async () => {
  const [view] = await saved();
  const path = `/api/views/${view?.id}`;
  const { merchantId } = await d.h.merchant();
  const refused = await d.refused('DELETE', path, undefined, merchantId);
  assert.deepEqual([refused.status, refused.body.code], [404, 'not_found']);
  assert.deepEqual(await d.delete(path), { id: view?.id, deleted: true });
  assert.ok((await saved()).every((one) => one.id !== view?.id));
  assert.equal((await d.refused('DELETE', path)).status, 404);
});

test('a wrong view is refused with the field that is wrong', async () => {
  for (const [wrong, field] of [
    [{ ...FAILED, list: 'wallets' }, 'list'],
    [{ ...FAILED, name: '   ' }, 'name'],
    [{ ...FAILED, name: 'n'.repeat(41) }, 'name'],
    [{ ...FAILED, query: 'q'.repeat(2001) }, 'query'],
  ] as const) {
    const { status, body } = await d.refused('POST', '/api/views', wrong);
    assert.deepEqual([status, Object.keys(body.details ?? {})], [400, [field]]);
  }
});

test('a team keeps 100 views; it can replace one, and save another once one is deleted', async () => {
  for (let n = (await saved()).length; n < 100; n += 1)
    await save({ ...FAILED, list: 'events', name: `View ${n}` });
  const another = { ...FAILED, list: 'events', name: 'One more' };
  const { status, body } = await d.refused('POST', '/api/views', another);
  assert.deepEqual([status, Object.keys(body.details ?? {})], [400, ['name']]);
  await save({ ...FAILED, list: 'events', name: 'View 99' });
  const [first] = await saved();
  await d.delete(`/api/views/${first?.id}`);
  assert.equal((await save(another)).name, 'One more');
});
