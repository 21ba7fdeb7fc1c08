import { isAfter } from '../../platform/values/instants.ts';
import { limitsOf } from '../limits/limits.ts';
import {
  type ControlParameters,
  comingYear,
  firstCollection,
  firstRefused,
  roomUnder,
} from '../limits/room.ts';
import { describeAmount } from '../terms/describe.ts';
import type { Terms } from '../terms/schedule.ts';
import type { Lifecycle, UseHooks } from './hooks.ts';
import { booksOf, type ConsentLimits, type TermsBooks } from './terms-books.ts';

/**
 * Returns why a consent does not allow a schedule's terms for the next twelve months, given what was collected under it and what
 * its other schedules will collect; null if it does.
 */
export async function coverRefusal(
  life: Lifecycle<UseHooks>,
  consent: ConsentLimits,
  scheduleId: string,
  terms: Terms,
  books: TermsBooks = booksOf(life),
): Promise<string | null> {
  const room = roomUnder(consent.controlParameters);
  if (room === null) return 'the consent has no limits yet';
  if (!endsWithin(terms.series.endAt, room.params.validTo))
    return 'it would go on after the consent ends';
  const limits = limitsRefusal(terms, room.params);
  if (limits !== null) return limits;
  const under = await books.under(consent);
  const changes = await books.changes({ merchantId: consent.merchantId, scheduleId });
  const others = under.filter((one) => one.scheduleId !== scheduleId).map((one) => one.terms);
  const used = [...(await books.used(consent))];
  const all = [{ ...terms, changes }, ...others];
  const { now } = life;
  const coming = [...firstCollection(terms, now), ...all.flatMap((one) => comingYear(one, now))];
  return firstRefused({ ...room, used }, coming)?.reason ?? null;
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

function endsWithin(endAt: Temporal.Instant | null, validTo: Temporal.Instant | null): boolean {
  if (validTo === null) return true;
  return endAt !== null && !isAfter(endAt, validTo);
}
