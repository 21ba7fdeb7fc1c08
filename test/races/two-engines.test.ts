import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertLaws, eventsOf } from '../../server/test-support/books.ts';
import { type Harness, openHarness } from '../../server/test-support/harness.ts';
import { asOwner } from '../../server/test-support/owner.ts';

const SCHEDULES = 300;

let h: Harness;
before(async () => {
  h = await openHarness('2026-01-05T09:30:00Z');
});
after(() => h.close());

/** Has many customers agree at the same time. */
async function manyAgree(): Promise<void> {
  const indices = Array.from({ length: SCHEDULES }, (_, n) => n);
  for (let at = 0; at < SCHEDULES; at += 10)
    await Promise.all(
      indices
        .slice(at, at + 10)
        .map((n) => h.agreed({ customer: { phone: `+44770090${String(1000 + n)}` } })),
    );
}

test(`two processes over ${SCHEDULES} due schedules: one payment each, one debit each, one event each`, async () => {
  await manyAgree();
  const engines = [h.service.engine, h.another().engine, h.another().engine];
  h.clock.at = Temporal.Instant.from('2026-01-10T09:00:00Z');
  for (let round = 0; round < 3; round++)
    await Promise.all(engines.map((engine) => engine.drain()));
  const paid = await h.db.read((tx) =>
    tx.rows<{ status: string; n: number; schedules: number; attempts: number }>(
      `SELECT status, count(*) AS n, count(DISTINCT schedule_id) AS schedules, sum(attempts)::int AS attempts
       FROM payments GROUP BY status`,
    ),
  );
  assert.deepEqual(paid, [
    { status: 'success', n: SCHEDULES, schedules: SCHEDULES, attempts: SCHEDULES },
  ]);
  assert.equal(h.bank.payments.size, SCHEDULES);
  assert.equal(new Set(h.bank.submitted).size, h.bank.submitted.length, 'nobody asked twice');
  const told = (await eventsOf(h)).filter((e) => e.kind === 'collection.success');
  assert.equal(told.length, SCHEDULES);
  await asOwner(h.db, (tx) => tx.run('ANALYZE')); // as autovacuum does
  await assertLaws(h);
});

test('two processes settle a day once', async () => {
  const engines = [h.service.engine, h.another().engine];
  h.clock.at = Temporal.Instant.from('2026-01-13T06:00:00Z');
  for (let round = 0; round < 2; round++)
    await Promise.all(engines.map((engine) => engine.drain()));
  const settlements = await h.db.read((tx) =>
    tx.rows<{ status: string; amountPence: number }>(
      'SELECT status, amount_pence FROM settlements',
    ),
  );
  assert.deepEqual(settlements, [{ status: 'success', amountPence: SCHEDULES * 4999 }]);
  assert.equal([...h.issuer.orders.values()].filter((m) => m.kind === 'payout').length, 1);
  await assertLaws(h);
});
