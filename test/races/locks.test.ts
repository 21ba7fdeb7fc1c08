import assert from 'node:assert/strict';
import { test } from 'node:test';
import { retryPayment } from '../../server/src/payments/service.ts';
import type { Db, Tx } from '../../server/src/platform/db.ts';
import { receiveNotification } from '../../server/src/platform/inbox.ts';
import { retrySettlement } from '../../server/src/settlements/service.ts';
import {
  assertLaws,
  kindsOf,
  notifyOf,
  onlyPaymentOf,
  paymentsOf,
  refusedWith,
  retryByHand,
  settlementsOf,
} from '../../server/test-support/books.ts';
import { oneForEach } from '../../server/test-support/opened.ts';
import { allDue, justDue } from './acts.ts';

const { h, runFor } = oneForEach();

/** A database that counts how often a transaction had to be begun again: a deadlock, or something like it. */
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

test('notices of money, polls of the bank and moves of one merchant at once never wait for each other in a ring', async () => {
  h.bank.mood.slow = true;
  const ids = await allDue(h, 24);
  await h.service.engine.drain();
  const payments = (await Promise.all(ids.map((id) => paymentsOf(h, id)))).flat();
  const counted = counting(h.db);
  const others = [1, 2, 3].map(() => h.another({ db: () => counted.db }));
  h.issuer.onPayIn = null;
  for (const [n, { id }] of payments.entries()) {
    const atBank = h.bank.paymentOf(id, 1);
    h.bank.credit(atBank);
    const wallet = [...h.issuer.wallets.values()].find((w) =>
      w.movements.some((m) => m.endToEndId === atBank.endToEndId),
    );
    const movement = wallet?.movements.find((m) => m.endToEndId === atBank.endToEndId);
    const body = {
      kind: 'payin',
      externalReference: wallet?.wallet.externalReference,
      movementId: movement?.movementId,
      endToEndId: atBank.endToEndId,
      amountPence: atBank.amountPence,
    };
    const notificationId = `n-${String((n * 7) % payments.length).padStart(3, '0')}`;
    const notice = { source: 'issuer', notificationId, body: JSON.stringify(body) };
    await h.db.transaction((tx) => receiveNotification(tx, h.clock.at, notice));
    await notifyOf(h, 'payment', atBank.bankPaymentId);
  }
  h.clock.at = h.clock.at.add({ minutes: 10 });
  await Promise.all(others.map((other) => other.engine.drain()));
  await runFor({ minutes: 10 });
  assert.equal(counted.again(), 0, 'deadlocks');
  for (const id of ids) assert.equal((await onlyPaymentOf(h, id)).status, 'success');
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
  // By hand, as slowly as it may happen: the next settlement is opened between its first lock and its second.
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
      return retrySettlement(
        h.service.settlements,
        slow,
        h.clock.at,
        h.merchantId,
        failed?.id ?? '',
      );
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
  const retrying = h.db
    .transaction((tx) => retryPayment(tx, h.clock.at, h.merchantId, paymentId))
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
