import assert from 'node:assert/strict';
import { test } from 'node:test';
import { IssuerRefused } from '../../server/src/wallets/issuer.ts';
import {
  assertLaws,
  consentsOf,
  onlyPaymentOf,
  paymentsOf,
  settlementsOf,
} from '../../server/test-support/books.ts';
import { oneForEach } from '../../server/test-support/opened.ts';
import { allDue, breakRows, mendRows, newPhone } from './acts.ts';

// One row that cannot be written, whatever the reason, must not block those that share its batch.
const { h, runFor } = oneForEach();

const statusOf = async (id: string): Promise<string | undefined> =>
  (await paymentsOf(h, id))[0]?.status;

/** Drains as the running engine does: an error of one stage ends the round, which is repeated a second later. */
async function live(time: Temporal.DurationLike): Promise<void> {
  const end = h.clock.at.add(time);
  for (let round = 0; round < 30; round++) {
    await h.service.engine.drain().catch(() => undefined);
    h.clock.at = h.clock.at.add({ seconds: 1 });
  }
  if (Temporal.Instant.compare(end, h.clock.at) > 0) h.clock.at = end;
  for (let round = 0; round < 3; round++) await h.service.engine.drain().catch(() => undefined);
}

/** Checks one bad row of a table among three: the others complete at once, and the bad one when it can be written. */
async function othersGoOn(
  table: string,
  when: (badSchedule: string) => Promise<string>,
  prepare: () => Promise<void> = async () => undefined,
): Promise<void> {
  const [bad = '', ...good] = await allDue(h, 3);
  await prepare();
  await breakRows(h, table, await when(bad));
  await live({ minutes: 2 });
  for (const id of good)
    assert.equal(await statusOf(id), 'success', `beside a bad row of ${table}`);
  assert.notEqual(await statusOf(bad), 'success');
  await mendRows(h, table);
  await runFor({ hours: 3 });
  assert.equal(await statusOf(bad), 'success', 'nothing is lost: it is done when it can be');
  const [payment] = await paymentsOf(h, bad);
  assert.equal(payment?.attempts.length, 1);
  await assertLaws(h);
}

test('an occurrence that cannot be opened holds up no other', async () => {
  await othersGoOn('payments', async (bad) => `schedule_id = '${bad}'`);
});

test('an attempt that cannot be begun holds up no other', async () => {
  await othersGoOn(
    'state_changes',
    async (bad) => `schedule_id = '${bad}' AND reason LIKE 'attempt%'`,
  );
});

test('an outcome that cannot be recorded holds up no other', async () => {
  h.issuer.onPayIn = null;
  await othersGoOn('attempts', async (bad) => {
    const paymentId = await openedPayment(bad);
    return `status = 'success' AND payment_id = '${paymentId}'`;
  });
});

/** Opens what is due, and returns the payment of a schedule. */
async function openedPayment(id: string): Promise<string> {
  h.bank.mood.down = true;
  await h.service.engine.drain();
  h.bank.cheerUp();
  return (await onlyPaymentOf(h, id)).id;
}

test('a move that cannot be recorded holds up no other', async () => {
  await othersGoOn('transfers', async (bad) => {
    const paymentId = await openedPayment(bad);
    return `kind = 'move' AND source_id = '${paymentId}'`;
  });
});

test('a transfer for which the issuer refuses the whole request holds up no other', async () => {
  const [bad = '', ...good] = await allDue(h, 3);
  const badPayment = await openedPayment(bad);
  const transfer = h.issuer.transfer.bind(h.issuer);
  h.issuer.transfer = async (orders) => {
    if (orders.some((o) => o.reference === badPayment))
      throw new IssuerRefused('invalid_request', 'transfers/1/from: no such wallet');
    return transfer(orders);
  };
  await live({ minutes: 2 });
  for (const id of good) assert.equal(await statusOf(id), 'success');
  assert.equal(await statusOf(bad), 'processing');
  h.issuer.transfer = transfer;
  await runFor({ hours: 3 });
  assert.equal(await statusOf(bad), 'success');
});

