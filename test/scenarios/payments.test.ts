import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BankUnavailable } from '../../server/src/banks/bank.ts';
import type { CreateBody } from '../../server/src/schedules/request/request.ts';
import {
  assertLaws,
  dueInAnHour,
  eventsOf,
  kindsOf,
  notifyOf,
  onlyPaymentOf,
  paymentsOf,
  refusedWith,
  retryByHand,
} from '../../server/test-support/books.ts';
import { openHarness } from '../../server/test-support/harness.ts';
import { oneForAll } from '../../server/test-support/opened.ts';

const { h, runFor } = oneForAll();

const due = (body?: Partial<CreateBody>): Promise<string> => dueInAnHour(h, body);

/** Returns how many hours after the first attempt each attempt was made. */
async function hoursOfAttempts(id: string): Promise<number[]> {
  const { attempts } = await onlyPaymentOf(h, id);
  const at = attempts.map((a) => Temporal.Instant.from(a.started_at).epochMilliseconds / 3_600_000);
  return at.map((hour) => hour - (at[0] ?? 0));
}

const LADDERS: [CreateBody['frequency'], number, number[]][] = [
  ['monthly', 0, [0]],
  ['monthly', 1, [0, 24]],
  ['monthly', 3, [0, 24, 72, 144]],
  ['monthly', 5, [0, 24, 72, 144, 216, 288]],
  ['yearly', 10, [0, 24, 72, 144, 216, 288, 360, 432, 504, 576, 648]],
  // The next occurrence is on the seventh day: the retry on the ninth is not made.
  ['weekly', 10, [0, 24, 72, 144]],
  ['daily', 2, [0, 2, 6]],
];

for (const [frequency, max_retries, hours] of LADDERS)
  test(`${frequency} with ${max_retries} retries: tried after ${hours.join(', ')} hours, then failed`, async () => {
    h.bank.mood.funds = false;
    // Early in the day: a daily retry must not use up the next day's limit.
    await h.runUntil(
      h.clock.at
        .toZonedDateTimeISO('UTC')
        .add({ days: 1 })
        .with({ hour: 6, minute: 0 })
        .toInstant(),
    );
    const id = await due({ frequency, max_retries });
    await runFor({ hours: (hours.at(-1) ?? 0) + 1 });
    assert.deepEqual(await hoursOfAttempts(id), hours);
    const payment = await onlyPaymentOf(h, id);
    assert.equal(payment.status, 'failed');
    assert.equal(payment.error?.code, 'insufficient_funds');
    const told = (await eventsOf(h, id)).filter((e) => e.kind === 'collection.failed');
    assert.deepEqual(
      told.map((e) => e.data.attempt),
      hours.map((_, n) => n + 1),
    );
    const next = told.map((e) => e.data.next_retry_at);
    assert.deepEqual(
      next.slice(0, -1),
      payment.attempts.slice(1).map((a) => a.started_at),
    );
    assert.equal(next.at(-1), null);
    await h.update(id, { status: 'cancelled' });
  });

test('a retry that works collects under the same payment, once', async () => {
  h.bank.mood.funds = false;
  const id = await due();
  h.bank.mood.funds = true;
  await runFor({ hours: 25 });
  const payment = await onlyPaymentOf(h, id);
  assert.equal(payment.status, 'success');
  assert.deepEqual(
    payment.attempts.map((a) => a.status),
    ['failed', 'success'],
  );
  assert.equal(payment.error, null);
  assert.equal(payment.failed_at, null);
  const told = (await eventsOf(h, id)).slice(1);
  assert.deepEqual(
    told.map((e) => [e.kind, e.data.payment_id]),
    [
      ['collection.failed', payment.id],
      ['collection.success', payment.id],
    ],
  );
});

test('a failure that is final is never tried again, and the schedule goes on', async () => {
  h.bank.mood.refuses = 'final';
  const id = await due();
  h.bank.mood.refuses = null;
  await runFor({ hours: 24 * 32 });
  const [failed, next] = await paymentsOf(h, id);
  assert.equal(failed?.attempts.length, 1);
  assert.equal(failed?.error?.code, 'account_closed');
  assert.equal(next?.status, 'success');
});

