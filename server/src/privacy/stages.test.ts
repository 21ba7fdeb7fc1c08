import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { assertLaws, dueInAnHour, onlyPaymentOf, refund } from '../../test-support/books.ts';
import { type Harness, openHarness } from '../../test-support/harness.ts';
import { listActivity } from '../dashboard/activity/store.ts';
import { firstPage } from '../platform/http/lists/page.ts';
import { longKeptStages } from './stages.ts';

let h: Harness;
afterEach(() => h.close());

const KIM = { phone: '+447700900322', name: 'Kim Fernsby', email: 'kim@fernsby.example' };

/** A customer with a settled payment, whose schedule was cancelled on 7 January 2026. */
async function leftCustomer(): Promise<{ id: string; customerId: string; paymentId: string }> {
  h = await openHarness('2026-01-05T09:30:00Z');
  const id = await dueInAnHour(h, { customer: KIM, metadata: { note: 'Fernsby' } } as never);
  const { customer } = await h.show(id);
  const { id: paymentId } = await onlyPaymentOf(h, id);
  await h.runUntil('2026-01-07T12:00:00Z');
  await h.update(id, { status: 'cancelled' });
  await h.runUntil('2026-01-09T12:00:00Z');
  return { id, customerId: customer.id, paymentId };
}

const stage = () => {
  const [one] = longKeptStages(h.platform);
  assert.ok(one !== undefined);
  return one;
};

/** Moves the clock, without the years in between, and runs the stage; returns at how many customers it looked. */
async function runAt(at: string): Promise<number> {
  h.clock.at = Temporal.Instant.from(at);
  return stage().run(h.clock.at, 50);
}

const nextDue = async (): Promise<string | undefined> =>
  (await h.db.read((tx) => stage().nextDue(tx)))?.toString();

const rowOf = (customerId: string) =>
  h.db.read((tx) =>
    tx.row<{ name: string | null; erasedAt: Temporal.Instant | null; metadata: unknown }>(
      `SELECT c.name, c.erased_at, s.metadata FROM customers c LEFT JOIN schedules s USING (merchant_id, customer_id)
       WHERE c.customer_id = $1`,
      [customerId],
    ),
  );

test('a customer is erased six years after the end, the merchant reads it, the books and the laws stay', async () => {
  const { id, customerId, paymentId } = await leftCustomer();
  assert.equal(await nextDue(), '2032-01-05T09:30:00Z', 'six years after they were created');
  assert.equal(await runAt('2032-01-05T09:30:00Z'), 1);
  assert.equal((await rowOf(customerId))?.erasedAt, null, 'the schedule was cancelled later');
  assert.equal(await nextDue(), '2032-01-07T12:00:00Z');
  assert.equal(await runAt('2032-01-07T11:59:59Z'), 0);
  assert.equal(await runAt('2032-01-07T12:00:00Z'), 1);
  const { name, erasedAt, metadata } = (await rowOf(customerId)) ?? assert.fail();
  assert.deepEqual([name, erasedAt?.toString(), metadata], [null, '2032-01-07T12:00:00Z', null]);
  assert.equal((await onlyPaymentOf(h, id)).id, paymentId);
  const { data } = await h.db.read((tx) => listActivity(tx, h.merchantId, {}, firstPage(10)));
  assert.deepEqual(
    data.filter(({ toState }) => toState === 'erased').map((one) => [one.actor, one.objectId]),
    [['service', customerId]],
  );
  assert.match(data[0]?.reason ?? '', /relationship ended on 2026-01-07/);
  await assertLaws(h);
  assert.equal(await runAt('2032-01-08T12:00:00Z'), 0, 'a second run finds nobody');
  assert.equal(await nextDue(), undefined);
});

test('a customer with a schedule that is not cancelled is looked at again after as long', async () => {
  h = await openHarness('2026-01-05T09:30:00Z');
  const paused = await h.agreed({ customer: KIM });
  await h.update(paused.id, { status: 'paused' });
  const pending = await h.create({ customer: { phone: '+447700900323', name: 'Lee Elm' } });
  assert.equal(await runAt('2032-02-01T00:00:00Z'), 2);
  for (const { customer } of [paused, pending])
    assert.equal((await rowOf(customer.id))?.erasedAt, null);
  assert.equal(await nextDue(), '2038-02-01T00:00:00Z');
});

test('a refund is part of the relationship: the time begins with its end', async () => {
  const { customerId, paymentId } = await leftCustomer();
  await dueInAnHour(h, { customer: { phone: '+447700900999' } }); // what the refund is paid from
  await refund(h, paymentId, { amount: { value: 1000, currency: 'GBP' } });
  await h.runUntil('2026-01-13T12:00:00Z');
  const [row] = await h.db.read((tx) =>
    tx.rows<{ at: Temporal.Instant }>('SELECT completed_at AS at FROM refunds'),
  );
  const end = row?.at.toZonedDateTimeISO('UTC') ?? assert.fail('the refund was not paid');
  await runAt(end.add({ years: 6 }).subtract({ seconds: 1 }).toInstant().toString());
  assert.equal((await rowOf(customerId))?.erasedAt, null);
  await runAt(end.add({ years: 6 }).toInstant().toString());
  assert.notEqual((await rowOf(customerId))?.erasedAt, null);
});

test('nobody is erased of whom money is open, and it is looked at again within a month', async () => {
  const { customerId } = await leftCustomer();
  const { account } = [...h.issuer.wallets.values()].at(-1)?.wallet ?? assert.fail();
  h.issuer.payIn({ endToEndId: 'a-stranger', amountPence: 250, creditor: account.accountNumber });
  await h.runUntil('2026-01-09T13:00:00Z');
  await runAt('2032-01-07T12:00:00Z');
  assert.equal(await runAt('2032-01-07T12:00:00Z'), 0);
  assert.equal((await rowOf(customerId))?.erasedAt, null);
  assert.equal(await nextDue(), '2032-02-06T12:00:00Z');
});

test('a batch is bounded, and customers without any schedule go six years after they were created', async () => {
  h = await openHarness('2026-01-05T09:30:00Z');
  for (let n = 0; n < 3; n++) {
    const one = await h.create({ customer: { phone: `+44770090034${n}`, name: `Lee ${n}` } });
    await h.update(one.id, { status: 'cancelled' });
  }
  h.clock.at = Temporal.Instant.from('2032-01-06T00:00:00Z');
  assert.deepEqual([await stage().run(h.clock.at, 2), await stage().run(h.clock.at, 2)], [2, 1]);
  const left = await h.db.read((tx) => tx.rows('SELECT FROM customers WHERE erased_at IS NULL'));
  assert.equal(left.length, 0);
});

test('without a time nobody is erased but by hand', async () => {
  h = await openHarness('2026-01-05T09:30:00Z');
  const config = { ...h.platform.config, customersKeptFor: null };
  assert.deepEqual(longKeptStages({ ...h.platform, config }), []);
});
