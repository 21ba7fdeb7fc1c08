import type { ConsentRow } from '../consents/store.ts';
import { BANK_TIME_ZONE, type Collection, fits } from './headroom.ts';
import type { Lifecycle } from './lifecycle.ts';
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
  const under = await findTermsUnder(tx, [
    { merchantId: consent.merchant_id, consentId: consent.consent_id },
  ]);
  const all = [terms, ...under.filter((o) => o.scheduleId !== scheduleId).map((o) => o.terms)];
  const used = await hooks.usedUnder(tx, consent.merchant_id, consent.consent_id);
  const coming = all.flatMap((t) => comingOf(t, now));
  return fits(params, coming, BANK_TIME_ZONE, used)?.reason ?? null;
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
