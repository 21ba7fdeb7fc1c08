import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CONSENT_STATUSES } from '../consents/consent.ts';
import { phaseOf } from './standing.ts';

const now = Temporal.Instant.from('2026-03-02T10:00:00Z');
const later = now.add({ hours: 1 });

test('a customer can decide until the link runs out, at that very moment no more', () => {
  for (const status of ['pending', 'authorising'] as const) {
    assert.equal(phaseOf({ status, linkExpiresAt: later }, now), 'deciding');
    assert.equal(phaseOf({ status, linkExpiresAt: now }, now), 'expired');
  }
});

test('what was decided in time stays decided after the link has run out', () => {
  for (const status of CONSENT_STATUSES) {
    if (status === 'pending' || status === 'authorising') continue;
    const before = phaseOf({ status, linkExpiresAt: later }, now);
    assert.equal(phaseOf({ status, linkExpiresAt: now }, now), before);
    assert.notEqual(before, 'deciding');
  }
});
