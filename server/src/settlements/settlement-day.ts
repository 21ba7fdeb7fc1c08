import { businessDayOf, nextBusinessDay } from '../platform/time/calendar.ts';
import { later } from '../platform/values/instants.ts';

/** Settlement days follow the bank scheme, whatever the merchant's own time zone. */
const SETTLEMENT_TIME_ZONE = 'Europe/London';
const PAY_OUT_TIME = Temporal.PlainTime.from('06:00');

export interface SettlementMoment {
  /** Business day T to which the collection belongs. */
  day: Temporal.PlainDate;
  /** When the funds of T are paid out. */
  payAt: Temporal.Instant;
}

/**
 * Returns the business day to which money collected at `collectedAt` belongs, and when it is paid out. Money collected at a
 * weekend or on a bank holiday belongs to the next business day. See docs/rules/settlements.md#when-money-is-paid-out.
 */
export function settlementMoment(collectedAt: Temporal.Instant): SettlementMoment {
  const collectedOn = collectedAt.toZonedDateTimeISO(SETTLEMENT_TIME_ZONE).toPlainDate();
  const day = businessDayOf(collectedOn);
  return { day, payAt: payOutMoment(nextBusinessDay(day)) };
}

/** Returns the moment of a business day at which settlements are paid out. */
export function payOutMoment(day: Temporal.PlainDate): Temporal.Instant {
  return day
    .toZonedDateTime({ timeZone: SETTLEMENT_TIME_ZONE, plainTime: PAY_OUT_TIME })
    .toInstant();
}

/** Returns the London date of a moment: the day of a settlement. */
export function settlementDate(at: Temporal.Instant): Temporal.PlainDate {
  return at.toZonedDateTimeISO(SETTLEMENT_TIME_ZONE).toPlainDate();
}

/** Returns when a settlement may be opened: at once from 06:00 of a business day on, otherwise at the next such moment. */
export function opensFrom(at: Temporal.Instant): Temporal.Instant {
  const payAt = payOutMoment(businessDayOf(settlementDate(at)));
  return later(payAt, at);
}

/** Returns the next moment after `at` at which settlements are paid out. */
export function nextSettlementMoment(at: Temporal.Instant): Temporal.Instant {
  return payOutMoment(nextBusinessDay(settlementDate(at)));
}

/** How many days back a pay-out of a lost database is looked for. */
const MAX_LOST_DAYS = 10;

/**
 * Returns the days before `day` on which money collected at `collectedAt` was due to be paid out, latest first: if the books have
 * no settlement of such a day, a lost database may have paid it out.
 */
export function daysPassed(
  collectedAt: Temporal.Instant,
  day: Temporal.PlainDate,
): Temporal.PlainDate[] {
  const first = settlementDate(settlementMoment(collectedAt).payAt);
  const days = Array.from({ length: MAX_LOST_DAYS }, (_, n) => day.subtract({ days: n + 1 }));
  return days.filter(
    (one) => Temporal.PlainDate.compare(one, first) >= 0 && businessDayOf(one).equals(one),
  );
}
