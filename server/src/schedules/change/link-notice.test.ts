import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planSeries } from '../terms/plan.ts';
import type { Terms } from '../terms/schedule.ts';
import { linkNotice } from './link-notice.ts';

const NOW = Temporal.Instant.from('2026-11-28T18:00:00Z');

function gym(): Terms {
  const planned = planSeries({
    frequency: { type: 'monthly', day: 15 },
    startDate: null,
    endDate: null,
    timeZone: 'Europe/London',
    now: NOW,
  });
  assert.ok('series' in planned);
  return {
    version: 1,
    amountPence: 1_250,
    amountMode: 'fixed',
    currency: 'GBP',
    startDate: null,
    series: planned.series,
    limits: { perPaymentPence: null, perPeriodPence: null },
    firstPence: 2_900,
  };
}

test('the email with a link names the first payment before the customer has agreed, and never after', () => {
  const ids = { merchantId: 'mer_1', scheduleId: 'sch_1' };
  const asked = { terms: gym(), consentId: 'con_1', link: 'https://pay.example/consent/1' };
  const waiting = { ...asked, schedule: { ...ids, consentedVersion: null }, consented: null };
  assert.equal(
    linkNotice(waiting, NOW).facts.price,
    '£29.00 as soon as you agree, then £12.50 every month on the 15th',
  );
  const agreed = { ...asked, schedule: { ...ids, consentedVersion: 1 }, consented: gym() };
  const moving = linkNotice({ ...agreed, anotherAccount: true }, NOW);
  assert.equal(moving.facts.price, '£12.50 every month on the 15th');
  assert.equal(moving.facts.old_price, moving.facts.price);
});
