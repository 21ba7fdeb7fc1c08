import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { checkLaws } from '../../server/src/laws/invariants/laws.ts';
import { compareWithIssuer } from '../../server/src/laws/reconciliation/issuer-comparison.ts';
import { reconcile } from '../../server/src/laws/reconciliation/reconciliation.ts';
import {
  onlyPaymentOf,
  paymentsOf,
  refund,
  settlementsOf,
} from '../../server/test-support/books.ts';
import { DESTINATIONS } from '../../server/test-support/modulr/books.ts';
import { assertConform, noModulrDocument } from '../../server/test-support/modulr/document.ts';
import { type ModulrHarness, openModulrHarness } from '../../server/test-support/modulr/harness.ts';

// The core with the Modulr connector, against the fake that is made from Modulr's document.

let m: ModulrHarness;
afterEach(async () => {
  if (noModulrDocument === false) assertConform(m.fake.exchanges);
  await m.close();
});

/** Asserts that every law holds, that the balances agree, and that a day's report has no difference. */
async function assertInOrder(date: string): Promise<void> {
  const { platform } = m.h;
  const found = [...(await checkLaws(platform)), await compareWithIssuer(platform, m.modulr)];
  for (const finding of found) assert.deepEqual(finding.broken, [], finding.law);
  const report = await reconcile(platform, m.modulr, Temporal.PlainDate.from(date));
  assert.deepEqual([report.unknown, report.open.map((one) => one.what)], [null, []]);
}

const agreed = async (): Promise<string> =>
  (await m.h.agreed({ start_date: '2026-01-05T10:30:00Z' })).id;

/** Whether a call orders a payment. */
const isOrder = (call: string): boolean => call === 'POST /payments';

const callsOf = (call: string): number =>
  m.fake.exchanges.filter(({ method, path }) => `${method} ${path}` === call).length;

/** Nothing runs for 49 hours, by when Modulr has forgotten every key; then it is well again. */
function sleepFor49Hours(): void {
  m.h.clock.at = m.h.clock.at.add({ hours: 49 });
  m.fake.isDown = () => false;
  m.fake.losesAnswer = () => false;
}

const keyOfTransfer = (paymentId: string): string => `${paymentId}-m0`;

test('a collection, its settlement, a refund and the books of their days', async () => {
  m = await openModulrHarness();
  const id = await agreed();
  await m.pass('2026-01-05T10:40:00Z');
  const payment = await onlyPaymentOf(m.h, id);
  assert.equal(payment.status, 'success');
  await assertInOrder('2026-01-05');
  await m.pass('2026-01-06T12:00:00Z', { hours: 1 });
  const [settlement] = await settlementsOf(m.h);
  assert.deepEqual([settlement?.status, settlement?.amount.value], ['success', 4999]);
  await assertInOrder('2026-01-06');
  await m.pass('2026-02-05T10:40:00Z', { hours: 1 });
  await refund(m.h, payment.id, { amount: { value: 1_000, currency: 'GBP' } });
  await m.pass('2026-02-05T10:50:00Z');
  const refunded = m.fake.books.payments.filter((one) => one.externalReference.startsWith('ref_'));
  assert.deepEqual(
    refunded.map(({ status, pence, details }) => [
      status,
      pence,
      (details.destination as { accountNumber: string }).accountNumber,
    ]),
    [['PROCESSED', 1_000, '70872490']],
  );
  await assertInOrder('2026-02-05');
});

test('a pay-out that comes back fails its settlement, once', async () => {
  m = await openModulrHarness();
  const id = await agreed();
  await m.pass('2026-01-05T10:40:00Z');
  await m.pass('2026-01-06T12:00:00Z', { hours: 1 });
  const [paidOut] = m.fake.books.payments.filter((one) => one.externalReference.startsWith('set_'));
  assert.ok(paidOut);
  (paidOut.details.destination as { accountNumber: string }).accountNumber = DESTINATIONS.returned;
  await m.pass('2026-01-07T12:00:00Z', { hours: 1 });
  const [settlement] = await settlementsOf(m.h);
  assert.deepEqual([settlement?.status, settlement?.error?.code], ['failed', 'payout_returned']);
  assert.equal((await onlyPaymentOf(m.h, id)).status, 'success');
  await assertInOrder('2026-01-07');
});

