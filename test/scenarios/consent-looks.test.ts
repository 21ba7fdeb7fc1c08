import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { BankUnavailable } from '../../server/src/banks/bank.ts';
import { bankStates, trustBank } from '../../server/src/consents/bank-trust-store.ts';
import type { ConsentRow } from '../../server/src/consents/store.ts';
import { LOG_EVENTS } from '../../server/src/platform/log/log-events.ts';
import {
  assertLaws,
  bankConsentOf,
  notifyOf,
  onlyPaymentOf,
  paymentsOf,
} from '../../server/test-support/books.ts';
import { type Harness, openHarness } from '../../server/test-support/harness.ts';

let h: Harness;
before(async () => {
  h = await openHarness('2026-01-05T09:30:00Z');
});
afterEach(async () => {
  h.bank.cheerUp();
  await assertLaws(h);
});
after(() => h.close());

let customers = 0;
const somebody = (): { phone: string } => ({ phone: `+4477001${String(10_000 + customers++)}` });
const runFor = (time: Temporal.DurationLike): Promise<void> => h.runUntil(h.clock.at.add(time));
const agreed = (hours = 48, body: object = {}) =>
  h.agreed({
    start_date: h.clock.at.round('second').add({ hours }).toString(),
    customer: somebody(),
    ...body,
  });
const bookOf = async (id: string) => {
  const book = h.bank.consents.get(await bankConsentOf(h, id));
  assert.ok(book);
  return book;
};
const rowOf = (id: string): Promise<ConsentRow | null> =>
  h.db.read((tx) => tx.row<ConsentRow>('SELECT * FROM consents WHERE schedule_id = $1', [id]));
const statusOf = async (id: string): Promise<string> => (await h.show(id)).status;
const noticeOf = async (id: string): Promise<string | null> =>
  (await h.show(id)).consent_notice?.kind ?? null;
const looksOf = (id: string): Promise<{ said: string; at: Temporal.Instant }[]> =>
  h.db.read((tx) =>
    tx.rows(
      `SELECT l.said, l.at FROM consent_looks l JOIN consents c USING (merchant_id, consent_id)
       WHERE c.schedule_id = $1 ORDER BY l.at`,
      [id],
    ),
  );

test('answers that prove nothing cancel no schedule and delete no consent, however long they last', async () => {
  const all = await Promise.all(Array.from({ length: 8 }, () => agreed(25)));
  const before = h.bank.deleted.length;
  h.bank.before = async (call) => {
    if (call === 'readConsent') throw new BankUnavailable('400 without a documented code');
  };
  for (const { id } of all) await notifyOf(h, 'consent', await bankConsentOf(h, id));
  await runFor({ hours: 20 });
  for (const { id } of all) assert.equal(await statusOf(id), 'active');
  assert.equal(h.bank.deleted.length, before);
  h.bank.cheerUp();
  await runFor({ hours: 6 });
  for (const { id } of all) assert.equal((await onlyPaymentOf(h, id)).status, 'success');
});

test('a bank that proves nothing is asked again with backoff', async () => {
  const { id } = await agreed(24 * 20);
  let asked = 0;
  h.bank.before = async (call) => {
    if (call !== 'readConsent') return;
    asked += 1;
    throw new BankUnavailable('no');
  };
  await notifyOf(h, 'consent', await bankConsentOf(h, id));
  await runFor({ hours: 24 });
  assert.ok(asked >= 19 && asked <= 26, `${asked} times in a day`);
});

test('a consent that a first look calls over sends no order; when the second disagrees, it collects', async () => {
  const { id } = await agreed(2);
  const book = await bookOf(id);
  await runFor({ hours: 1, minutes: 30 });
  book.status = 'CANC';
  await notifyOf(h, 'consent', await bankConsentOf(h, id));
  await runFor({ minutes: 1 });
  book.status = 'AUTH'; // the bank contradicts itself, as after a restore from a backup
  await runFor({ minutes: 45 });
  assert.equal(await noticeOf(id), 'in_doubt');
  const held = await onlyPaymentOf(h, id);
  assert.equal(held.status, 'processing');
  assert.equal(
    [...h.bank.payments.values()].some((p) => p.endToEndId.startsWith(held.id)),
    false,
  );
  assert.equal(await statusOf(id), 'active');
  await runFor({ minutes: 30 });
  assert.equal(await noticeOf(id), null);
  assert.equal((await onlyPaymentOf(h, id)).status, 'success');
  assert.equal(await statusOf(id), 'active');
  assert.deepEqual(
    (await looksOf(id)).map((look) => look.said),
    ['over', 'stands'],
  );
});

test('a second look before the hour has passed ends nothing', async () => {
  const { id } = await agreed(24 * 20);
  (await bookOf(id)).status = 'CANC';
  for (const minutes of [0, 20, 35]) {
    await runFor({ minutes });
    await notifyOf(h, 'consent', await bankConsentOf(h, id));
    await runFor({ seconds: 1 });
    assert.equal(await statusOf(id), 'active');
  }
  await runFor({ minutes: 10 });
  assert.equal(await statusOf(id), 'cancelled');
  const [first, second] = await looksOf(id);
  assert.ok(first && second && first.at.until(second.at).total('minutes') >= 60);
});

test('a consent that needs renewed authentication is not ended, and collects when it was given', async () => {
  const { id } = await agreed(26);
  const book = await bookOf(id);
  book.status = 'SUSP';
  book.reason = 'TKSP';
  await runFor({ hours: 24 });
  const consent = await rowOf(id);
  assert.equal(await statusOf(id), 'active');
  assert.notEqual(consent?.suspendedAt, null);
  assert.equal(await noticeOf(id), 'reauthentication_needed');
  assert.equal(h.bank.deleted.includes(await bankConsentOf(h, id)), false);
  book.status = 'AUTH';
  await runFor({ hours: 48 });
  assert.equal((await onlyPaymentOf(h, id)).status, 'success');
});

