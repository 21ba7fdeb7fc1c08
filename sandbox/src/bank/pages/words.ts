import type { ControlParameters } from '../books/control-parameters.ts';
import { poundsOf } from '../wire/money.ts';
import { londonDate, type PeriodicLimit, periodAt } from '../wire/periods.ts';

/** Terms, dates and states, worded for customers. */

const LONDON = 'Europe/London';
const PERIOD_TEXTS: Record<PeriodicLimit['type'], string> = {
  Day: 'a day',
  Week: 'a week',
  Fortnight: 'a fortnight',
  Month: 'a month',
  'Half-year': 'a half-year',
  Year: 'a year',
};

/** "1 December 2026" */
function longDate(date: Temporal.PlainDate): string {
  return date.toLocaleString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });
}

/** "1 Dec 2026" */
function mediumDate(date: Temporal.PlainDate): string {
  return date.toLocaleString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
}

/** "1 Dec" */
export function shortDate(date: Temporal.PlainDate): string {
  return date.toLocaleString('en-GB', { day: 'numeric', month: 'short' });
}

/** "Tuesday 1 December" in London */
export function dayOf(instant: string): string {
  return londonDate(Temporal.Instant.from(instant)).toLocaleString('en-GB', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
  });
}

/** "Tue 1 Dec 2026, 09:00" in London */
export function moment(instant: Temporal.Instant): string {
  const local = instant.toZonedDateTimeISO(LONDON);
  const day = local.toLocaleString('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  });
  return `${day.replace(',', '')}, ${local.toPlainTime().toString({ smallestUnit: 'minute' })}`;
}

/** "Today, 09:00" or "Yesterday, 09:00" relative to `now`, otherwise as `moment`. */
export function momentSeenFrom(now: Temporal.Instant, instant: Temporal.Instant): string {
  const days = londonDate(instant).until(londonDate(now)).total('days');
  const word = { 0: 'Today', 1: 'Yesterday' }[days];
  const time = moment(instant).split(', ').at(-1);
  return word === undefined ? moment(instant) : `${word}, ${time}`;
}

/** "morning", "afternoon" or "evening" in London */
export function partOfDay(instant: Temporal.Instant): string {
  const { hour } = instant.toZonedDateTimeISO(LONDON);
  if (hour < 12) return 'morning';
  return hour < 18 ? 'afternoon' : 'evening';
}

/** "No more than £49.99 a month", and how the period is counted. */
export function limitWords(
  limit: PeriodicLimit,
  parameters: ControlParameters,
): { amount: string; counted: string } {
  const { validFrom } = parameters;
  const amount = `Up to ${poundsOf(limit.amountPence)} ${PERIOD_TEXTS[limit.type]}`;
  if (limit.alignment === 'Consent') {
    return { amount, counted: `Counted from ${mediumDate(validFrom)}` };
  }
  const first = periodAt(limit, validFrom, validFrom);
  const counted =
    first.allowedPence < limit.amountPence
      ? `By the calendar; ${poundsOf(first.allowedPence)} until ${mediumDate(first.to)}`
      : 'By the calendar';
  return { amount, counted };
}

/** "From 1 December 2026 until you withdraw it" */
export function validityWords({ validFrom, validTo }: ControlParameters): string {
  const end = validTo ? `to ${longDate(validTo)}` : 'until you withdraw it';
  return `From ${longDate(validFrom)} ${end}`;
}

/** "99-10-01" */
export function sortCodeWords(sortCode: string): string {
  return sortCode.replace(/(\d{2})(?=\d)/g, '$1-');
}

export const PAYMENT_WORDS: Record<string, string> = {
  RCVD: 'On its way',
  PDNG: 'On its way',
  ACSP: 'On its way',
  ACSC: 'Taken',
  ACCC: 'Taken',
  RJCT: 'Not taken',
};

export const REASON_WORDS: Record<string, string> = {
  AM04: 'Not enough money in the account',
  AC01: 'The payee’s account could not be found',
  AC04: 'The account is closed',
  ED05: 'A technical problem between banks',
  FR01: 'Stopped by our fraud checks',
};

export const CONSENT_WORDS: Record<string, string> = {
  AWAU: 'Waiting',
  AUTH: 'Active',
  RJCT: 'Declined',
  CANC: 'Withdrawn',
  TKSP: 'Confirm again',
  EXPD: 'Ended',
  DELETED: 'Ended by the company',
};