test('a notification that is sent again under another EventId changes nothing', async () => {
  m = await openModulrHarness();
  const id = await agreed();
  await m.pass('2026-01-05T10:40:00Z');
  const before = m.fake.books.payments.length;
  m.fake.sendAgain();
  await m.pass('2026-01-05T10:50:00Z');
  assert.equal((await onlyPaymentOf(m.h, id)).status, 'success');
  assert.equal(m.fake.books.payments.length, before);
  const rows = await m.h.db.read((tx) =>
    tx.rows<{ kind: string }>(
      `SELECT kind FROM transfers WHERE kind IN ('pay_in', 'extra_pay_in')`,
    ),
  );
  assert.deepEqual(rows, [{ kind: 'pay_in' }]);
  const events = new Set(
    m.fake.sent.map(({ raw }) => (JSON.parse(raw.toString()) as { EventId: string }).EventId),
  );
  assert.equal(events.size, m.fake.sent.length);
  await assertInOrder('2026-01-05');
});

test('without any notification, a collection and its settlement end by asking', async () => {
  m = await openModulrHarness();
  m.mute = true;
  const id = await agreed();
  await m.pass('2026-01-05T12:00:00Z', { minutes: 5 });
  assert.equal((await onlyPaymentOf(m.h, id)).status, 'success');
  await m.pass('2026-01-06T12:00:00Z', { hours: 1 });
  assert.deepEqual(
    (await settlementsOf(m.h)).map(({ status }) => status),
    ['success'],
  );
  await assertInOrder('2026-01-06');
});

test('a transfer whose answer was lost is not ordered again 49 hours later, but found', async () => {
  m = await openModulrHarness();
  const id = await agreed();
  m.fake.losesAnswer = isOrder;
  await m.pass('2026-01-05T10:40:00Z');
  const payment = await onlyPaymentOf(m.h, id);
  const key = keyOfTransfer(payment.id);
  assert.deepEqual([payment.status, m.fake.ordered(key)], ['processing', 1]);
  assert.ok(callsOf('POST /payments') > 1, 'it was repeated under its key, and made once');
  sleepFor49Hours();
  const before = callsOf('POST /payments');
  await m.pass(m.h.clock.at.add({ minutes: 5 }));
  assert.equal((await paymentsOf(m.h, id))[0]?.status, 'success');
  assert.equal(callsOf('POST /payments'), before);
  assert.equal(m.fake.ordered(key), 1);
  await assertInOrder('2026-01-07');
});

test('a transfer that never reached Modulr is ordered once, 49 hours later', async () => {
  m = await openModulrHarness();
  const id = await agreed();
  m.fake.isDown = isOrder;
  await m.pass('2026-01-05T10:40:00Z');
  const key = keyOfTransfer((await onlyPaymentOf(m.h, id)).id);
  assert.equal(m.fake.ordered(key), 0);
  sleepFor49Hours();
  await m.pass(m.h.clock.at.add({ minutes: 10 }));
  assert.equal((await paymentsOf(m.h, id))[0]?.status, 'success');
  assert.equal(m.fake.ordered(key), 1);
  await assertInOrder('2026-01-07');
});

test('a settlement whose answer was lost is not paid out again 49 hours later, but found', async () => {
  m = await openModulrHarness();
  await agreed();
  await m.pass('2026-01-05T10:40:00Z');
  m.fake.losesAnswer = isOrder;
  await m.pass('2026-01-06T07:00:00Z', { minutes: 30 });
  const isPayOut = ({ externalReference }: { externalReference: string }): boolean =>
    externalReference.startsWith('set_');
  assert.equal(m.fake.books.payments.filter(isPayOut).length, 1);
  sleepFor49Hours();
  await m.pass(m.h.clock.at.add({ hours: 2 }), { minutes: 10 });
  assert.equal(m.fake.books.payments.filter(isPayOut).length, 1);
  assert.equal((await settlementsOf(m.h))[0]?.status, 'success');
  assert.equal(
    [...m.fake.books.accounts.values()].reduce((sum, one) => sum + one.balance, 0),
    0,
  );
});

test('a wallet whose answer was lost is found 49 hours later, and no second one is made', async () => {
  m = await openModulrHarness();
  const created = await m.h.create({ start_date: '2026-02-05T10:30:00Z' });
  m.fake.losesAnswer = () => true;
  await assert.rejects(m.h.begin(created.consent_url));
  const accounts = m.fake.books.accounts.size;
  sleepFor49Hours();
  await m.h.decide(created.consent_url);
  assert.equal((await m.h.show(created.id)).status, 'active');
  assert.equal(m.fake.books.accounts.size, accounts);
});
