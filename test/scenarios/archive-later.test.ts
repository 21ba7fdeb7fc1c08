// Slow: lives through many months after they were archived.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkLaws } from '../../server/src/laws/invariants/laws.ts';
import { eraseCustomer, exportCustomer } from '../../server/src/privacy/service.ts';
import { archived, assertOnce, stored } from '../../server/test-support/archived.ts';
import { assertLaws, paymentsOf, refund } from '../../server/test-support/books.ts';
import { asOwner } from '../../server/test-support/owner.ts';
import { openMonths, sharedMonths } from './archive-months.ts';

const openShared = sharedMonths();

test('what is not over stays with all its history, and goes into the archive of its month once it is', async (t) => {
  const { h, archive, archives, scheduleId } = await openMonths(t);
  const [payment] = await paymentsOf(h, scheduleId);
  const paymentId = payment?.id ?? '';
  await h.runUntil('2026-08-10T10:00:00Z');
  await refund(h, paymentId, { amount: { value: 100, currency: 'GBP' } });
  await h.runUntil('2026-08-25T12:00:00Z');
  const before = await stored(h.db);
  await archive();
  await assertOnce(h.db, before);
  const isThere = () =>
    h.db
      .read((tx) =>
        tx.rows<{ changeId: number }>('SELECT change_id FROM state_changes WHERE object_id = $1', [
          paymentId,
        ]),
      )
      .then((rows) => rows.length > 0);
  assert.ok(await isThere(), 'its last refund is not old enough');
  assert.equal((await archives())[0]?.leftOver, 1);
  await h.runUntil('2026-12-20T12:00:00Z');
  const later = [...(await stored(h.db)), ...(await archived(h.db)).names].toSorted();
  await archive();
  await assertOnce(h.db, later);
  assert.ok(!(await isThere()));
  const january = (await archives()).filter(({ month }) => month === '2026-01-01');
  assert.deepEqual(
    january.map(({ leftOver }) => leftOver),
    [1, 0],
  );
  await assertLaws(h);
});

test('what happens to a payment after its month was archived follows into a further archive, a year later', async (t) => {
  const { h, archive, archives, scheduleId } = await openMonths(t);
  await archive();
  const [payment] = await paymentsOf(h, scheduleId);
  await h.runUntil('2026-08-10T10:00:00Z');
  await refund(h, payment?.id ?? '', { amount: { value: 100, currency: 'GBP' } });
  await h.update(scheduleId, { status: 'cancelled' });
  await h.runUntil('2026-12-20T12:00:00Z');
  await assertLaws(h);
  const before = [...(await stored(h.db)), ...(await archived(h.db)).names].toSorted();
  const ofJanuary = async () => {
    await archive();
    await assertOnce(h.db, before);
    await assertLaws(h);
    return (await archives()).filter(({ month }) => month === '2026-01-01').length;
  };
  assert.equal(
    await ofJanuary(),
    1,
    'a month in which nothing was left is not looked at each time',
  );
  await h.db.transaction((tx) =>
    tx.run("UPDATE archives SET horizon = horizon - interval '1 year' WHERE month = '2026-01-01'"),
  );
  assert.equal(await ofJanuary(), 2);
  assert.equal(await ofJanuary(), 2);
});

test('a payment of which something is wrong keeps its history, and so a law that is broken stays broken', async (t) => {
  const { h, archive, archives, scheduleId } = await openShared(t);
  const [, payment] = await paymentsOf(h, scheduleId);
  await asOwner(h.db, async (tx) => {
    const lost = `SELECT event_id FROM events WHERE subject_id = '${payment?.id}' AND kind = 'collection.success'`;
    await tx.run(`DELETE FROM delivery_attempts WHERE delivery_id IN (
      SELECT delivery_id FROM deliveries WHERE event_id IN (${lost}))`);
    await tx.run(`DELETE FROM deliveries WHERE event_id IN (${lost})`);
    await tx.run(`DELETE FROM events WHERE event_id IN (${lost})`);
  });
  const broken = async () =>
    (await checkLaws(h.platform)).flatMap(({ law, broken: some }) => (some.length > 0 ? law : []));
  assert.deepEqual(await broken(), ['one-event-per-outcome']);
  await archive();
  assert.deepEqual(await broken(), ['one-event-per-outcome']);
  const february = (await archives()).find(({ month }) => month === '2026-02-01');
  assert.ok((february?.leftOver ?? 1) > 0);
});

test('a customer whose history is archived is erased as any other, and the export says from when it is whole', async (t) => {
  const { h, archive, scheduleId } = await openMonths(t);
  await archive();
  const { text } = await archived(h.db);
  const { customer } = await h.show(scheduleId);
  await h.update(scheduleId, { status: 'cancelled' });
  await h.runUntil('2026-07-28T12:00:00Z');
  const ref = { merchantId: h.merchantId, customerId: customer.id, reason: 'asked by letter' };
  const held = await h.db.transaction((tx) => exportCustomer(h.platform, tx, h.clock.at, ref));
  assert.equal(held.archived_before, '2026-04-01T00:00:00.000Z');
  await h.db.transaction((tx) =>
    eraseCustomer(h.platform, tx, h.clock.at, { ...ref, metadata: true }),
  );
  assert.equal((await archived(h.db)).text, text, 'no file is changed');
  await assertLaws(h);
});
