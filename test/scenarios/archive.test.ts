import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { test } from 'node:test';
import { orderErrors } from '../../server/src/archive/service.ts';
import { showArchived, verifyArchives } from '../../server/src/archive/show.ts';
import type { Db } from '../../server/src/platform/db/db.ts';
import { CUSTOMER_DATA } from '../../server/src/privacy/customer-data-store.ts';
import { listEvents } from '../../server/src/webhooks/event-store.ts';
import { resendEvent } from '../../server/src/webhooks/resend.ts';
import { archived, assertOnce, stored } from '../../server/test-support/archived.ts';
import { asked, assertLaws, paymentsOf } from '../../server/test-support/books.ts';
import { openMonths, sharedMonths, TRACES } from './archive-months.ts';

const openShared = sharedMonths();

test('what is over and old is in files and nowhere else, the laws hold, and nothing in a file names anybody', async (t) => {
  const { h, folder, archive, archives, scheduleId } = await openMonths(t);
  const before = await stored(h.db);
  await archive();
  await assertOnce(h.db, before);
  await assertLaws(h);
  const { names, text } = await archived(h.db);
  for (const table of ['events', 'state_changes', 'deliveries', 'delivery_attempts'])
    assert.ok(
      names.some((name) => name.startsWith(`${table} `)),
      table,
    );
  for (const trace of TRACES) assert.ok(!text.includes(trace), `the archive names ${trace}`);
  const done = await archives();
  assert.deepEqual(
    done.map(({ month, leftOver, startedBy }) => [month, leftOver, startedBy]),
    ['01', '02', '03'].map((month) => [`2026-${month}-01`, 0, 'operator:Robin']),
  );
  assert.deepEqual(await verifyArchives(h.platform), []);
  const files = await readdir(folder, { recursive: true });
  assert.deepEqual(
    files.filter((name) => /work|part/.test(name)),
    [],
  );

  const after = await stored(h.db);
  await archive();
  assert.deepEqual(await stored(h.db), after, 'a second run finds nothing more');
  assert.equal((await archives()).length, done.length);

  await h.runUntil('2026-08-20T12:00:00Z');
  await assertLaws(h);
  assert.equal((await paymentsOf(h, scheduleId)).length, 8, 'the books have every payment');
});

test('every column that an erasure would empty is empty in the archive', async (t) => {
  const { h, archive } = await openShared(t);
  await archive();
  const { text } = await archived(h.db);
  const rows = text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).row);
  for (const table of ['deliveries', 'delivery_attempts', 'events'])
    for (const column of Object.keys(CUSTOMER_DATA[table]?.erased ?? {}))
      for (const row of rows) assert.ok(!row[column], `${table}.${column}`);
  for (const row of rows) assert.ok(!('content' in row) && !('reader_index' in row));
});

test('an archived event is said to be in the archive, and shown by its id, its payment’s and its customer’s', async (t) => {
  const { h, archive, scheduleId, endpointId } = await openShared(t);
  const [payment] = await paymentsOf(h, scheduleId);
  const page = { limit: 1000, offset: 0 };
  const { data: rows } = await h.db.read((tx) =>
    listEvents(tx, h.merchantId, { undelivered: false }, page),
  );
  const event = rows.find(
    ({ subjectId, kind }) => subjectId === payment?.id && kind === 'collection.success',
  );
  const eventId = event?.eventId ?? '';
  await archive();
  const resend = h.db.transaction((tx) =>
    resendEvent(h.platform, asked(h, tx), eventId, endpointId),
  );
  await assert.rejects(resend, {
    code: 'not_found',
    message: /before 2026-04-01T00:00:00.000Z may be in the archive/,
  });
  const { customer } = await h.show(scheduleId);
  for (const id of [eventId, payment?.id ?? '', scheduleId, customer.id]) {
    const shown = await Array.fromAsync(showArchived(h.platform, [id]));
    assert.ok(
      shown.some(({ table, row }) => table === 'events' && row.event_id === eventId),
      id,
    );
    assert.equal(
      (await Array.fromAsync(showArchived(h.platform, [id], '2026-03'))).some(
        ({ row }) => row.event_id === eventId,
      ),
      false,
    );
  }
  assert.deepEqual(
    await Array.fromAsync(showArchived(h.platform, ['evt_0000000000000000000000'])),
    [],
  );
});

test('the database refuses to delete what is in no verified archive', async (t) => {
  const { h } = await openShared(t);
  const remove = h.db.transaction((tx) =>
    tx.run(`SELECT delete_archived('arc_none', $1, '{1}', '{1}', '{}', '{}')`, [h.merchantId]),
  );
  await assert.rejects(remove, /is not verified, or it has ended/);
});

test('a cluster keeps its history: nothing of it is archived', async (t) => {
  const { h, archive, archives } = await openShared(t);
  const before = (await archives()).length;
  const onCluster: Db = { ...h.db, isOnCluster: async () => true };
  await assert.rejects(archive(onCluster), /^Error: a cluster keeps its history/);
  assert.equal((await archives()).length, before);
});

test('an order with too few months or a relative folder is refused by its fields', () => {
  assert.deepEqual(Object.keys(orderErrors({ months: 2, folder: 'here' })), ['months', 'folder']);
  assert.deepEqual(Object.keys(orderErrors({ months: 3.5, folder: '/a' })), ['months']);
  assert.deepEqual(orderErrors({ months: 24, folder: '/a' }), {});
});