test('a payment that fails late, after it was pending, is retried like any other', async () => {
  h.bank.mood.slow = true;
  const id = await due();
  const { id: paymentId } = await onlyPaymentOf(h, id);
  h.bank.fail(h.bank.paymentOf(paymentId, 1), 'retryable');
  h.bank.mood.slow = false;
  await runFor({ hours: 25 });
  const payment = await onlyPaymentOf(h, id);
  assert.deepEqual(
    payment.attempts.map((a) => a.status),
    ['failed', 'success'],
  );
});

test('money that has left the customer but not arrived is no success until it does', async () => {
  h.bank.mood.slow = true;
  const id = await due();
  const { id: paymentId } = await onlyPaymentOf(h, id);
  const atBank = h.bank.paymentOf(paymentId, 1);
  atBank.status = 'debited';
  await runFor({ hours: 5 });
  const waiting = await onlyPaymentOf(h, id);
  assert.equal(waiting.status, 'processing');
  assert.equal(waiting.attempts[0]?.bank_status, 'ACSC');
  const { onPayIn } = h.issuer;
  h.issuer.onPayIn = null; // the issuer's notice is lost: the issuer is queried as soon as the bank reports that it has paid
  h.bank.credit(atBank);
  h.issuer.onPayIn = onPayIn;
  await notifyOf(h, 'payment', atBank.bankPaymentId);
  await runFor({ seconds: 1 });
  assert.equal(
    (await onlyPaymentOf(h, id)).status,
    'success',
    'asked for at once, not at the next look',
  );
});

test('an outcome that is not known is asked for again under the same key, and debited once', async () => {
  const other = await openHarness('2026-01-05T09:30:00Z');
  try {
    other.issuer.onPayIn = null; // only the bank can report it
    other.bank.mood.losesAnswers = true;
    const { id } = await other.agreed();
    await other.runUntil('2026-01-10T09:02:00Z');
    other.bank.mood.losesAnswers = false;
    const unknown = await onlyPaymentOf(other, id);
    assert.equal(unknown.status, 'processing');
    assert.equal(unknown.error, null);
    await other.runUntil('2026-01-10T10:00:00Z');
    const payment = await onlyPaymentOf(other, id);
    assert.equal(payment.status, 'success');
    assert.equal(payment.attempts.length, 1, 'the attempt number rises only after a known failure');
    assert.deepEqual(new Set(other.bank.submitted), new Set([`${payment.id}-a1`]));
    assert.ok(other.bank.submitted.length > 1);
    assert.equal(other.bank.payments.size, 1);
    assert.deepEqual(await kindsOf(other, id), ['schedule.setup_success', 'collection.success']);
    await assertLaws(other);
  } finally {
    await other.close();
  }
});

test('after 23 hours without an outcome the bank is not sent the payment any more; the arrival of money decides', async () => {
  const other = await openHarness('2026-01-05T09:30:00Z');
  try {
    other.issuer.onPayIn = null;
    const taken = await other.agreed();
    const never = await other.agreed({
      start_date: '2026-01-10T10:00:00Z',
      customer: { phone: '+447700900124' },
    });
    other.bank.mood.losesAnswers = true; // the first is debited, its response is lost
    await other.runUntil('2026-01-10T09:30:00Z');
    other.bank.before = async (call) => {
      if (call === 'submitPayment') throw new BankUnavailable('lost on the way'); // the second never arrives
    };
    await other.runUntil('2026-01-11T07:59:00Z');
    const ids = [taken.id, never.id];
    for (const id of ids) assert.equal((await onlyPaymentOf(other, id)).status, 'processing');
    await other.runUntil('2026-01-11T10:00:00Z');
    assert.equal((await onlyPaymentOf(other, taken.id)).status, 'success', 'found at the issuer');
    const sent = other.bank.submitted.length;
    other.bank.cheerUp();
    await other.runUntil('2026-01-11T16:00:00Z');
    assert.equal(
      other.bank.submitted.length,
      sent,
      'the bank has forgotten the key: nothing is sent any more',
    );
    assert.equal((await onlyPaymentOf(other, never.id)).status, 'processing', 'nobody knows');
    await assertLaws(other);
  } finally {
    await other.close();
  }
});

