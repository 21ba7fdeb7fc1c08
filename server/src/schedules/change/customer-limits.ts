import { type ConsentRef, isOpen } from '../../consents/consent.ts';
import { retargetOpenConsent } from '../../consents/service.ts';
import { findConsent } from '../../consents/store.ts';
import type { Work } from '../../platform/platform.ts';
import { recordChanges } from '../../platform/state/audit-trail.ts';
import { findChangesOf } from '../books/changes-store.ts';
import { changeSchedule } from '../books/state-store.ts';
import { lastVersion, lockScheduleOf, readTerms } from '../books/store.ts';
import { insertTerms } from '../books/terms-store.ts';
import { describeAsked, leastLimits } from '../limits/limits.ts';
import { termsToAgree } from '../terms/schedule.ts';

/** Limits in pence. */
export interface RequestedLimits {
  perPaymentPence: number;
  perPeriodPence: number;
}

/**
 * Changes the limits that a customer is asked to agree to, as they want, in a new version of the terms. Returns `changed` if the
 * terms are not those that the customer saw, or were decided on meanwhile; and what the schedule needs, if the limits are below
 * it. See docs/rules/consents.md#limits-that-the-customer-sets.
 */
export async function changeLimitsAsked(
  { tx, now }: Work,
  ref: ConsentRef,
  shownVersion: number,
  wanted: RequestedLimits,
): Promise<'done' | 'changed' | { least: RequestedLimits }> {
  const schedule = await lockScheduleOf(tx, ref);
  const { merchantId, scheduleId, status, liveVersion } = schedule;
  const consent = await findConsent(tx, merchantId, ref.consentId);
  if (consent === null || !isOpen(consent.status) || consent.termsVersion !== shownVersion)
    return 'changed';
  const seen = await readTerms(tx, merchantId, scheduleId, shownVersion);
  const shown = termsToAgree(schedule, seen);
  const least = leastLimits(shown, wanted.perPaymentPence);
  for (const pence of (await findChangesOf(tx, schedule, now)).values())
    least.perPaymentPence = Math.max(least.perPaymentPence, pence ?? 0);
  if (
    wanted.perPaymentPence < least.perPaymentPence ||
    wanted.perPeriodPence < least.perPeriodPence
  )
    return { least };
  const version = (await lastVersion(tx, merchantId, scheduleId)) + 1;
  const terms = { ...shown, version, limits: wanted };
  await insertTerms(tx, merchantId, [{ scheduleId, terms }], now);
  const reason = `the customer changed the limits${describeAsked(terms)}`;
  await recordChanges(tx, now, [
    { merchantId, objectId: scheduleId, scheduleId, from: status, to: 'terms_changed', reason },
  ]);
  await retargetOpenConsent(tx, now, schedule, () => version);
  // Where terms hold already, a change by the merchant must not be beyond the consent because of limits that nobody agreed to.
  if (liveVersion === null) await changeSchedule(tx, schedule, { termsVersion: version }, now);
  return 'done';
}
