// Slow: crashes a process in the middle of two hundred changes, many times.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Service } from '../../server/src/app/wiring/service.ts';
import {
  requestScheduleChange,
  runChange,
  showChange,
} from '../../server/src/schedules/many/service.ts';
import { assertLaws } from '../../server/test-support/books.ts';
import { Doomed } from '../../server/test-support/crash.ts';
import { type Harness, openHarness } from '../../server/test-support/harness.ts';
import { asOwner } from '../../server/test-support/owner.ts';
import { testServer } from '../../server/test-support/slices/platform.ts';

const SCHEDULES = 200;

let h: Harness;
let ids: string[];
before(async () => {
  h = await openHarness('2026-01-05T09:30:00Z');
  const indices = Array.from({ length: SCHEDULES }, (_, n) => n);
  ids = [];
  for (let at = 0; at < SCHEDULES; at += 10) {
    const made = await Promise.all(indices.slice(at, at + 10).map(agree));
    ids.push(...made.map((one) => one.id));
  }
  await asOwner(h.db, (tx) => tx.run('ANALYZE')); // as autovacuum does
});
after(() => h.close());

/** Has a customer agree to £49.99, every second one with room for more. */
function agree(n: number) {
  const limit = { value: 100_000, currency: 'GBP' };
  const limits = { per_payment: limit, per_period: limit };
  const customer = { phone: `+44770090${String(1000 + n)}` };
  return h.agreed(n % 2 === 0 ? { customer, limits } : { customer });
}

const asked = <T>(work: (by: Parameters<typeof runChange>[0]) => Promise<T>): Promise<T> =>
  h.db.transaction((tx) =>
    work({ tx, now: h.clock.now(), merchantId: h.merchantId, actorId: 'key_1' }),
  );

const ask = (percent: number, isPreview = false) =>
  asked((by) =>
    requestScheduleChange(h.service.schedules, by, {
      schedule_ids: ids,
      change: { amount: { percent } },
      preview: isPreview,
    }),
  );

/** How many schedules have which number of versions of their terms. */
const versions = () =>
  h.db.read((tx) =>
    tx.rows<{ versions: number; schedules: number }>(
      `SELECT n AS versions, count(*) AS schedules FROM (
         SELECT count(*) AS n FROM schedule_terms GROUP BY schedule_id) v GROUP BY n`,
    ),
  );

/** Runs a process until it crashes; returns whether it did. */
async function runDoomed(step: number, afterwards: boolean): Promise<boolean> {
  const doomed = new Doomed(step, afterwards, 'statement');
  const process: Service = h.another(doomed.wrap);
  await process.engine.drain().catch(() => undefined);
  return doomed.isDead;
}

test(`a process that crashes again and again, in the middle of ${SCHEDULES} schedules: each changes once`, async () => {
  const { id } = await ask(8);
  let crashes = 0;
  // Steps of many lengths: the crash comes within the claim, within lines, and between them.
  for (const step of [1, 3, 7, 12, 21, 40, 90, 150, 333, 700])
    for (const afterwards of [false, true]) {
      if (await runDoomed(step, afterwards)) crashes += 1;
      // Its lease ends.
      h.clock.at = h.clock.at.add({ minutes: 6 });
    }
  assert.ok(crashes > 10, `only ${crashes} crashes`);
  await h.service.engine.drain();
  const { status, done, within_consent, needs_consent } = await asked((by) => showChange(by, id));
  assert.deepEqual([status, done, within_consent, needs_consent], ['done', 200, 100, 100]);
  assert.deepEqual(await versions(), [{ versions: 2, schedules: SCHEDULES }]);
  const trail = await h.db.read((tx) =>
    tx.rows(`SELECT 1 FROM state_changes WHERE to_state = 'changed_with_many'`),
  );
  assert.equal(trail.length, SCHEDULES);
  await assertLaws(h);
});

test('three processes at once, and a second start: each schedule changes once', async () => {
  const { id } = await ask(5, true);
  const started = await Promise.allSettled([
    asked((by) => runChange(by, id)),
    asked((by) => runChange(by, id)),
  ]);
  assert.ok(started.some(({ status }) => status === 'fulfilled'));
  const engines = [h.service.engine, h.another().engine, h.another().engine];
  await Promise.all(engines.map((engine) => engine.drain()));
  const change = await asked((by) => showChange(by, id));
  assert.deepEqual([change.status, change.done, change.failed], ['done', SCHEDULES, 0]);
  assert.deepEqual(await versions(), [{ versions: 3, schedules: SCHEDULES }]);
});

test('a schedule that others change at the same time has the one change or the other, never half of both', async () => {
  const { id } = await ask(2, true);
  await asked((by) => runChange(by, id));
  const others = ids.slice(0, 40).map(async (scheduleId) => {
    await h.update(scheduleId, { amount: { value: 4444, currency: 'GBP' } });
  });
  await Promise.all([h.service.engine.drain(), ...others]);
  await h.service.engine.drain();
  const change = await asked((by) => showChange(by, id));
  assert.equal(change.done, SCHEDULES);
  for (const scheduleId of ids.slice(0, 40))
    assert.deepEqual((await h.show(scheduleId)).amount, { value: 4444, currency: 'GBP' });
  await assertLaws(h);
});

test('the same request twice under one key, at once and afterwards, is one change', async () => {
  const app = await testServer(h.platform, { routes: h.service.routes });
  const post = () =>
    app.inject({
      method: 'POST',
      url: '/api/v1/schedule_changes',
      headers: { authorization: `Bearer ${h.merchantId}`, 'idempotency-key': 'raise-march' },
      payload: { schedule_ids: ids.slice(0, 3), change: { status: 'paused' } },
    });
  const both = await Promise.all([post(), post()]);
  const third = await post();
  await app.close();
  const found = new Set(
    [...both, third].filter((one) => one.statusCode === 200).map((one) => one.json().id),
  );
  assert.equal(found.size, 1);
  await h.service.engine.drain();
  const changes = await h.db.read((tx) =>
    tx.rows(`SELECT 1 FROM schedule_changes WHERE change->>'status' = 'paused'`),
  );
  assert.equal(changes.length, 1);
});
