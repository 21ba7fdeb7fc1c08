import type { ConsentRow } from '../../consents/store.ts';
import { findChangesOf } from '../books/changes-store.ts';
import { findTermsUnder } from '../books/under-store.ts';
import { describeAmount } from '../terms/describe.ts';
import {
  BANK_TIME_ZONE,
  type Collection,
  type CollectionTerms,
  type ControlParameters,
  fits,
  ownCollections,
} from '../terms/headroom.ts';
import { limitsOf } from '../terms/limits.ts';
import { firstIndexAfter } from '../terms/occurrences.ts';
import type { Terms } from '../terms/schedule.ts';
import { toControlParameters } from '../terms/stored-parameters.ts';
import type { Lifecycle } from './lifecycle.ts';

/**
 * Returns why a consent does not allow a schedule's terms for the next twelve months, given what was collected under it and what
 * its other schedules will collect; null if it does.
 */
export async function coverRefusal(
  { hooks, tx, now }: Lifecycle,
  consent: ConsentRow,
  scheduleId: string,
  terms: Terms,
): Promise<string | null> {
  const params = toControlParameters(consent.controlParameters);
  if (params === null) return 'the consent has no limits yet';
  if (!endsWithin(terms.series.endAt, params.validTo))
    return 'it would go on after the consent ends';
  const limits = limitsRefusal(terms, params);
  if (limits !== null) return limits;
  const key = { merchantId: consent.merchantId, consentId: consent.consentId };
  const under = await findTermsUnder(tx, [key], now);
  const changes = await findChangesOf(tx, { ...key, scheduleId }, now);
  const others = under.filter((one) => one.scheduleId !== scheduleId).map((one) => one.terms);
  const all = [{ ...terms, changes }, ...others];
  const used = await hooks.usedUnder(tx, consent.merchantId, consent.consentId);
  const coming = all.flatMap((t) => comingOf(t, now));
  return fits(params, coming, BANK_TIME_ZONE, used)?.reason ?? null;
}

/** Returns why a consent does not allow the limits that were asked for; null if it does, or none were. */
function limitsRefusal(terms: Terms, params: ControlParameters): string | null {
  const { perPaymentPence: askedPerPayment, perPeriodPence: askedPerPeriod } = terms.limits;
  if (askedPerPayment === null && askedPerPeriod === null) return null;
  const { perPaymentPence, perPeriodPence, periodType } = limitsOf(terms);
  const most = params.maximumAmountPence;
  if (perPaymentPence > most)
    return `a limit of ${describeAmount(perPaymentPence)} per payment is more than ${describeAmount(most)}`;
  const agreed = params.periodicLimits.find((limit) => limit.periodType === periodType);
  if (agreed === undefined) return 'its limit is counted over another period';
  if (perPeriodPence <= agreed.amountPence) return null;
  const [asked, allowed] = [perPeriodPence, agreed.amountPence].map((pence) =>
    describeAmount(pence),
  );
  return `a limit of ${asked} per ${periodType.toLowerCase()} is more than ${allowed}`;
}

function comingOf(terms: CollectionTerms, now: Temporal.Instant): Collection[] {
  return ownCollections(terms, firstIndexAfter(terms.series, now), now.add({ hours: 24 * 366 }));
}

function endsWithin(endAt: Temporal.Instant | null, validTo: Temporal.Instant | null): boolean {
  if (validTo === null) return true;
  return endAt !== null && Temporal.Instant.compare(endAt, validTo) <= 0;
}
