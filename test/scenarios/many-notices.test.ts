import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Db } from '../../server/src/platform/db/db.ts';
import { type Notification, receiveNotifications } from '../../server/src/platform/inbox.ts';
import { assertLaws, kindsOf, onlyPaymentOf } from '../../server/test-support/books.ts';
import type { Harness } from '../../server/test-support/harness.ts';
import { oneForEach } from '../../server/test-support/opened.ts';
import { allDue } from '../races/acts.ts';

const { h, runFor } = oneForEach();

/** Holds back the issuer's notices, to be stored all at once. */
function keepingNotices(h: Harness): Notification[] {
  const kept: Notification[] = [];
  h.issuer.onPayIn = ({ externalReference }, { movementId, endToEndId, amountPence }) => {
    const body = { kind: 'payin', externalReference, movementId, endToEndId, amountPence };
    kept.push({ source: 'issuer', notificationId: `n-${movementId}`, body: JSON.stringify(body) });
  };
  return kept;
}

function counting(db: Db): { db: Db; transactions: () => number } {
  let transactions = 0;
  const transaction: Db['transaction'] = (work) => {
    transactions += 1;
    return db.transaction(work);
  };
  return { db: { ...db, transaction }, transactions: () => transactions };
}

test('notices of money that come at one moment are stored and acted on together, as they come', async () => {
  h.bank.mood.slow = true;
  const schedules = await allDue(h, 12);
  await h.service.engine.drain();
  const kept = keepingNotices(h);
  for (const payment of h.bank.payments.values()) h.bank.credit(payment);
  const counted = counting(h.db);
  const { receive } = h.another({ db: () => counted.db });
  await Promise.all([...kept, ...kept].map((notice) => receive(notice)));
  assert.ok(counted.transactions() < schedules.length, `${counted.transactions()} transactions`);
  const due = await h.db.read((tx) => tx.rows('SELECT FROM inbox WHERE due_at IS NOT NULL'));
  assert.equal(due.length, 0, 'nothing is left for the stage');
  await h.service.engine.drain();
  for (const id of schedules) assert.equal((await onlyPaymentOf(h, id)).status, 'success');
  await assertLaws(h);
});

test('the money of many payments that comes at one moment is taken in together', async () => {
  h.bank.mood.slow = true;
  const schedules = await allDue(h, 12);
  await h.service.engine.drain();
  const kept = keepingNotices(h);
  for (const payment of h.bank.payments.values()) h.bank.credit(payment);
  await h.db.transaction((tx) => receiveNotifications(tx, h.clock.at, kept));
  const counted = counting(h.db);
  await h.another({ db: () => counted.db }).engine.drain();
  for (const id of schedules) assert.equal((await onlyPaymentOf(h, id)).status, 'success');
  assert.ok(counted.transactions() < schedules.length, `${counted.transactions()} transactions`);
  await assertLaws(h);
});

test('a notice told again, of another amount, of nobody or come twice counts among many as it does alone', async () => {
  h.bank.mood.slow = true;
  const [first = '', twice = '', penny = '', ...others] = await allDue(h, 6);
  await h.service.engine.drain();
  const kept = keepingNotices(h);
  const bankPaymentOf = async (id: string) => h.bank.paymentOf((await onlyPaymentOf(h, id)).id, 1);
  for (const id of [first, twice, ...others]) h.bank.credit(await bankPaymentOf(id));
  h.issuer.payIn(await bankPaymentOf(twice));
  const wrong = await bankPaymentOf(penny);
  h.issuer.payIn({ ...wrong, amountPence: 1 });
  h.issuer.payIn({ ...wrong, endToEndId: 'from somebody', amountPence: 2 });
  const again = kept.slice(0, 1).map((n) => ({ ...n, notificationId: 'again' }));
  await h.db.transaction((tx) => receiveNotifications(tx, h.clock.at, [...kept, ...again]));
  await h.service.engine.drain();
  for (const id of [first, twice, ...others]) {
    assert.equal((await onlyPaymentOf(h, id)).status, 'success');
    assert.deepEqual((await kindsOf(h, id)).slice(-1), ['collection.success']);
  }
  assert.equal((await onlyPaymentOf(h, penny)).status, 'processing');
  const extra = await h.db.read((tx) =>
    tx.rows<{ amountPence: number }>(
      'SELECT amount_pence FROM unallocated_items ORDER BY amount_pence',
    ),
  );
  assert.deepEqual(
    extra.map((one) => one.amountPence),
    [1, 2, 4999],
  );
  await assertLaws(h);
  h.bank.credit(wrong);
  await h.db.transaction((tx) => receiveNotifications(tx, h.clock.at, kept.slice(-1)));
  await runFor({ minutes: 1 });
  assert.equal((await onlyPaymentOf(h, penny)).status, 'success', 'the right money still counts');
});

test('one notice that cannot be acted on holds up none of the others', async () => {
  h.bank.mood.slow = true;
  const schedules = await allDue(h, 5);
  await h.service.engine.drain();
  const kept = keepingNotices(h);
  for (const payment of h.bank.payments.values()) h.bank.credit(payment);
  const broken = { source: 'issuer', notificationId: 'broken', body: 'not JSON' };
  await h.db.transaction((tx) => receiveNotifications(tx, h.clock.at, [...kept, broken]));
  await h.service.engine.drain();
  for (const id of schedules) assert.equal((await onlyPaymentOf(h, id)).status, 'success');
  await assertLaws(h);
});
