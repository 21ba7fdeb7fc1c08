import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FUNDS_CHECKS } from '../../banks/funds-check.ts';
import type { ConsentStatus } from '../../consents/consent.ts';
import type { ScheduleStatus } from '../../schedules/terms/schedule.ts';
import {
  checksFunds,
  isOver,
  mayOrder,
  nextStep,
  type SentContext,
  type StopCode,
  whyStopped,
} from './attempt.ts';

const FREE: SentContext = {
  consentStatus: 'granted',
  scheduleStatus: 'active',
  stoppedBy: null,
  manual: false,
  stage: 'submit',
  attempt: 1,
  polls: 1,
  attemptStatus: 'started',
  paidBefore: false,
  mayBeSent: false,
  isDoubted: false,
  isSuspended: false,
  movesOn: false,
};
const at = Temporal.Instant.from('2026-03-01T09:00:00Z');
const hours = (count: number): Temporal.Instant => at.add({ hours: count });

const STANDINGS: [ConsentStatus, ScheduleStatus, boolean, StopCode | null, StopCode | null][] = [
  ['granted', 'active', false, null, null],
  ['replaced', 'active', false, null, null],
  ['revoked', 'cancelled', false, null, 'consent_revoked'],
  ['granted', 'cancelled', false, null, 'schedule_cancelled'],
  ['granted', 'cancelled', true, null, 'schedule_cancelled'],
  ['granted', 'paused', false, null, 'schedule_paused'],
  ['granted', 'paused', true, null, null],
  ['granted', 'paused', true, 'schedule_paused', 'schedule_paused'],
  ['granted', 'active', false, 'schedule_paused', 'schedule_paused'],
  ['revoked', 'cancelled', false, 'schedule_cancelled', 'schedule_cancelled'],
];

for (const [consentStatus, scheduleStatus, manual, stoppedBy, expected] of STANDINGS)
  test(`consent ${consentStatus}, schedule ${scheduleStatus}, by hand ${manual}, met by ${stoppedBy}: ${expected}`, () => {
    const standing = { ...FREE, consentStatus, scheduleStatus, manual, stoppedBy };
    assert.equal(whyStopped(standing), expected);
    for (const mayBeSent of [false, true])
      assert.equal(mayOrder({ ...standing, mayBeSent: mayBeSent }, 1, 1), expected === null);
  });

test('an order goes only for the attempt and the call that it was claimed for', () => {
  assert.ok(mayOrder(FREE, 1, 1));
  assert.ok(!mayOrder(FREE, 2, 1));
  assert.ok(!mayOrder(FREE, 1, 2));
  assert.ok(!mayOrder({ ...FREE, stage: 'move' }, 1, 1));
  assert.ok(!mayOrder({ ...FREE, isDoubted: true }, 1, 1));
  assert.ok(!mayOrder({ ...FREE, attemptStatus: 'processing' }, 1, 1));
});

test('money of an earlier attempt forbids a first order, and not the repeat of one that may have arrived', () => {
  assert.ok(!mayOrder({ ...FREE, paidBefore: true }, 1, 1));
  assert.ok(mayOrder({ ...FREE, paidBefore: true, mayBeSent: true }, 1, 1));
});

test('a consent that waits for its customer forbids a first order, and not the repeat of one that may have arrived', () => {
  assert.ok(!mayOrder({ ...FREE, isSuspended: true }, 1, 1));
  assert.ok(mayOrder({ ...FREE, isSuspended: true, mayBeSent: true }, 1, 1));
});

test('a customer who pays from another account forbids a first order, and not the repeat of one that may have arrived', () => {
  assert.ok(!mayOrder({ ...FREE, movesOn: true }, 1, 1));
  assert.ok(mayOrder({ ...FREE, movesOn: true, mayBeSent: true }, 1, 1));
});

test('what is not at the bank ends with the no, what may be is looked for until a day after its last order', () => {
  const stopped = { ...FREE, scheduleStatus: 'paused' as const };
  assert.deepEqual(nextStep(stopped, null, null, at), { step: 'end', code: 'schedule_paused' });
  const look = nextStep(stopped, at, hours(2), hours(3));
  assert.ok(look.step === 'look' && look.code === 'schedule_paused');
  assert.equal(look.overAt?.toString(), hours(26).toString());
  assert.ok(!isOver(look.overAt, hours(26).subtract({ milliseconds: 1 })));
  assert.ok(isOver(look.overAt, hours(26)));
  assert.ok(!isOver(null, hours(1000)));
});

test('without a no an order is repeated for 23 hours, and then its money is looked for', () => {
  assert.deepEqual(nextStep(FREE, null, null, at), { step: 'order' });
  assert.deepEqual(nextStep(FREE, at, at, hours(23)), { step: 'order' });
  const late = nextStep(FREE, at, at, hours(23).add({ milliseconds: 1 }));
  assert.deepEqual(late, { step: 'look', overAt: null, code: null });
});

test('an attempt whose payment was paid before is not begun', () => {
  const paid = nextStep({ ...FREE, paidBefore: true }, null, null, at);
  assert.deepEqual(paid, { step: 'end', code: 'duplicate' });
});

test('the funds are asked for as the bank wants it, and never before an order is repeated', () => {
  const fresh = { sentAt: null, lackedFunds: false };
  const lacked = { sentAt: null, lackedFunds: true };
  assert.deepEqual(
    FUNDS_CHECKS.map((policy) => [
      policy,
      checksFunds(policy, fresh, false),
      checksFunds(policy, lacked, false),
      checksFunds(policy, fresh, true),
    ]),
    [
      ['always', true, true, true],
      ['after_lack_of_funds', false, true, true],
      ['never', false, false, false],
    ],
  );
  for (const policy of FUNDS_CHECKS)
    assert.ok(!checksFunds(policy, { ...lacked, sentAt: at }, true));
});
