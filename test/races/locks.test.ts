import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Service } from '../../server/src/app/wiring/service.ts';
import { revokeConsent } from '../../server/src/consents/service.ts';
import type { Db, Tx } from '../../server/src/platform/db/db.ts';
import { type Notification, receiveNotifications } from '../../server/src/platform/inbox.ts';
import { retrySettlement } from '../../server/src/settlements/service.ts';
import {
  asked,
  assertLaws,
  consentsOf,
  kindsOf,
  onlyPaymentOf,
  paymentsOf,
  refusedWith,
  retryByHand,
  settlementsOf,
} from '../../server/test-support/books.ts';
import type { BankPayment } from '../../server/test-support/fake-bank.ts';
import { Gate } from '../../server/test-support/gate.ts';
import { oneForEach } from '../../server/test-support/opened.ts';
import { allDue, cancelOver, holdingBefore, justDue } from './acts.ts';

const { h, runFor } = oneForEach();

/** Returns a database that counts how often a transaction was restarted: a deadlock, or something similar. */
function counting(db: Db): { db: Db; again: () => number } {
  let again = 0;
  const transaction: Db['transaction'] = (work) => {
    let tries = 0;
    return db.transaction((tx: Tx) => {
      tries += 1;
      if (tries > 1) again += 1;
      return work(tx);
    });
  };
  return { db: { ...db, transaction }, again: () => again };
}

/** How notices reach the payments: the stage takes up stored ones, or they are acted on as they come. */
const WAYS: Record<string, (service: Service, notices: Notification[]) => Promise<unknown>> = {
  'that are stored': async (service, notices) => {
    await h.db.transaction((tx) => receiveNotifications(tx, h.clock.at, notices));
    await service.engine.drain();
  },
  'as they come': (service, notices) => Promise.all(notices.map((n) => service.receive(n))),
};

for (const [how, take] of Object.entries(WAYS))
  test(`notices of money ${how} and polls of the bank at one moment never wait for each other in a ring`, async () => {
    h.bank.mood.slow = true;
    const ids = await allDue(h, 2);
    await h.service.engine.drain();
    const payments = (await Promise.all(ids.map((id) => paymentsOf(h, id)))).flat();
    await h.db.transaction((tx) => tx.run('UPDATE payment_work SET due_at = $1', [far()]));
    const notices = payments.flatMap(({ id }) => creditSilently(h.bank.paymentOf(id, 1)));
    const last = payments.map(({ id }) => id).sort()[1];
    await h.db.transaction((tx) =>
      tx.run('UPDATE payment_work SET due_at = $1 WHERE payment_id = $2', [h.clock.at, last ?? '']),
    );
    const counted = counting(h.db);
    const polling = new Gate();
    const second = h
      .another({ db: () => holdingBefore(counted.db, 'SELECT max(sealed_until)', polling) })
      .engine.drain();
    const posting = second.then(() => assert.fail('the poll posted nothing'));
    posting.catch(() => undefined);
    await Promise.race([polling.reached, posting]); // the later payment is locked; the merchant's accounts are next
    const first = take(h.another({ db: () => counted.db }), notices);
    await new Promise((done) => setTimeout(done, 100)); // it is about to lock both payments, and then the accounts
    polling.open();
    await Promise.all([first, second]);
    await runFor({ hours: 3 });
    assert.equal(counted.again(), 0, 'a deadlock');
    for (const id of ids) assert.equal((await onlyPaymentOf(h, id)).status, 'success');
    await assertLaws(h);
  });

const far = (): Temporal.Instant => h.clock.at.add({ hours: 2 });

/** Credits a payment; returns its notice, which is not sent. */
function creditSilently(payment: BankPayment): Notification[] {
  const notices: Notification[] = [];
  const { onPayIn } = h.issuer;
  h.issuer.onPayIn = (wallet, movement) => {
    const { movementId, amountPence, endToEndId } = movement;
    const { externalReference } = wallet;
    const body = { kind: 'payin', externalReference, movementId, endToEndId, amountPence };
    notices.push({
      source: 'issuer',
      notificationId: movementId,
      body: JSON.stringify(body),
    });
  };
  h.bank.credit(payment);
  h.issuer.onPayIn = onPayIn;
  return notices;
}

