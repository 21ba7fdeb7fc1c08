import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wireService } from '../../server/src/app/wiring/service.ts';
import { BankUnavailable } from '../../server/src/banks/bank.ts';
import { revokeConsent } from '../../server/src/consents/service.ts';
import { findConsent } from '../../server/src/consents/store.ts';
import type { Tx } from '../../server/src/platform/db/db.ts';
import {
  assertLaws,
  consentsOf,
  eventsOf,
  onlyPaymentOf,
  paymentsOf,
  retryByHand,
} from '../../server/test-support/books.ts';
import { Gate } from '../../server/test-support/gate.ts';
import type { Harness } from '../../server/test-support/harness.ts';
import { oneForEach } from '../../server/test-support/opened.ts';
import { allDue, debitsOf, dueWithRoom, holdingBefore, justDue } from './acts.ts';

const { h, runFor } = oneForEach();

/** Nothing reaches the bank: its whole API refuses connections. */
const refusesConnections = async (): Promise<void> => {
  throw new BankUnavailable('connection refused', { notSent: true });
};

/** Orders and deletions are lost in transit; it is unknown whether they arrived. */
const losesQuestions = async (call: string): Promise<void> => {
  if (call === 'submitPayment' || call === 'deleteConsent') throw new BankUnavailable('lost');
};

async function withdraw(scheduleId: string): Promise<void> {
  const [consent] = await consentsOf(h, scheduleId);
  await h.db.transaction(async (tx) => {
    const row = await findConsent(tx, h.merchantId, consent?.consentId ?? '');
    assert.ok(row);
    await revokeConsent(h.service.authorisation, tx, row, 'withdrawn_on_portal');
  });
}

const NOS: Readonly<Record<string, { say(id: string): Promise<unknown>; code: string }>> = {
  'a cancellation': {
    say: (id) => h.update(id, { status: 'cancelled' }),
    code: 'schedule_cancelled',
  },
  'a pause': { say: (id) => h.update(id, { status: 'paused' }), code: 'schedule_paused' },
  'a withdrawal': { say: withdraw, code: 'consent_revoked' },
};

for (const [what, { say, code }] of Object.entries(NOS)) {
  test(`32 payments that could not reach the bank are not sent after ${what}`, async () => {
    const ids = await allDue(h, 32);
    h.bank.before = async (call) => {
      if (call === 'submitPayment' || call === 'deleteConsent') await refusesConnections();
    };
    await h.service.engine.drain();
    await runFor({ minutes: 3 });
    await Promise.all(ids.map((id) => say(id)));
    h.bank.cheerUp();
    const other = h.another();
    await Promise.all([h.service.engine.drain(), other.engine.drain()]);
    await runFor({ hours: 30 });
    for (const id of ids) {
      const payment = await onlyPaymentOf(h, id);
      assert.equal(debitsOf(h, payment.id), 0, `debited after ${what}`);
      assert.deepEqual([payment.status, payment.error?.code], ['failed', code]);
    }
    await assertLaws(h);
  });

  test(`an order that may have arrived is not repeated after ${what}, and ends a day later`, async () => {
    const id = await dueWithRoom(h);
    h.bank.before = losesQuestions;
    await h.service.engine.drain();
    await say(id);
    h.bank.cheerUp();
    await runFor({ hours: 23, minutes: 59 });
    const waiting = await onlyPaymentOf(h, id);
    assert.equal(waiting.status, 'processing', 'the order may still be with the bank');
    await runFor({ minutes: 2 });
    const ended = await onlyPaymentOf(h, id);
    assert.deepEqual([ended.status, ended.error?.code], ['failed', code]);
    assert.equal(debitsOf(h, ended.id), 0);
    const told = (await eventsOf(h, id)).filter(({ kind }) => kind === 'collection.failed');
    assert.deepEqual(
      told.map(({ data }) => [data.attempt, data.reason, data.next_retry_at]),
      [[1, 'stopped', null]],
    );
    await assertLaws(h);
  });

  test(`money of an order that was sent before ${what} is accepted, within the day and after it`, async () => {
    for (const hours of [2, 30]) {
      const id = await dueWithRoom(h);
      h.bank.mood.slow = true;
      h.bank.mood.losesAnswers = true;
      await h.service.engine.drain();
      const { id: paymentId } = await onlyPaymentOf(h, id);
      await say(id);
      h.bank.cheerUp();
      await runFor({ hours });
      h.bank.credit(h.bank.paymentOf(paymentId, 1));
      await runFor({ hours: 1 });
      assert.equal((await onlyPaymentOf(h, id)).status, 'success', `${hours} hours later`);
      await assertLaws(h);
    }
  });
}

test('a pause waits for what is just being sent, and names it', async () => {
  const id = await justDue(h);
  const noted = new Gate();
  h.bank.before = async (call) => {
    if (call === 'submitPayment') await noted.pass();
  };
  const sending = h.service.engine.drain();
  await noted.reached; // the order is recorded, and not with the bank yet
  const paused = await h.update(id, { status: 'paused' });
  noted.open();
  await sending;
  await runFor({ minutes: 1 });
  const payment = await onlyPaymentOf(h, id);
  assert.equal(payment.status, 'success');
  const { amount, due_date } = payment;
  assert.deepEqual(paused.payments_under_way, [{ id: payment.id, amount, due_date }]);
});

test('a pause that comes first wins over the note, and names nothing', async () => {
  const id = await justDue(h);
  const checked = new Gate();
  const locking = h.another({ db: (db) => holdingBefore(db, 'FOR KEY SHARE', checked) });
  const sending = locking.engine.drain();
  await checked.reached; // every check before the record has passed
  const paused = await h.update(id, { status: 'paused' });
  assert.deepEqual(paused.payments_under_way, []);
  checked.open();
  await sending;
  await runFor({ hours: 1 });
  const payment = await onlyPaymentOf(h, id);
  assert.equal(debitsOf(h, payment.id), 0);
  assert.deepEqual([payment.status, payment.error?.code], ['failed', 'schedule_paused']);
  await assertLaws(h);
});

