import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BankRefused, BankUnavailable } from '../../server/src/banks/bank.ts';
import { IssuerRefused, IssuerUnavailable } from '../../server/src/wallets/issuer.ts';
import { assertLaws, onlyPaymentOf, settlementsOf } from '../../server/test-support/books.ts';
import { Gate } from '../../server/test-support/gate.ts';
import { oneForEach } from '../../server/test-support/opened.ts';
import { confirmAgain, debitsOf, dueWithRoom, justDue } from './acts.ts';

const { h, runFor } = oneForEach();

const refusedAtTheGateway = (): BankRefused =>
  new BankRefused({ code: 'technical', message: 'no', kind: 'retryable', bankCode: '401' });

/** Makes the first call of this name wait at the gate, and then run `wakes`. */
function firstSleeps(
  call: 'confirmFunds' | 'submitPayment',
  gate: Gate,
  wakes: () => void = () => undefined,
): void {
  let calls = 0;
  h.bank.before = async (name) => {
    if (name !== call) return;
    calls += 1;
    if (calls > 1) return;
    await gate.pass();
    wakes();
  };
}

/** Has another process find the lease over, debit the customer and not learn of it. No notice of the money comes. */
async function anotherDebits(after: Temporal.DurationLike): Promise<void> {
  h.clock.at = h.clock.at.add(after);
  h.issuer.onPayIn = null;
  h.bank.mood.losesAnswers = true;
  await h.service.engine.drain();
  h.bank.mood.losesAnswers = false;
}

test('the refusal of a call that outlasted its lease is no failure: the next worker may have debited', async () => {
  const { onPayIn } = h.issuer;
  const id = await dueWithRoom(h);
  const gate = new Gate();
  firstSleeps('submitPayment', gate, () => {
    throw refusedAtTheGateway();
  });
  const first = h.another().engine.drain();
  await gate.reached;
  await anotherDebits({ minutes: 10 });
  gate.open();
  await first;
  h.issuer.onPayIn = onPayIn;
  await runFor({ hours: 26 });
  const payment = await onlyPaymentOf(h, id);
  assert.equal(debitsOf(h, payment.id), 1, 'debited twice for one occurrence');
  assert.equal(payment.status, 'success');
  await assertLaws(h);
});

test('a worker that wakes when its lease is over sends nothing of what another has taken up', async () => {
  const id = await justDue(h);
  const gate = new Gate();
  firstSleeps('confirmFunds', gate);
  const first = h.another().engine.drain();
  await gate.reached;
  await anotherDebits({ minutes: 10 });
  const sent = h.bank.submitted.length;
  gate.open();
  await first;
  assert.equal(h.bank.submitted.length, sent, 'sent a second time beside the other worker');
  await runFor({ hours: 1 });
  assert.equal(debitsOf(h, (await onlyPaymentOf(h, id)).id), 1);
});

test('a worker that sleeps for hours does not move the day in which banks know a key', async () => {
  const id = await justDue(h);
  const start = h.clock.at;
  const gate = new Gate();
  firstSleeps('confirmFunds', gate);
  const first = h.another().engine.drain();
  await gate.reached;
  await anotherDebits({ minutes: 10 });
  h.clock.at = start.add({ hours: 6 });
  let lastSent = start;
  h.bank.before = async (call) => {
    if (call !== 'submitPayment') return;
    lastSent = h.clock.at;
    throw new BankUnavailable('down');
  };
  gate.open();
  await first;
  await runFor({ hours: 30 });
  const after = lastSent.since(start).total('hours');
  assert.ok(after < 23.6, `sent again after ${after} hours`);
  assert.equal((await onlyPaymentOf(h, id)).status, 'success', 'found at the issuer');
});

test('a worker that slept for a day between its note and its call does not call', async () => {
  const id = await justDue(h);
  const gate = new Gate();
  const [db] = [h.db];
  let isMarked = false;
  const sleeper = h.another({
    db: () => ({
      ...db,
      transaction: async (work) => {
        let marks = false;
        const result = await db.transaction((tx) =>
          work({
            ...tx,
            rows: (sql, values) => {
              if (sql.includes('SET sent_at')) marks = true;
              return tx.rows(sql, values);
            },
          }),
        );
        if (marks && !isMarked) {
          isMarked = true;
          await gate.pass();
        }
        return result;
      },
    }),
  });
  const first = sleeper.engine.drain();
  await gate.reached;
  h.clock.at = h.clock.at.add({ hours: 25 });
  gate.open();
  await first;
  assert.equal(debitsOf(h, (await onlyPaymentOf(h, id)).id), 0, 'the bank has forgotten the key');
});