test('a retry by hand does not count against max_retries, and is followed by no automatic one', async () => {
  h.bank.mood.funds = false;
  const id = await due({ max_retries: 1 });
  const first = await onlyPaymentOf(h, id);
  await assert.rejects(retryByHand(h, first.id), refusedWith('payment_not_retryable'));
  await runFor({ hours: 25 });
  assert.equal((await onlyPaymentOf(h, id)).status, 'failed');
  for (const attempt of [3, 4]) {
    const asked = await retryByHand(h, first.id);
    assert.equal(asked.status, 'pending');
    await runFor({ hours: 30 });
    const again = await onlyPaymentOf(h, id);
    assert.equal(again.status, 'failed');
    assert.equal(again.attempts.length, attempt);
    assert.equal(again.attempts.at(-1)?.manual, true);
  }
  h.bank.mood.funds = true;
  await retryByHand(h, first.id);
  await runFor({ minutes: 1 });
  const won = await onlyPaymentOf(h, id);
  assert.equal(won.status, 'success');
  assert.equal(won.error, null);
  await assert.rejects(retryByHand(h, first.id), refusedWith('payment_not_retryable'));
});

test('what fell due while the service was down is collected when it is back, each occurrence once', async () => {
  const start = h.clock.at.round('second').add({ hours: 1 });
  const ids: string[] = [];
  for (const n of [0, 1, 2]) {
    const body = {
      start_date: start.add({ hours: n }).toString(),
      customer: { phone: `+44770090020${n}` },
    };
    ids.push((await h.agreed(body)).id);
  }
  h.clock.at = start.add({ hours: 24 * 10 }); // nothing ran for ten days
  await runFor({ minutes: 1 });
  for (const [n, id] of ids.entries()) {
    const payment = await onlyPaymentOf(h, id);
    assert.equal(payment.status, 'success');
    assert.equal(
      Temporal.Instant.compare(payment.due_date, start.add({ hours: n })),
      0,
      'an outage moves no occurrence',
    );
    const next = (await h.show(id)).next_payment_date ?? '';
    assert.ok(Temporal.Instant.compare(next, h.clock.at) > 0);
  }
});

test('after a long outage each missed occurrence has one payment, and the limits of the consent still hold', async () => {
  const start = h.clock.at.round('second').add({ hours: 1 });
  const { id } = await h.agreed({
    start_date: start.toString(),
    frequency: 'weekly',
    customer: { phone: '+447700900300' },
  });
  h.clock.at = start.add({ hours: 24 * 15 });
  await runFor({ minutes: 1 });
  const payments = await paymentsOf(h, id);
  const dueDates = payments.map(
    (p) =>
      (Temporal.Instant.from(p.due_date).epochMilliseconds - start.epochMilliseconds) / 86_400_000,
  );
  assert.deepEqual(dueDates, [0, 7, 14]);
  assert.equal(
    payments.filter((p) => p.status === 'success').length,
    1,
    'one a week is what was consented to',
  );
  assert.deepEqual(
    payments.filter((p) => p.status === 'failed').map((p) => p.error?.code),
    ['limit_exceeded', 'limit_exceeded'],
  );
});

test('a transfer that the issuer refuses, or whose answer is lost, is made again and moves the money once', async () => {
  h.issuer.transferError = 'technical';
  const id = await due();
  assert.equal((await onlyPaymentOf(h, id)).status, 'processing');
  h.issuer.transferError = null;
  h.issuer.losesAnswers = true;
  await runFor({ seconds: 1 }).catch(() => undefined);
  await runFor({ minutes: 1 }).catch(() => undefined);
  h.issuer.losesAnswers = false;
  await runFor({ minutes: 5 });
  assert.equal((await onlyPaymentOf(h, id)).status, 'success');
});
