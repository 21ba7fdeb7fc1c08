import assert from 'node:assert/strict';
import { after, afterEach, before, type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Tx } from '../../server/src/platform/db/db.ts';
import { endChecks } from '../../server/src/schedules/books/check-store.ts';
import { lockAgainstChanges } from '../../server/src/schedules/books/due-store.ts';
import { lockSchedule } from '../../server/src/schedules/books/store.ts';
import { assertLaws, paymentsOf } from '../../server/test-support/books.ts';
import { Gate } from '../../server/test-support/gate.ts';
import { type Harness, openHarness } from '../../server/test-support/harness.ts';
import { allDue } from './acts.ts';

let h: Harness;
before(async () => {
  h = await openHarness('2026-01-05T09:30:00Z');
});
afterEach(async () => {
  await h.runUntil(h.clock.at.add({ hours: 1 }));
  await assertLaws(h);
});
after(() => h.close());

/** Holds the locks that `work` takes until the function returned is called, or the test ends. */
async function holding(
  t: TestContext,
  work: (tx: Tx) => Promise<unknown>,
): Promise<() => Promise<void>> {
  const gate = new Gate();
  const held = h.db.transaction(async (tx) => {
    await work(tx);
    await gate.pass();
  });
  t.after(() => gate.open());
  await gate.reached;
  return () => {
    gate.open();
    return held;
  };
}

const KEPT: readonly (readonly [string, (id: string) => (tx: Tx) => Promise<unknown>])[] = [
  ['a change of its schedule', (id) => (tx) => lockSchedule(tx, h.merchantId, id)],
  [
    'the planning of a retry',
    (scheduleId) => (tx) => lockAgainstChanges(tx, [{ merchantId: h.merchantId, scheduleId }]),
  ],
];

for (const [what, locks] of KEPT)
  test(`${what} keeps an occurrence from being opened, and no other`, async (t) => {
    const [id = '', other = ''] = await allDue(h, 2);
    const release = await holding(t, locks(id));
    await h.service.engine.drain();
    assert.deepEqual(await paymentsOf(h, id), []);
    assert.equal((await paymentsOf(h, other))[0]?.status, 'success');
    await release();
    await h.service.engine.drain();
    assert.equal((await paymentsOf(h, id))[0]?.status, 'success');
  });

test('an occurrence that is due is opened before its terms change, though an event is just being numbered', async (t) => {
  const [id = ''] = await allDue(h, 1);
  const release = await holding(t, (tx) =>
    tx.run('UPDATE schedule_agenda SET last_event = last_event WHERE schedule_id = $1', [id]),
  );
  const changed = h.update(id, { amount: { value: 1000, currency: 'GBP' } });
  await setTimeout(200);
  await release();
  await changed;
  await h.service.engine.drain();
  const payments = await paymentsOf(h, id);
  assert.deepEqual(
    payments.map((payment) => [payment.status, payment.amount.value]),
    [['success', 4999]],
  );
});

test('checks that end while events of the same schedules are numbered wait for nobody in a ring', async (t) => {
  const ids = (await allDue(h, 2)).toSorted();
  const [first = '', last = ''] = ids;
  const lease = h.clock.at.add({ hours: 24 });
  await h.db.transaction((tx) => tx.run('UPDATE schedule_agenda SET check_at = $1', [lease]));
  let tries = 0;
  const gate = new Gate();
  const numbering = h.db.transaction(async (tx) => {
    tries += 1;
    const number = (id: string): Promise<number> =>
      tx.run('UPDATE schedule_agenda SET last_event = last_event WHERE schedule_id = $1', [id]);
    await number(first);
    await gate.pass();
    await number(last);
  });
  t.after(() => gate.open());
  await gate.reached;
  const ended = h.db.transaction((tx) => {
    tries += 1;
    const check = (id: string) => ({ merchantId: h.merchantId, scheduleId: id, consent: null });
    return endChecks(tx, lease, ids.toReversed().map(check));
  });
  await setTimeout(200);
  gate.open();
  await Promise.all([numbering, ended]);
  assert.equal(tries, 2, 'nobody had to be tried again: no deadlock');
  const left = await h.db.read((tx) =>
    tx.rows('SELECT FROM schedule_agenda WHERE check_at = $1 AND schedule_id = ANY($2)', [
      lease,
      ids,
    ]),
  );
  assert.equal(left.length, 0);
});
