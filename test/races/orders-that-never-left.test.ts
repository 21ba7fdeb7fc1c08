import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BankRefused, BankUnavailable, SignatureRefused } from '../../server/src/banks/bank.ts';
import { assertLaws, onlyPaymentOf } from '../../server/test-support/books.ts';
import { Gate } from '../../server/test-support/gate.ts';
import { oneForEach } from '../../server/test-support/opened.ts';
import { asOwner } from '../../server/test-support/owner.ts';
import { until } from '../../server/test-support/until.ts';
import { confirmAgain, debitsOf, dueWithRoom, holdingBefore, justDue } from './acts.ts';

const { h, runFor } = oneForEach();

const PAST_THE_LEASE = { minutes: 5 };

const neverLeft = (): BankUnavailable => new BankUnavailable('no connection', { notSent: true });

/** Waits until `work` is done, or waits for a lock in the database. */
async function doneOrLocked(work: Promise<unknown>): Promise<void> {
  let isDone = false;
  const done = work.then(() => {
    isDone = true;
  });
  await until('the transaction ends, or waits for a lock', async () => {
    if (isDone) return true;
    const waiting = await asOwner(h.db, (tx) =>
      tx.row<{ count: number }>(
        `SELECT count(*)::int AS count FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      ),
    );
    return (waiting?.count ?? 0) > 0;
  });
  if (isDone) await done;
}

/**
 * A process stands still in its call, which never leaves; when its lease is over another one sends the order, and its answer is
 * lost. The first process learns that its order never left while the second is noting its own.
 */
async function notesWhileAnotherTakesBack(statement: string): Promise<string> {
  const id = await dueWithRoom(h);
  const [call, note] = [new Gate(), new Gate()];
  let calls = 0;
  h.bank.before = async (name) => {
    if (name !== 'submitPayment') return;
    calls += 1;
    if (calls > 1) return;
    await call.pass();
    throw neverLeft();
  };
  const first = h.another().engine.drain();
  await call.reached;
  h.clock.at = h.clock.at.add(PAST_THE_LEASE);
  h.issuer.onPayIn = null;
  h.bank.mood.losesAnswers = true;
  const second = h.another({ db: (db) => holdingBefore(db, statement, note) }).engine.drain();
  await note.reached;
  call.open();
  await doneOrLocked(first);
  note.open();
  await Promise.all([first, second]);
  await runFor({ minutes: 10 });
  h.bank.mood.losesAnswers = false;
  assert.equal(debitsOf(h, (await onlyPaymentOf(h, id)).id), 1);
  return id;
}

const STATEMENTS = {
  'before its first statement': 'before: UPDATE attempts a SET sent_at',
  'before the moment of its order': 'UPDATE attempts a SET sent_at',
  'before its order': 'INSERT INTO payment_orders',
};

for (const [where, statement] of Object.entries(STATEMENTS)) {
  test(`an order noted while an earlier one is taken back (${where}) is not cancelled as if it had not been made`, async () => {
    const { onPayIn } = h.issuer;
    const id = await notesWhileAnotherTakesBack(statement);
    await assertLaws(h);
    await h.update(id, { status: 'cancelled' });
    assert.equal((await onlyPaymentOf(h, id)).status, 'processing', 'the bank has it');
    h.issuer.onPayIn = onPayIn;
    await runFor({ hours: 26 });
    assert.equal((await onlyPaymentOf(h, id)).status, 'success');
    await assertLaws(h);
  });

  test(`an order noted while an earlier one is taken back (${where}) is the only debit`, async () => {
    const { onPayIn } = h.issuer;
    h.bank.mood.slow = true;
    const id = await notesWhileAnotherTakesBack(statement);
    h.bank.mood.funds = false;
    await runFor({ hours: 1 });
    h.bank.cheerUp();
    await runFor({ hours: 50 });
    h.issuer.onPayIn = onPayIn;
    const { id: paymentId } = await onlyPaymentOf(h, id);
    assert.equal(debitsOf(h, paymentId), 1, 'debited twice for one occurrence');
    h.bank.credit(h.bank.paymentOf(paymentId, 1));
    await runFor({ hours: 2 });
    assert.equal((await onlyPaymentOf(h, id)).status, 'success');
    await assertLaws(h);
  });
}

test('a process claims nothing that another is just noting as sent', async () => {
  const id = await dueWithRoom(h);
  const note = new Gate();
  const first = h
    .another({ db: (db) => holdingBefore(db, 'INSERT INTO payment_orders', note) })
    .engine.drain();
  await note.reached;
  h.clock.at = h.clock.at.add(PAST_THE_LEASE);
  await h.service.engine.drain();
  const { id: paymentId } = await onlyPaymentOf(h, id);
  assert.equal(debitsOf(h, paymentId), 0, 'sent beside the order that is being noted');
  note.open();
  await first;
  await runFor({ hours: 26 });
  assert.equal((await onlyPaymentOf(h, id)).status, 'success');
  assert.equal(debitsOf(h, paymentId), 1);
  await assertLaws(h);
});

/**
 * The first call stands still, and never leaves; another process's repeats are refused like this meanwhile, and go on being
 * refused for 30 hours.
 */
async function repeatsRefused(refusal: () => Error): Promise<{ id: string; orders: () => number }> {
  const id = await justDue(h);
  const call = new Gate();
  let calls = 0;
  h.bank.before = async (name) => {
    if (name !== 'submitPayment') return;
    calls += 1;
    if (calls > 1) throw refusal();
    await call.pass();
    throw neverLeft();
  };
  const first = h.another().engine.drain();
  await call.reached;
  h.clock.at = h.clock.at.add(PAST_THE_LEASE);
  await h.service.engine.drain();
  call.open();
  await first;
  await runFor({ hours: 30 });
  h.bank.before = null;
  return { id, orders: () => calls };
}

test('repeats that the bank refused for its customer are no orders that it may have', async () => {
  const code = 'reauthentication_required';
  const { id, orders } = await repeatsRefused(
    () => new BankRefused({ code, message: 'no', kind: 'retryable', bankCode: 'U028' }),
  );
  assert.ok(orders() <= 5, `${orders()} orders`);
  const { consent_notice: notice, portal_url: page } = await h.show(id);
  assert.equal(notice?.kind, 'reauthentication_needed');
  assert.equal(await confirmAgain(h, page), 'confirmed');
  await runFor({ minutes: 10 });
  const payment = await onlyPaymentOf(h, id);
  assert.equal(payment.status, 'success');
  assert.equal(debitsOf(h, payment.id), 1);
  await assertLaws(h);
});

test('repeats whose signature the bank did not take are no orders that it may have', async () => {
  const { id } = await repeatsRefused(() => new SignatureRefused('answered 400 U016', 'U016'));
  await runFor({ hours: 24 });
  const payment = await onlyPaymentOf(h, id);
  assert.equal(payment.status, 'success', JSON.stringify(payment.error));
  assert.equal(debitsOf(h, payment.id), 1);
  await assertLaws(h);
});
