import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CONSENT_STATUSES } from '../../consents/consent.ts';
import { EVENT_KINDS } from '../../webhooks/endpoint.ts';
import {
  changeTitle,
  changeWhy,
  eventTitle,
  objectKind,
  summariseDeliveries,
} from './timeline-words.ts';

test('an object is known by the prefix of its id', () => {
  for (const [id, kind] of [
    ['sch_1', 'schedule'],
    ['con_1', 'consent'],
    ['pay_1', 'payment'],
    ['wal_1', 'wallet'],
    ['set_1', 'settlement'],
    ['mer_1', 'other'],
    ['', 'other'],
  ] as const)
    assert.equal(objectKind(id), kind);
});

const STATES = {
  schedule: [
    'pending_consent',
    'active',
    'paused',
    'cancelled',
    'terms_changed',
    'occurrence_changed',
    'occurrence_skipped',
    'resume_planned',
    'not_resumed',
  ],
  consent: CONSENT_STATUSES,
  payment: ['pending', 'processing', 'success', 'failed'],
  wallet: ['planned', 'reserved', 'open', 'closing', 'closed'],
  settlement: ['pending', 'processing', 'success', 'failed'],
} as const;

/** Asserts that sentences have a form and are all different. */
function assertSentences(sentences: readonly string[], form: RegExp): void {
  for (const sentence of sentences) assert.match(sentence, form);
  assert.equal(new Set(sentences).size, sentences.length);
}

test('every state that a thing can come to, and every event, has a sentence of its own', () => {
  for (const [kind, states] of Object.entries(STATES)) {
    const sentences = states.map((to) => changeTitle(objectKind(kind.slice(0, 3)), 'x', to));
    assertSentences(sentences, /^(The|A) .{10,}/);
  }
  assertSentences(EVENT_KINDS.map(eventTitle), /^Webhook: .{10,}/);
  assert.equal(eventTitle('some.kind'), 'Webhook: some.kind');
});

test('every code for why a payment failed, or a consent ended, is told in words of its own', () => {
  const failures = [
    'insufficient_funds',
    'account_closed',
    'invalid_account',
    'blocked',
    'bank_limit',
    'limit_exceeded',
    'consent_revoked',
    'consent_expired',
    'reauthentication_required',
    'creditor_account_unavailable',
    'technical',
    'rejected',
    'schedule_paused',
    'schedule_cancelled',
  ];
  const ends = [
    'consent_denied',
    'consent_expired',
    'consent_rejected',
    'schedule_cancelled',
    'schedule_changed',
    'withdrawn_on_portal',
    'withdrawn_at_bank',
    'expired_at_bank',
  ];
  const isInWords = /^(the|there) [^_.]{10,}$/;
  assertSentences(
    failures.map((code) => changeWhy('payment', code)),
    isInWords,
  );
  assertSentences(
    ends.map((code) => changeWhy('consent', code)),
    isInWords,
  );
});

test('where a change comes from tells what it was', () => {
  assert.equal(changeTitle('payment', null, 'pending'), 'A payment fell due');
  assert.equal(
    changeTitle('payment', null, 'pending', 'collected once, now: £1.00'),
    'A payment besides the schedule was requested',
  );
  assert.match(changeTitle('payment', 'failed', 'processing'), /money from an earlier attempt/);
  assert.match(changeTitle('schedule', null, 'active'), /existing consent/);
  assert.equal(
    changeTitle('payment', 'processing', 'pending'),
    'The payment is waiting for a retry',
  );
  assert.equal(changeTitle('payment', 'failed', 'pending'), 'The payment was retried manually');
  assert.equal(changeTitle('schedule', 'paused', 'active'), 'The schedule was resumed');
  assert.equal(changeTitle('schedule', 'pending_consent', 'active'), 'The schedule became active');
  assert.equal(
    changeTitle('notice', 'pending', 'sent', 'Refund'),
    'The customer was sent an email',
  );
  const text = 'Text message: Refund';
  assert.equal(
    changeTitle('notice', 'pending', 'sent', text),
    'The customer was sent a text message',
  );
  assert.match(changeTitle('notice', 'pending', 'failed', text), /^A text message to the customer/);
  assert.equal(changeWhy('notice', text), 'Refund');
  assert.equal(changeTitle('other', null, 'some_state'), 'Changed to some state');
});

test('a code becomes words, and what was written for people stays as it is', () => {
  assert.equal(
    changeWhy('payment', 'insufficient_funds'),
    'there was not enough money in the customer’s account',
  );
  assert.notEqual(changeWhy('payment', 'consent_expired'), changeWhy('consent', 'consent_expired'));
  assert.equal(changeWhy('payment', 'some_new_code'), 'some new code');
  assert.equal(changeWhy('schedule', 'paused by the merchant'), 'paused by the merchant');
  assert.equal(changeWhy('schedule', 'covered by con_a'), 'covered by con_a');
  assert.equal(changeWhy('schedule', 'con_a covers it'), 'con_a covers it');
});

test('of an event’s deliveries the worst counts', () => {
  for (const [statuses, word] of [
    [['delivered', 'failed', 'pending', 'held'], 'failed'],
    [['pending', 'held', 'delivered'], 'held'],
    [['delivered', 'pending'], 'pending'],
    [['delivered', 'delivered'], 'delivered'],
    [[], 'no_endpoint'],
  ] as const)
    assert.equal(summariseDeliveries(statuses), word);
});
