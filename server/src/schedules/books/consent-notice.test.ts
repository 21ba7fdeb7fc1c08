import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StoredControlParameters } from '../../consents/consent.ts';
import { AS_NEEDED } from '../limits/limits.ts';
import type { Terms } from '../terms/schedule.ts';
import { type ConsentTrouble, consentNotice } from './consent-notice.ts';

const at = (text: string): Temporal.Instant => Temporal.Instant.from(text);
const NOW = at('2026-03-02T12:00:00Z');
const THEN = at('2026-03-02T11:00:00Z');
const DUE = { status: 'active', dueAt: at('2026-04-01T08:00:00Z') } as const;
const TERMS: Terms = {
  version: 1,
  amountPence: 4999,
  amountMode: 'fixed',
  currency: 'GBP',
  startDate: null,
  series: {
    frequency: { type: 'monthly', day: 1, interval: 1 },
    timeZone: 'Europe/London',
    firstAt: at('2026-03-01T09:00:00Z'),
    endAt: null,
  },
  limits: AS_NEEDED,
};
const LIMITS: StoredControlParameters = {
  validFrom: '2026-03-01T09:00:00Z',
  validTo: null,
  maximumAmountPence: 4999,
  periodicLimits: [{ amountPence: 4999, periodType: 'Month', alignment: 'Consent' }],
};
const NONE: ConsentTrouble = {
  doubtedAt: null,
  suspendedAt: null,
  limitsChangedAt: null,
  limits: LIMITS,
};
const notice = (
  trouble: Partial<ConsentTrouble>,
  schedule: Parameters<typeof consentNotice>[1] = DUE,
) => consentNotice({ ...NONE, ...trouble }, schedule, TERMS, NOW)?.kind ?? null;

test('a consent that stands has no notice, and a cancelled schedule has none', () => {
  assert.equal(notice({}), null);
  assert.equal(notice({ doubtedAt: THEN }, { status: 'cancelled', dueAt: null }), null);
});

test('a doubt comes before a wanted authentication, and that before changed limits', () => {
  const limits = { ...LIMITS, maximumAmountPence: 4000 };
  const all = { doubtedAt: THEN, suspendedAt: THEN, limitsChangedAt: THEN, limits };
  assert.equal(notice(all), 'in_doubt');
  assert.equal(notice({ ...all, doubtedAt: null }), 'reauthentication_needed');
  assert.equal(notice({ ...all, doubtedAt: null, suspendedAt: null }), 'limits_changed');
  const paused = { status: 'paused', dueAt: null } as const;
  assert.equal(notice({ limitsChangedAt: THEN, limits }, paused), 'limits_changed');
});

test('limits that were changed and still allow the schedule are no notice', () => {
  assert.equal(notice({ limitsChangedAt: THEN }), null);
  const more = { ...LIMITS, maximumAmountPence: 9000 };
  assert.equal(notice({ limitsChangedAt: THEN, limits: more }), null);
});
