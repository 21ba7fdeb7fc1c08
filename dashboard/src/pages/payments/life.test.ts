import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Attempt, Payment } from '@recollect/sdk';
import {
  at,
  attempt,
  BOOKED,
  COLLECTED,
  DUE,
  failed,
  gbp,
  LATER,
  life,
  lineOf,
  NO_MONEY,
  paid,
  refund,
  settlement,
} from '../../../test-support/life-cases.ts';
import type { Life } from './life.ts';

const WALLETS = '… In the customer’s wallet, … In your wallet, … Settled';

test('a payment that is not due yet has its date, and everything to come', () => {
  const planned = life({});
  assert.equal(lineOf(planned), `> Due, … Sent to Northbank, … Paid by Northbank, ${WALLETS}`);
  assert.deepEqual(planned.next, { text: 'We ask Northbank for the money', at: DUE });
  assert.equal(planned.points[0]?.to, '/schedules/sch_1');
});

test('a payment whose order was not sent says why, and when we try again', () => {
  const notSent = { reason: 'bank_down', bank_id: 'northbank', next_try_at: LATER } as const;
  const waiting = life({ status: 'processing', attempts: [attempt(1)], not_sent: notSent });
  assert.equal(lineOf(waiting), `Due, ! Not sent yet, … Paid by Northbank, ${WALLETS}`);
  assert.equal(waiting.points[1]?.detail, 'Northbank is not responding.');
  assert.deepEqual(waiting.next, { text: 'We try again', at: LATER });
  const sending = { ...notSent, reason: 'being_sent', next_try_at: null } as const;
  const under = life({ status: 'processing', attempts: [attempt(1)], not_sent: sending });
  assert.equal(lineOf(under), `Due, > Being sent to Northbank, … Paid by Northbank, ${WALLETS}`);
  const week = { reason: 'not_sent', since: DUE } as const;
  const stuck = life({
    status: 'processing',
    attempts: [attempt(1)],
    not_sent: notSent,
    waits_for_operator: week,
  });
  assert.deepEqual(
    [stuck.points[1]?.detail, stuck.points[1]?.at],
    ['Nothing could be sent to the bank for a week.', DUE],
  );
});

test('a payment at the bank waits there, and one without an outcome is looked into', () => {
  const sent = { status: 'processing', attempts: [attempt(1)] } as const;
  const waiting = life({ ...sent, attempts: [attempt(1)] });
  assert.equal(lineOf(waiting), `Due, Sent to Northbank, > With Northbank, ${WALLETS}`);
  assert.match(waiting.next?.text ?? '', /until it tells us the outcome/);
  const waits = { reason: 'no_outcome', since: at(20) } as const;
  const unknown = life({ ...sent, attempts: [attempt(1)], waits_for_operator: waits });
  assert.equal(lineOf(unknown), `Due, Sent to Northbank, ! With Northbank, ${WALLETS}`);
  assert.match(unknown.points[2]?.detail ?? '', /not confirmed the outcome/);
  assert.match(unknown.next?.text ?? '', /You do not need to do anything/);
});

test('money that does not come as it should is named where it is missing', () => {
  const about = (reason: NonNullable<Payment['waits_for_operator']>['reason'], one: Attempt) =>
    lineOf(
      life({
        status: 'processing',
        attempts: [one],
        waits_for_operator: { reason, since: at(30) },
      }),
    );
  const upTo = 'Due, Sent to Northbank, Paid by Northbank';
  const money = `${upTo}, ! In the customer’s wallet, … In your wallet, … Settled`;
  assert.equal(about('credited_without_money', attempt(1)), money);
  assert.equal(about('wrong_amount', attempt(1)), money);
  assert.equal(
    about('not_transferred', paid(1)),
    `${upTo}, In the customer’s wallet, ! In your wallet, … Settled`,
  );
});

test('a planned retry names what failed, and when the next attempt is', () => {
  const retrying = { status: 'pending', error: NO_MONEY, next_retry_at: LATER } as const;
  const once = life({ ...retrying, attempts: [failed(1)] });
  const rest = `… Next attempt, … Paid by Northbank, ${WALLETS}`;
  assert.equal(lineOf(once), `Due, ! Attempt 1 failed, ${rest}`);
  assert.equal(once.points[1]?.detail, 'Not enough money.');
  assert.equal(once.points[2]?.at, LATER);
  assert.deepEqual(once.next, { text: 'We try again', at: LATER });
  const twice = life({ ...retrying, attempts: [failed(1), failed(2)] });
  assert.equal(lineOf(twice), `Due, ! 2 attempts failed, ${rest}`);
});