test('a consent ends and a schedule that shares it is cancelled at one moment, and nobody waits in a ring', async () => {
  const m = await h.merchant({ reuseConsent: true });
  const customer = { phone: '+447700912345' };
  const start_date = h.clock.at.round('second').add({ hours: 48 }).toString();
  const owner = await m.agreed({ customer, start_date });
  await m.update(owner.id, { amount: { value: 1000, currency: 'GBP' } });
  const other = await m.create({
    customer,
    start_date,
    amount: { value: 1000, currency: 'GBP' },
  });
  assert.equal(other.status, 'active', 'under the same consent');
  const counted = counting(h.db);
  const cancelling = new Gate();
  const waiting = holdingBefore(counted.db, 'consent_id = $2 FOR UPDATE', cancelling);
  const first = cancelOver(h, waiting, other.id, m.merchantId);
  await cancelling.reached; // the schedule is locked; the consent is next
  const { merchantId } = m;
  const [consent] = await consentsOf(h, owner.id);
  const ref = {
    merchantId,
    scheduleId: owner.id,
    consentId: consent?.consentId ?? '',
    customerId: owner.customer.id,
    termsVersion: 1,
  };
  const second = counted.db.transaction((tx) =>
    revokeConsent(h.service.authorisation, tx, ref, 'withdrawn_on_portal'),
  );
  await new Promise((done) => setTimeout(done, 100)); // it is about to lock the consent, or to wait for the schedule
  cancelling.open();
  await Promise.all([first, second]);
  assert.equal(counted.again(), 0, 'a deadlock');
  for (const { id } of [owner, other]) assert.equal((await m.show(id)).status, 'cancelled');
  await assertLaws(h);
});

test('a settlement is retried by hand, or carried on with the next one, and nobody waits in a ring', async () => {
  await justDue(h);
  h.issuer.payOutError = 'invalid_account';
  await h.runUntil('2026-01-06T12:00:00Z');
  const [failed] = await settlementsOf(h);
  assert.equal(failed?.status, 'failed');
  await h.runUntil('2026-01-07T05:59:59Z');
  h.issuer.payOutError = null;
  h.clock.at = Temporal.Instant.from('2026-01-07T06:00:00Z');
  const counted = counting(h.db);
  const other = h.another({ db: () => counted.db });
  // A manual retry, as slow as it can be: the next settlement is opened between its first lock and its second.
  let opening: Promise<unknown> = Promise.resolve();
  const retried = await counted.db
    .transaction((tx) => {
      let statements = 0;
      const slow: Tx = {
        ...tx,
        row: async (sql, values) => {
          const row = await tx.row(sql, values);
          statements += 1;
          if (statements === 1) {
            opening = other.engine.drain();
            await new Promise((done) => setTimeout(done, 300));
          }
          return row as never;
        },
      };
      return retrySettlement(h.service.settlements, asked(h, slow), failed?.id ?? '');
    })
    .catch((error: unknown) => error);
  await opening;
  assert.equal(counted.again(), 0, 'a deadlock');
  assert.ok(retried !== undefined);
  await runFor({ hours: 48 });
  const paid = [...h.issuer.orders.values()].filter(
    (m) => m.kind === 'payout' && m.status === 'settled',
  );
  assert.equal(paid.length, 1);
  await assertLaws(h);
});

test('of two retries by hand at one moment one is made, and the other is refused', async () => {
  h.bank.mood.refuses = 'final';
  const id = await justDue(h);
  await h.service.engine.drain();
  h.bank.cheerUp();
  const { id: paymentId } = await onlyPaymentOf(h, id);
  const answers = await Promise.allSettled([1, 2, 3, 4].map(() => retryByHand(h, paymentId)));
  const refused = answers.filter((a) => a.status === 'rejected');
  assert.equal(refused.length, 3);
  for (const { reason } of refused) assert.ok(refusedWith('payment_not_retryable')(reason));
  await runFor({ minutes: 5 });
  const payment = await onlyPaymentOf(h, id);
  assert.deepEqual([payment.status, payment.attempts.length], ['success', 2]);
  await assertLaws(h);
});

test('a retry by hand waits for a cancellation that is under way, and is then refused', async () => {
  h.bank.mood.refuses = 'final';
  const id = await justDue(h);
  await h.service.engine.drain();
  h.bank.cheerUp();
  const { id: paymentId } = await onlyPaymentOf(h, id);
  const hold = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const holding = h.db.transaction(async (tx) => {
    await tx.run('SELECT 1 FROM schedules WHERE schedule_id = $1 FOR UPDATE', [id]);
    held.resolve();
    await hold.promise;
    await tx.run(`UPDATE consents SET status = 'revoked' WHERE schedule_id = $1`, [id]);
  });
  await held.promise;
  let isDone = false;
  const retrying = retryByHand(h, paymentId)
    .catch((error: unknown) => error)
    .finally(() => {
      isDone = true;
    });
  await new Promise((done) => setTimeout(done, 200));
  assert.equal(isDone, false, 'it did not wait for the schedule');
  hold.resolve();
  await holding;
  assert.ok(refusedWith('payment_not_retryable')(await retrying));
  assert.deepEqual(await kindsOf(h, id), ['schedule.setup_success', 'collection.failed']);
});