test('limits lowered at the bank are taken over, and a payment above them is not sent', async () => {
  const { id } = await agreed(49);
  const book = await bookOf(id);
  book.controlParameters = { ...book.controlParameters, maximumAmountPence: 4000 };
  const before = h.bank.submitted.length;
  await runFor({ hours: 48 });
  const consent = await rowOf(id);
  assert.equal(consent?.controlParameters?.maximumAmountPence, 4000);
  assert.notEqual(consent?.limitsChangedAt, null);
  assert.equal(await noticeOf(id), 'limits_changed');
  await runFor({ hours: 2 });
  const payment = await onlyPaymentOf(h, id);
  assert.deepEqual([payment.status, payment.error?.code], ['failed', 'limit_exceeded']);
  assert.equal(h.bank.submitted.length, before, 'nothing was sent');
  assert.equal(await statusOf(id), 'active');
});

test('limits raised at the bank are taken over', async () => {
  const { id } = await agreed(49);
  const book = await bookOf(id);
  book.controlParameters = { ...book.controlParameters, maximumAmountPence: 9000 };
  await runFor({ hours: 52 });
  const consent = await rowOf(id);
  assert.equal(consent?.controlParameters?.maximumAmountPence, 9000);
  assert.equal(await noticeOf(id), null, 'they still allow the schedule');
  assert.equal((await onlyPaymentOf(h, id)).status, 'success');
});

test('limits that the bank keeps as they were asked for are no change', async () => {
  const { id } = await agreed(49);
  await runFor({ hours: 52 });
  const consent = await rowOf(id);
  assert.equal(consent?.limitsChangedAt, null);
});

test('consents that vanish all at once at one bank end only when a person says so', async () => {
  await runFor({ hours: 2 });
  const all = await Promise.all(Array.from({ length: 7 }, () => agreed(24 * 20)));
  const books = await Promise.all(all.map(({ id }) => bookOf(id)));
  for (const book of books) book.status = 'CANC';
  for (const { id } of all) await notifyOf(h, 'consent', await bankConsentOf(h, id));
  const said: string[] = [];
  h.platform.log.report = (code) => {
    if (LOG_EVENTS[code].level === 'error') said.push(code);
  };
  await runFor({ hours: 5 });
  for (const { id } of all) assert.equal(await statusOf(id), 'active');
  assert.deepEqual(said, ['bank.distrusted']);
  const [state] = await h.db.read((tx) => bankStates(tx));
  assert.equal(state?.consentsInDoubt, 7);
  assert.notEqual(state?.distrustedSince, null);
  const trust = (): Promise<boolean> =>
    h.db.transaction((tx) => trustBank(tx, h.clock.at, h.bank.bankId, 'the bank confirmed them'));
  assert.equal(await trust(), true);
  assert.equal(await trust(), false, 'there was nothing to release');
  await runFor({ minutes: 10 });
  for (const { id } of all) assert.equal(await statusOf(id), 'cancelled');
});

test('while a bank is not believed a payment waits no longer than its own period', async () => {
  await runFor({ hours: 2 });
  const { dayOfWeek } = h.clock.at.add({ hours: 3 }).toZonedDateTimeISO('Europe/London');
  const weekly = { frequency: { type: 'weekly', day: dayOfWeek } };
  const all = await Promise.all(Array.from({ length: 7 }, () => agreed(3, weekly)));
  await runFor({ hours: 2 });
  for (const { id } of all) (await bookOf(id)).status = 'CANC';
  for (const { id } of all) await notifyOf(h, 'consent', await bankConsentOf(h, id));
  await runFor({ minutes: 1 }); // the looks that the notices ask for come before the payments are due
  const before = h.bank.submitted.length;
  h.clock.at = h.clock.at.add({ hours: 24 * 6 });
  await runFor({ hours: 1 });
  const firsts = await Promise.all(all.map(({ id }) => onlyPaymentOf(h, id)));
  for (const { status } of firsts) assert.equal(status, 'processing', 'in its own period it waits');
  h.clock.at = h.clock.at.add({ hours: 24 * 2 });
  await runFor({ hours: 2 });
  for (const [n, { id }] of firsts.entries()) {
    const payments = await paymentsOf(h, all[n]?.id ?? '');
    const { status, error } = payments.find((one) => one.id === id) ?? {};
    assert.deepEqual([status, error?.code], ['failed', 'limit_exceeded']);
  }
  assert.equal(h.bank.submitted.length, before, 'nothing was sent');
  const by = 'the bank confirmed them';
  await h.db.transaction((tx) => trustBank(tx, h.clock.at, h.bank.bankId, by));
  await runFor({ hours: 2 });
});

test('a bank that takes back its answers is believed again without a person', async () => {
  await runFor({ hours: 2 });
  const all = await Promise.all(Array.from({ length: 7 }, () => agreed(24 * 20)));
  const books = await Promise.all(all.map(({ id }) => bookOf(id)));
  for (const book of books) book.status = 'CANC';
  for (const { id } of all) await notifyOf(h, 'consent', await bankConsentOf(h, id));
  await runFor({ minutes: 30 });
  for (const book of books.slice(1)) book.status = 'AUTH';
  await runFor({ hours: 2 });
  const [state] = await h.db.read((tx) => bankStates(tx));
  assert.equal(state?.distrustedSince, null);
  assert.deepEqual(await Promise.all(all.map(({ id }) => statusOf(id))), [
    'cancelled',
    ...Array.from({ length: 6 }, () => 'active'),
  ]);
});
