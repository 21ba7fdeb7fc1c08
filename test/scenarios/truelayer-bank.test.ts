import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { PushedNotice } from '../../server/src/banks/bank.ts';
import { bankNotificationRoutes } from '../../server/src/banks/routes.ts';
import { assertLaws, bankConsentOf, kindsOf, paymentsOf } from '../../server/test-support/books.ts';
import { type Harness, openHarness } from '../../server/test-support/harness.ts';
import { testServer } from '../../server/test-support/slices/platform.ts';
import {
  openTrueLayerBench,
  type TrueLayerBench,
} from '../../server/test-support/truelayer/bench.ts';
import { assertConform, noTrueLayerFacts } from '../../server/test-support/truelayer/document.ts';

// TrueLayer as the way to a bank: notices, lost answers and mandates that end, against the fake.

const START = '2026-01-05T09:30:00Z';
let h: Harness;
let t: TrueLayerBench;
let door: Awaited<ReturnType<typeof testServer>>;

/** Opens the service with TrueLayer as its bank, whose notices come through the door while `isHeard`. */
async function open(): Promise<void> {
  let opened: Harness | null = null;
  const now = (): Temporal.Instant => opened?.clock.at ?? Temporal.Instant.from(START);
  t = await openTrueLayerBench(now);
  const { connection, fake } = t;
  const bank = connection.bank('ob-rowan', 'Rowan Bank');
  const baseUrl = 'https://recollect.example';
  h = await openHarness(START, { baseUrl }, { bank: () => bank });
  opened = h;
  fake.vrp.onCredit = (creditor, amountPence) =>
    void h.issuer.payIn({ creditor, amountPence, endToEndId: '' });
  const { receiver } = connection;
  assert.ok(receiver);
  const doors = bankNotificationRoutes(
    h.platform,
    { banks: new Map(), receivers: new Map([[receiver.bankId, receiver]]) },
    h.service.receive,
  );
  door = await testServer(h.platform, { routes: [], plain: doors });
}

afterEach(async () => {
  if (noTrueLayerFacts === false) assertConform(t.fake.exchanges);
  await assertLaws(h);
  await door.close();
  await h.close();
  await t.close();
});

/** Delivers a notice as TrueLayer does; returns the status of the answer. */
async function deliver({ path, headers, body }: PushedNotice): Promise<number> {
  const answer = await door.inject({
    method: 'POST',
    url: path,
    headers: headers as Record<string, string>,
    payload: body,
  });
  return answer.statusCode;
}

/** Delivers everything that was told since the last time. */
async function deliverAll(): Promise<void> {
  t.fake.vrp.execute();
  for (const notice of t.fake.told.splice(0)) assert.equal(await deliver(notice), 202);
}

/** The customer goes to the bank, agrees there, and comes back with nothing. */
async function agreed(): Promise<string> {
  const customer = { type: 'phone', value: '+447700900123', name: 'Ada Moss' };
  const created = await h.create({ start_date: '2026-01-05T10:30:00Z', customer });
  const state = await h.begin(created.consent_url);
  const mandate = [...t.fake.vrp.mandates.keys()].at(-1) ?? '';
  t.fake.vrp.decide(`https://bank.example/?mandate=${mandate}`, 'ordinary', true);
  assert.equal(await h.complete(state), 'granted');
  await deliverAll();
  return created.id;
}

const orders = (): number =>
  t.fake.exchanges.filter(({ method, path }) => `${method} ${path}` === 'POST /payments').length;

test('a notice of a mandate that was revoked at the bank has it read at once, and again an hour later', async () => {
  await open();
  const id = await agreed();
  await h.runUntil('2026-01-05T10:31:00Z');
  await deliverAll();
  await h.runUntil('2026-01-05T10:40:00Z');
  assert.deepEqual(
    (await paymentsOf(h, id)).map(({ status }) => status),
    ['success'],
  );
  t.fake.vrp.withdraw(await bankConsentOf(h, id));
  await deliverAll();
  await h.runUntil('2026-01-05T12:00:00Z');
  assert.equal((await h.show(id)).status, 'cancelled');
  assert.ok((await kindsOf(h, id)).includes('consent.revoked'));
});

test('an order whose answer was lost is found by the notice of its payment, without another order', async () => {
  await open();
  const id = await agreed();
  t.fake.vrp.executesAfter = { hours: 2 };
  t.fake.losesAnswer = (call) => call === 'POST /payments';
  await h.runUntil('2026-01-05T10:30:00Z');
  assert.equal(orders(), 1);
  // No repeat gets through from now on, and no money comes yet: the notice alone names the payment of the order.
  t.fake.isDown = (call) => call === 'POST /payments';
  const [made] = t.fake.vrp.payments.values();
  const { metadata } = made?.asked ?? {};
  const told = { type: 'payment_authorized', event_id: 'evt-1', payment_id: made?.id, metadata };
  assert.equal(await deliver(t.fake.notice(JSON.stringify(told))), 202);
  await h.runUntil('2026-01-05T11:30:00Z');
  const read = `/payments/${made?.id}`;
  assert.ok(t.fake.exchanges.some(({ path }) => path === read));
  assert.equal(await bankPaymentOf(id), made?.id);
  t.fake.vrp.executesAfter = { hours: 0 };
  await deliverAll();
  await h.runUntil('2026-01-05T12:30:00Z');
  assert.deepEqual(
    (await paymentsOf(h, id)).map(({ status }) => status),
    ['success'],
  );
  assert.equal(t.fake.vrp.payments.size, 1);
});

async function bankPaymentOf(scheduleId: string): Promise<string | undefined> {
  const [payment] = await paymentsOf(h, scheduleId);
  const rows = await h.db.read((tx) =>
    tx.rows<{ bankPaymentId: string }>(
      'SELECT bank_payment_id FROM attempts WHERE payment_id = $1',
      [payment?.id ?? ''],
    ),
  );
  return rows[0]?.bankPaymentId;
}

test('an order without an answer is repeated under its key for a day at most, and debits once', async () => {
  await open();
  const id = await agreed();
  t.fake.losesAnswer = (call) => call === 'POST /payments';
  t.fake.vrp.executesAfter = { hours: 30 };
  await h.runUntil('2026-01-07T09:00:00Z');
  const made = orders();
  assert.ok(made > 1);
  assert.equal(t.fake.vrp.payments.size, 1);
  t.fake.vrp.execute();
  await h.runUntil('2026-01-09T10:00:00Z');
  assert.equal(orders(), made);
  assert.deepEqual(
    (await paymentsOf(h, id)).map(({ status }) => status),
    ['success'],
  );
});

test('a notice that comes twice is stored once, and one that TrueLayer did not sign not at all', async () => {
  await open();
  await agreed();
  const body = JSON.stringify({
    type: 'payment_executed',
    event_id: 'evt-1',
    payment_id: 'p-1',
    metadata: { bank_id: 'truelayer-ob-rowan' },
  });
  const notice = t.fake.notice(body);
  assert.equal(await deliver(notice), 202);
  assert.equal(await deliver(t.fake.notice(body)), 202);
  assert.equal(await deliver({ ...notice, body: Buffer.from(body.replace('p-1', 'p-2')) }), 400);
  const stored = await h.db.read((tx) =>
    tx.rows<{ source: string }>("SELECT source FROM inbox WHERE notification_id = 'evt-1'"),
  );
  assert.deepEqual(stored, [{ source: 'bank:truelayer-ob-rowan' }]);
});
