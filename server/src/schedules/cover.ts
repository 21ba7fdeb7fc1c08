import type { ConsentRow } from '../consents/store.ts';
import { describeAmount } from './describe.ts';
import { BANK_TIME_ZONE, type Collection, type ControlParameters, fits } from './headroom.ts';
import type { Lifecycle } from './lifecycle.ts';
import { limitsOf } from './limits.ts';
import { upcoming } from './occurrences.ts';
import type { Terms } from './schedule.ts';
import { toControlParameters } from './stored-parameters.ts';
import { findTermsUnder } from './under-store.ts';

/** Occurrences in a year that the limits must allow together: a daily schedule in a leap year. */
const MOST_A_YEAR = 367;

/** Whether a consent allows a schedule's terms, as `coverRefusal` checks. */
export async function covers(...asked: Parameters<typeof coverRefusal>): Promise<boolean> {
  return (await coverRefusal(...asked)) === null;
}

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
  const params = toControlParameters(consent.control_parameters);
  if (params === null) return 'the consent has no limits yet';
  if (!endsWithin(terms.series.endAt, params.validTo))
    return 'it would go on after the consent ends';
  const limits = limitsRefusal(terms, params);
  if (limits !== null) return limits;
  const under = await findTermsUnder(tx, [
    { merchantId: consent.merchant_id, consentId: consent.consent_id },
  ]);
  const all = [terms, ...under.filter((o) => o.scheduleId !== scheduleId).map((o) => o.terms)];
  const used = await hooks.usedUnder(tx, consent.merchant_id, consent.consent_id);
  const coming = all.flatMap((t) => comingOf(t, now));
  return fits(params, coming, BANK_TIME_ZONE, used)?.reason ?? null;
}

/** Returns why a consent does not allow the limits that were asked for; null if it does, or none were. */
export function limitsRefusal(terms: Terms, params: ControlParameters): string | null {
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

function comingOf(terms: Terms, now: Temporal.Instant): Collection[] {
  const yearOn = now.add({ hours: 24 * 366 });
  return upcoming(terms.series, now, MOST_A_YEAR)
    .filter((u) => Temporal.Instant.compare(u.dueDate, yearOn) <= 0)
    .map((u) => ({ at: u.dueDate, amountPence: terms.amountPence }));
}

function endsWithin(endAt: Temporal.Instant | null, validTo: Temporal.Instant | null): boolean {
  if (validTo === null) return true;
  return endAt !== null && Temporal.Instant.compare(endAt, validTo) <= 0;
}
