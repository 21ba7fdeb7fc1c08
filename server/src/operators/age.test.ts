import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ageOf } from './age.ts';

const NOW = Temporal.Instant.from('2026-03-02T09:00:00Z');

test('an age counts from the moment, and never below zero', () => {
  assert.equal(ageOf(NOW.subtract({ minutes: 2 }), NOW), 120);
  assert.equal(ageOf(NOW.add({ minutes: 2 }), NOW), 0);
  assert.equal(ageOf(null, NOW), 0);
});

test('the first reconciliation of a new database has not waited since 1970', () => {
  assert.equal(ageOf(Temporal.Instant.from('1970-01-01T00:00:00Z'), NOW), 0);
});