test('a payment that failed for good ends where it stopped, and says why nothing follows', () => {
  const lost = life({
    status: 'failed',
    error: NO_MONEY,
    attempts: [failed(1), failed(2)],
    failed_at: at(25),
    no_retry_reason: 'max_retries',
  });
  assert.equal(lineOf(lost), 'Due, ! Attempt 1 failed, Sent to Northbank, x Failed');
  assert.deepEqual(lost.points.at(-1)?.detail, 'Not enough money.');
  assert.equal(lost.next?.text, 'No retry: all retries have been used.');
});

test('a payment that was stopped says so, whether or not it was attempted', () => {
  const error = { code: 'schedule_cancelled', message: 'The schedule was cancelled.' };
  const stopped = {
    status: 'failed',
    error,
    failed_at: LATER,
    no_retry_reason: 'stopped',
  } as const;
  assert.equal(lineOf(life({ ...stopped })), 'Due, x Failed');
  const after = life({ ...stopped, attempts: [failed(1)] });
  assert.equal(lineOf(after), 'Due, ! Attempt 1 failed, x Failed');
  assert.equal(after.points[2]?.detail, 'The schedule was cancelled.');
});

test('a collected payment has each of its moments, and waits for its settlement', () => {
  const collected = life(COLLECTED, { ledger: BOOKED });
  const upTo =
    'Due, Sent to Northbank, Paid by Northbank, In the customer’s wallet, In your wallet';
  assert.equal(lineOf(collected), `${upTo}, … Settled`);
  const moments = [DUE, at(11), at(12), at(14), at(15), null];
  assert.deepEqual(
    collected.points.map((point) => point.at),
    moments,
  );
  assert.equal(collected.next?.text, 'It is paid out with your next settlement.');
  const within = { ...COLLECTED, settlement_id: 'set_1' };
  assert.equal(lineOf(life(within)), `${upTo}, > In a settlement`);
  const open = life(within, { settlement: settlement('processing') });
  assert.match(open.next?.text ?? '', /on its way to your bank account/);
  const out = life(within, { settlement: settlement('success') });
  assert.equal(lineOf(out), `${upTo}, Settled`);
  assert.deepEqual(out.points.at(-1), {
    title: 'Settled',
    progress: 'done',
    at: LATER,
    detail: 'RCL7K2 on your bank statement',
    to: '/settlements/set_1',
  });
  assert.equal(out.next, null);
  const back = life(within, { settlement: settlement('failed') });
  assert.equal(lineOf(back), `${upTo}, ! The pay-out failed`);
});

test('money of an earlier attempt that came late is the one that counts', () => {
  const late = life({ ...COLLECTED, attempts: [paid(1), failed(2)] });
  assert.match(lineOf(late), /^Due, Sent to Northbank, Paid by Northbank/);
  const second = life({ ...COLLECTED, attempts: [failed(1), paid(2)] });
  assert.match(lineOf(second), /^Due, ! Attempt 1 failed, Sent to Northbank, Paid/);
});

test('refunds and recalls stand in their order with the settlement', () => {
  const within = { ...COLLECTED, settlement_id: 'set_1', refunded: gbp(1000) };
  const out = { settlement: settlement('success') };
  const tail = (one: Life): string => lineOf(one).split('In your wallet, ')[1] ?? '';
  const early = life(within, { ...out, refunds: [refund('success', at(40))] });
  assert.equal(tail(early), '£10.00 refunded, Settled');
  const pending = life(within, { ...out, refunds: [refund('processing')] });
  assert.equal(tail(pending), 'Settled, > Refund of £10.00');
  assert.match(pending.next?.text ?? '', /on its way to the customer/);
  const none = { ...within, refunded: gbp(0) };
  assert.equal(
    tail(life(none, { ...out, refunds: [refund('failed', at(40))] })),
    '! A refund failed, Settled',
  );
  const returned = { amount: gbp(4999), at: '2026-01-09T09:00:00Z', reason: 'Fraud' };
  const recalled = life({ ...none, returned }, out);
  assert.equal(tail(recalled), 'Settled, ! £49.99 recalled');
  assert.match(recalled.next?.text ?? '', /deducted from your next settlements/);
});
