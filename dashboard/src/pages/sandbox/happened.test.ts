import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SandboxHappening } from '@recollect/sdk';
import { describeHappening, tallyOf } from './happened.ts';

const at = '2026-03-02T09:00:00.000Z';

function change(id: string, from: string | null, to: string, reason = ''): SandboxHappening {
  return { at, kind: 'state_change', object_id: id, schedule_id: 'sch_1', from, to, reason };
}

function attempt(error: string | null): SandboxHappening {
  const sent = { event_id: 'evt_1', endpoint_id: 'end_1', number: 1 };
  return { at, kind: 'delivery_attempt', ...sent, response_status: 200, error };
}

test('what happened is counted by its outcome, and a payment to be tried again is no failure', () => {
  const tally = tallyOf([
    change('pay_1', null, 'pending'),
    change('pay_1', 'pending', 'processing'),
    change('pay_1', 'processing', 'pending', 'insufficient_funds'),
    change('pay_2', 'processing', 'success'),
    change('pay_3', 'processing', 'failed', 'account_closed'),
    change('set_1', 'processing', 'success'),
    attempt(null),
    attempt('204: only 200 acknowledges'),
  ]);
  assert.deepEqual(tally, {
    collected: 1,
    failed: 1,
    toBeRetried: 1,
    settled: 1,
    notSettled: 0,
    schedules: 0,
    delivered: 1,
    notDelivered: 1,
  });
});

test('every happening is told in words, with the page that shows more of it', () => {
  const failed = describeHappening(change('pay_3', 'processing', 'failed', 'account_closed'));
  assert.deepEqual(
    [failed.title, failed.detail, failed.to, failed.isOutcome],
    ['Payment failed', 'account closed', '/payments/pay_3', true],
  );
  assert.equal(describeHappening(change('con_1', 'pending', 'granted')).to, '/schedules/sch_1');
  assert.equal(describeHappening(change('pay_1', null, 'pending')).isOutcome, false);
  const missed = describeHappening(attempt('204: only 200 acknowledges'));
  assert.equal(missed.detail, 'Attempt 1: 204: only 200 acknowledges');
  assert.equal(missed.to, '/webhooks/events/evt_1');
});