test('an attempt that was not sent yet gives way when the money of an earlier one arrives', async () => {
  h.bank.mood.slow = true;
  const id = await dueWithRoom(h);
  await h.service.engine.drain();
  const { id: paymentId } = await onlyPaymentOf(h, id);
  const first = h.bank.paymentOf(paymentId, 1);
  h.bank.fail(first, 'retryable');
  await runFor({ minutes: 10 });
  h.bank.cheerUp();
  h.bank.before = async (call) => {
    if (call === 'confirmFunds') throw new BankUnavailable('down');
  };
  await runFor({ hours: 25 }); // the second attempt starts, and cannot be sent
  assert.equal((await onlyPaymentOf(h, id)).attempts.length, 2);
  h.bank.credit(first); // the first had succeeded after all
  await runFor({ minutes: 1 });
  h.bank.cheerUp();
  await runFor({ hours: 24 * 3 });
  assert.equal(debitsOf(h, paymentId), 1, 'debited twice for one occurrence');
  const payment = await onlyPaymentOf(h, id);
  assert.equal(payment.status, 'success');
  assert.deepEqual(
    payment.attempts.map((a) => [a.status, a.error?.code]),
    [
      ['success', undefined],
      ['failed', 'duplicate'],
    ],
  );
  await assertLaws(h);
});

test('a token that another process renewed at the same moment ends no consent', async () => {
  const id = await justDue(h);
  let isFirst = true;
  h.bank.refresh = async (grant) => {
    if (!isFirst) return grant;
    isFirst = false;
    throw new BankRefused({
      code: 'reauthentication_required',
      message: 'no',
      kind: 'retryable',
      bankCode: 'invalid_grant',
    });
  };
  await runFor({ minutes: 5 });
  assert.equal((await onlyPaymentOf(h, id)).status, 'success');
  assert.equal((await h.show(id)).status, 'active');
});

test('a token that the bank will not renew ends no consent and fails nothing: the attempt waits for the customer', async () => {
  const id = await justDue(h);
  const refresh = h.bank.refresh;
  h.bank.refresh = async () => {
    throw new BankRefused({
      code: 'reauthentication_required',
      message: 'no',
      kind: 'retryable',
      bankCode: 'invalid_grant',
    });
  };
  await runFor({ minutes: 5 });
  const payment = await onlyPaymentOf(h, id);
  assert.deepEqual([payment.status, payment.error], ['processing', null]);
  const shown = await h.show(id);
  assert.equal(shown.consent_notice?.kind, 'reauthentication_needed');
  h.bank.refresh = refresh;
  await runFor({ hours: 48 });
  assert.equal(
    (await onlyPaymentOf(h, id)).status,
    'processing',
    'only the customer ends the wait',
  );
  assert.equal(await confirmAgain(h, shown.portal_url), 'confirmed');
  await runFor({ minutes: 1 });
  assert.equal((await h.show(id)).status, 'active');
  const collected = await onlyPaymentOf(h, id);
  assert.deepEqual([collected.status, collected.attempts.length], ['success', 1]);
});

test('a pay-out refused to a worker that slept has not failed: the next worker may have made it', async () => {
  await justDue(h);
  await h.runUntil('2026-01-06T05:59:59Z');
  h.clock.at = Temporal.Instant.from('2026-01-06T06:00:00Z');
  const gate = new Gate();
  const payOut = h.issuer.payOut.bind(h.issuer);
  let calls = 0;
  h.issuer.payOut = async (order) => {
    calls += 1;
    if (calls > 1) return payOut(order);
    const known = h.issuer.orders.size;
    await gate.pass();
    assert.ok(h.issuer.orders.size >= known);
    throw new IssuerRefused('wallet_locked', 'Not now.');
  };
  h.issuer.slowPayOuts = true;
  h.issuer.findMovement = async () => null; // checked before the other worker's order was in the books
  const first = h.another().engine.drain();
  await gate.reached;
  h.clock.at = h.clock.at.add({ minutes: 10 });
  h.issuer.losesAnswers = true;
  await h.service.engine.drain();
  h.issuer.losesAnswers = false;
  gate.open();
  await first;
  h.issuer.slowPayOuts = false;
  for (const [key, order] of h.issuer.orders)
    if (order.status === 'pending') h.issuer.endPayOut(key, null);
  await runFor({ hours: 24 * 3 });
  const paid = [...h.issuer.orders.values()].filter((m) => m.kind === 'payout');
  assert.equal(paid.length, 1, 'paid out twice');
  assert.deepEqual(
    (await settlementsOf(h)).map((s) => s.status),
    ['success'],
  );
});

test('a key that the issuer says is in use is no refusal of the pay-out', async () => {
  await justDue(h);
  await h.runUntil('2026-01-06T05:59:59Z');
  const payOut = h.issuer.payOut.bind(h.issuer);
  let calls = 0;
  let late: Parameters<typeof payOut>[0] | undefined;
  h.issuer.payOut = async (order) => {
    calls += 1;
    if (calls === 1) {
      late = order;
      throw new IssuerUnavailable('no answer in time');
    }
    if (calls === 2) throw new IssuerRefused('idempotency_conflict', 'The key is in use.');
    return payOut(order);
  };
  await runFor({ seconds: 8 });
  assert.ok(late);
  await payOut(late); // the first call was slow, and succeeds
  await runFor({ hours: 24 * 3 });
  const paid = [...h.issuer.orders.values()].filter((m) => m.kind === 'payout');
  assert.equal(paid.length, 1, 'paid out twice');
});