test('a payment that a pause has met is not sent after the schedule was resumed', async () => {
  const id = await dueWithRoom(h);
  h.bank.before = losesQuestions;
  await h.service.engine.drain();
  await h.update(id, { status: 'paused' });
  await h.update(id, { status: 'active' });
  h.bank.cheerUp();
  await runFor({ hours: 25 });
  const payment = (await paymentsOf(h, id))[0];
  assert.deepEqual([payment?.status, payment?.error?.code], ['failed', 'schedule_paused']);
  assert.equal(debitsOf(h, payment?.id ?? ''), 0);
  await assertLaws(h);
});

test('a payment retried by hand is not repeated once its schedule is paused', async () => {
  const id = await failedOnce(h);
  h.bank.before = losesQuestions;
  const { id: paymentId } = await onlyPaymentOf(h, id);
  await retryByHand(h, paymentId);
  await h.service.engine.drain();
  await h.update(id, { status: 'paused' });
  h.bank.cheerUp();
  await runFor({ hours: 25 });
  assert.equal(debitsOf(h, paymentId), 0);
  assert.equal((await onlyPaymentOf(h, id)).error?.code, 'schedule_paused');
  await assertLaws(h);
});

test('a failed payment of a paused schedule can be retried by hand', async () => {
  const id = await failedOnce(h);
  await h.update(id, { status: 'paused' });
  const { id: paymentId } = await onlyPaymentOf(h, id);
  await retryByHand(h, paymentId);
  await runFor({ minutes: 1 });
  assert.equal((await onlyPaymentOf(h, id)).status, 'success');
  await assertLaws(h);
});

test('an order that provably never left does not count as sent', async () => {
  const id = await justDue(h);
  h.bank.before = async (call) => {
    if (call === 'submitPayment') await refusesConnections();
  };
  await h.service.engine.drain();
  const [attempt] = await h.db.read((tx) =>
    tx.rows<{ sentAt: Temporal.Instant | null }>(
      `SELECT a.sent_at FROM attempts a JOIN payments p USING (merchant_id, payment_id) WHERE p.schedule_id = $1`,
      [id],
    ),
  );
  assert.equal(attempt?.sentAt, null);
  h.bank.cheerUp();
  h.bank.mood.funds = false; // every check applies again
  await runFor({ minutes: 1 });
  const payment = await onlyPaymentOf(h, id);
  assert.equal(payment.error?.code, 'insufficient_funds');
  await assertLaws(h);
});

test('a payment that the bank keeps open ends a day after the no, unless its money has left the account', async () => {
  for (const [status, expected] of [
    ['pending', 'failed'],
    ['debited', 'processing'],
  ] as const) {
    const id = await dueWithRoom(h);
    h.bank.mood.slow = true;
    await h.service.engine.drain();
    const { id: paymentId } = await onlyPaymentOf(h, id);
    h.bank.paymentOf(paymentId, 1).status = status;
    await h.update(id, { status: 'cancelled' });
    await runFor({ hours: 25 });
    assert.equal((await onlyPaymentOf(h, id)).status, expected, status);
    h.bank.credit(h.bank.paymentOf(paymentId, 1));
    await runFor({ hours: 1 });
    assert.equal((await onlyPaymentOf(h, id)).status, 'success');
    h.bank.cheerUp();
  }
  await assertLaws(h);
});

test('two processes whose clocks differ date the end of a consent and an order in the order in which they came', async () => {
  const within = async (tx: Tx): Promise<Temporal.Instant> =>
    (await tx.row<{ now: Temporal.Instant }>('SELECT clock_timestamp() AS now'))?.now ?? h.clock.at;
  h.clock.at = Temporal.Now.instant().subtract({ hours: 72 }); // due by the database's clock, too
  const id = await justDue(h);
  const fast = { now: () => h.clock.at.add({ minutes: 5 }), within };
  const slow = { now: () => h.clock.at.subtract({ minutes: 5 }), within };
  const { banks, issuer } = h.service.authorisation;
  const sending = wireService({ ...h.platform, clock: fast }, { banks, issuer });
  const ending = wireService({ ...h.platform, clock: slow }, { banks, issuer });
  await sending.engine.drain();
  const [consent] = await consentsOf(h, id);
  await h.db.transaction(async (tx) => {
    const row = await findConsent(tx, h.merchantId, consent?.consentId ?? '');
    assert.ok(row);
    await revokeConsent(ending.authorisation, tx, row, 'withdrawn_on_portal');
  });
  const dated = await h.db.read((tx) =>
    tx.row<{ sentAt: Temporal.Instant; endedAt: Temporal.Instant }>(
      `SELECT o.sent_at, c.ended_at FROM payment_orders o JOIN payments p USING (merchant_id, payment_id)
       JOIN consents c USING (merchant_id, consent_id) WHERE p.schedule_id = $1`,
      [id],
    ),
  );
  assert.ok(dated !== null && Temporal.Instant.compare(dated.sentAt, dated.endedAt) < 0);
});

/** Returns a schedule whose only payment has failed for good. */
async function failedOnce(on: Harness): Promise<string> {
  const id = await dueWithRoom(on);
  on.bank.mood.refuses = 'final';
  await on.service.engine.drain();
  on.bank.cheerUp();
  assert.equal((await onlyPaymentOf(on, id)).status, 'failed');
  return id;
}
