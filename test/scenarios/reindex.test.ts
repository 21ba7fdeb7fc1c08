import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reindexCustomers } from '../../server/src/customers/reindex.ts';
import { reindexSchedules } from '../../server/src/schedules/books/reindex.ts';
import { openHarness } from '../../server/test-support/harness.ts';
import { openHttp } from '../../server/test-support/http-side.ts';
import { asOwner } from '../../server/test-support/owner.ts';

test('customers and schedules of a version that folded text otherwise are found after a new index', async (t) => {
  const h = await openHarness('2026-01-05T09:30:00Z');
  const http = await openHttp(h);
  t.after(async () => {
    await http.close();
    await h.close();
  });
  const made = await http.call('POST', '/schedules', {
    amount: { value: 1200, currency: 'GBP' },
    frequency: 'monthly',
    customer: { type: 'phone', value: '+447700900123', name: 'Łukasz Wałęsa' },
    description: 'Kurs w Łodzi',
  });
  assert.equal(made.status, 200, JSON.stringify(made.body));
  const found = async (path: string): Promise<number> => (await http.call('GET', path)).body.total;
  assert.equal(await found('/customers?q=Lukasz%20walesa'), 1);
  await asOwner(h.db, (tx) => tx.run('DELETE FROM customer_words'));
  await asOwner(h.db, (tx) => tx.run('DELETE FROM schedule_words'));
  assert.equal(await found('/customers?q=Lukasz'), 0);
  assert.equal(await reindexCustomers(h.platform), 1);
  assert.equal(await reindexSchedules(h.platform), 1);
  assert.equal(await reindexCustomers(h.platform), 1, 'a second time changes nothing');
  for (const typed of ['Lukasz', 'WALESA', 'Łukasz'])
    assert.equal(await found(`/customers?q=${encodeURIComponent(typed)}`), 1, typed);
  const words = await h.db.read((tx) =>
    tx.rows<{ word: string }>('SELECT word FROM schedule_words ORDER BY word'),
  );
  assert.ok(words.some(({ word }) => word === 'lodzi'));
});
