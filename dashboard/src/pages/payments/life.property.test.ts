import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Payment } from '@recollect/sdk';
import fc from 'fast-check';
import {
  at,
  attempt,
  COLLECTED,
  failed,
  gbp,
  LATER,
  life,
  NO_MONEY,
  paid,
  settlement,
} from '../../../test-support/life-cases.ts';

const REASONS = [
  'no_outcome',
  'credited_without_money',
  'wrong_amount',
  'not_transferred',
] as const;
const NOT_SENT = ['bank_down', 'bank_stopped', 'retrying', 'being_sent'] as const;

/** Payments of every state, as the API has them. */
const anyPayment = fc
  .record({
    status: fc.constantFrom('pending', 'processing', 'success', 'failed' as const),
    failures: fc.nat({ max: 3 }),
    isSent: fc.boolean(),
    hasArrived: fc.boolean(),
    doubt: fc.option(fc.constantFrom(...REASONS)),
    notSent: fc.option(fc.constantFrom(...NOT_SENT)),
    isSettled: fc.boolean(),
    refunded: fc.constantFrom(0, 1000),
    isStopped: fc.boolean(),
  })
  .map((drawn): Partial<Payment> => {
    const before = Array.from({ length: drawn.failures }, (_, place) => failed(place + 1));
    const number = drawn.failures + 1;
    if (drawn.status === 'pending')
      return { attempts: before, next_retry_at: drawn.failures > 0 ? LATER : null };
    if (drawn.status === 'failed')
      return {
        status: 'failed',
        attempts: before,
        error: drawn.isStopped ? { code: 'schedule_paused', message: 'Paused.' } : NO_MONEY,
        failed_at: at(59),
        no_retry_reason: drawn.isStopped ? 'stopped' : 'max_retries',
      };
    if (drawn.status === 'success')
      return {
        ...COLLECTED,
        attempts: [...before, paid(number)],
        completed_at: at(58),
        settlement_id: drawn.isSettled ? 'set_1' : null,
        refunded: gbp(drawn.refunded),
      };
    const current = drawn.hasArrived ? paid(number) : attempt(number);
    const reason = drawn.hasArrived ? null : drawn.notSent;
    return {
      status: 'processing',
      attempts: [...before, current],
      not_sent: reason === null ? null : { reason, bank_id: 'northbank', next_try_at: null },
      waits_for_operator:
        drawn.doubt === null || reason !== null ? null : { reason: drawn.doubt, since: at(50) },
    };
  });

test('whatever the payment: the line goes one way, is in one place, and has no raw state', () => {
  fc.assert(
    fc.property(anyPayment, (changes) => {
      const { points, next } = life(changes, { settlement: settlement('success') });
      const states = points.map(({ progress }) => progress);
      const words = [...points.flatMap(({ title, detail }) => [title, detail]), next?.text].join(
        ' ',
      );
      assert.doesNotMatch(words, /_|processing|pending|undefined|null/);
      if (changes.status === 'success' || changes.status === 'failed')
        assert.doesNotMatch(words, /\byet\b/);
      if (states.includes('later'))
        assert.ok(states.slice(states.indexOf('later')).every((state) => state === 'later'));
      assert.ok(states.filter((state) => state === 'now').length <= 1);
      assert.equal(states.includes('stopped'), changes.status === 'failed');
      assert.equal(new Set(points.map(({ title }) => title)).size, points.length);
      const moments = points.flatMap(({ progress, at: when }) =>
        progress === 'done' && when !== null ? [Date.parse(when)] : [],
      );
      assert.deepEqual(
        moments,
        moments.toSorted((one, other) => one - other),
      );
      const isOpen = changes.status === undefined || changes.status === 'processing';
      if (isOpen && changes.not_sent == null) assert.notEqual(next, null);
    }),
  );
});
