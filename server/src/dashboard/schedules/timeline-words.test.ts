import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CONSENT_EDGES } from '../../consents/consent.ts';
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

test('every state that a consent can come to, and every event, has a sentence of its own', () => {
  for (const to of Object.keys(CONSENT_EDGES))
    assert.doesNotMatch(changeTitle('consent', null, to), /^Changed to/, to);
  for (const kind of EVENT_KINDS) assert.doesNotMatch(eventTitle(kind), /^Told you of/, kind);
});

test('where a change comes from tells what it was', () => {
  assert.equal(changeTitle('payment', null, 'pending'), 'A payment fell due');
  assert.equal(
    changeTitle('payment', 'processing', 'pending'),
    'The payment waits for another try',
  );
  assert.equal(changeTitle('payment', 'failed', 'pending'), 'The payment is tried again by hand');
  assert.equal(changeTitle('schedule', 'paused', 'active'), 'The schedule was resumed');
  assert.equal(changeTitle('schedule', 'pending_consent', 'active'), 'The schedule became active');
  assert.equal(changeTitle('other', null, 'some_state'), 'Changed to some state');
});

test('a code becomes words, and what was written for people stays as it is', () => {
  assert.equal(
    changeWhy('payment', 'insufficient_funds'),
    'there was not enough money in the account',
  );
  assert.notEqual(changeWhy('payment', 'consent_expired'), changeWhy('consent', 'consent_expired'));
  assert.equal(changeWhy('payment', 'some_new_code'), 'some new code');
  assert.equal(changeWhy('schedule', 'paused by the merchant'), 'paused by the merchant');
  assert.equal(changeWhy('schedule', 'covered by con_1'), 'covered by con_1');
});

test('of an event’s deliveries the worst counts', () => {
  for (const [routed, statuses, word] of [
    [true, ['delivered', 'failed', 'pending', 'held'], 'failed'],
    [true, ['pending', 'held', 'delivered'], 'held'],
    [true, ['delivered', 'pending'], 'pending'],
    [true, ['delivered', 'delivered'], 'delivered'],
    [true, [], 'no_endpoint'],
    [false, [], 'pending'],
  ] as const)
    assert.equal(summariseDeliveries(routed, statuses), word);
});