test('a transfer of which the answer cannot be read holds up no other, and is asked about under its key', async () => {
  const [bad = '', ...good] = await allDue(h, 3);
  const badPayment = await openedPayment(bad);
  const transfer = h.issuer.transfer.bind(h.issuer);
  h.issuer.transfer = async (orders) => {
    const made = await transfer(orders);
    for (const key of made.keys()) if (key.startsWith(badPayment)) made.delete(key);
    return made;
  };
  await live({ minutes: 2 });
  for (const id of good) assert.equal(await statusOf(id), 'success');
  assert.equal(await statusOf(bad), 'processing');
  h.issuer.transfer = transfer;
  await runFor({ minutes: 3 });
  assert.equal(await statusOf(bad), 'success');
  await assertLaws(h);
});

test('a consent that cannot be revoked here holds up no other outcome', async () => {
  const [bad = '', ...good] = await allDue(h, 3);
  h.bank.before = async (call) => {
    if (call === 'submitPayment') {
      const [consent] = await consentsOf(h, bad);
      h.bank.consents.delete(consent?.bankConsentId ?? '');
    }
  };
  await breakRows(h, 'consents', `schedule_id = '${bad}' AND status = 'revoked'`);
  await live({ minutes: 2 });
  for (const id of good) assert.equal(await statusOf(id), 'success');
  assert.equal((await h.show(bad)).status, 'active');
  await mendRows(h, 'consents');
  h.bank.before = null;
  await runFor({ hours: 26 }); // an attempt that was sent is looked up for a day
  assert.equal((await h.show(bad)).status, 'cancelled');
});

test('a settlement whose outcome cannot be recorded holds up nobody else, nor one that cannot even be put off', async () => {
  const start = h.clock.at.round('second').add({ hours: 1 });
  const merchants = [h, ...(await Promise.all(Array.from({ length: 20 }, () => h.merchant())))];
  for (const m of merchants)
    await m.agreed({ start_date: start.toString(), customer: { phone: newPhone() } });
  const sorted = merchants.toSorted((a, b) => (a.merchantId < b.merchantId ? -1 : 1));
  const unrecorded = new Set(sorted.slice(1, 18));
  const names = [...unrecorded].map((m) => `'${m.merchantId}'`).join(', ');
  await h.runUntil(start.add({ minutes: 5 }));
  await breakRows(h, 'payments', `merchant_id = '${sorted[0]?.merchantId}' AND status = 'success'`);
  await breakRows(h, 'settlements', `merchant_id IN (${names}) AND status = 'success'`);
  h.clock.at = Temporal.Instant.from('2026-01-06T06:00:00Z');
  await live({ minutes: 1 });
  for (const m of sorted.slice(18))
    assert.equal((await settlementsOf(h, m))[0]?.status, 'success', 'one of the good ones');
  await mendRows(h, 'settlements');
  await mendRows(h, 'payments');
  await runFor({ hours: 3 });
  for (const m of sorted) assert.equal((await settlementsOf(h, m))[0]?.status, 'success');
  await assertLaws(h);
});

test('links whose end cannot be recorded hold up no other', async () => {
  const bad = [];
  for (let n = 0; n < 5; n++) bad.push((await h.create({ customer: { phone: newPhone() } })).id);
  const good = (await h.create({ customer: { phone: newPhone() } })).id;
  const names = bad.map((id) => `'${id}'`).join(', ');
  await breakRows(h, 'consents', `schedule_id IN (${names}) AND status = 'expired'`);
  h.clock.at = h.clock.at.add({ hours: 24 * 8 });
  await live({ minutes: 3 });
  assert.equal((await h.show(good)).status, 'cancelled');
  await mendRows(h, 'consents');
  await runFor({ hours: 2 });
  for (const id of bad) assert.equal((await h.show(id)).status, 'cancelled');
});
