import { businessDayOf, nextBusinessDay } from '../platform/calendar.ts';

/** Settlement days are those of the bank scheme, whatever the merchant's own time zone. */
const SETTLEMENT_TIME_ZONE = 'Europe/London';
const PAY_OUT_TIME = Temporal.PlainTime.from('06:00');

export interface SettlementMoment {
  /** Business day T to which the collection counts. */
  day: Temporal.PlainDate;
  /** When the funds of T are paid out. */
  payAt: Temporal.Instant;
}

/**
 * The day to which funds collected at `collectedAt` count, and when they are paid out: the next
 * business day at 06:00 London time. What is collected on a weekend or bank holiday counts to the
 * next business day, and so is paid out on the one after it (DECISIONS, "Settlement").
 */
export function settlementMoment(collectedAt: Temporal.Instant): SettlementMoment {
  const collectedOn = collectedAt.toZonedDateTimeISO(SETTLEMENT_TIME_ZONE).toPlainDate();
  const day = businessDayOf(collectedOn);
  return { day, payAt: payOutMoment(nextBusinessDay(day)) };
}

/** The moment of a business day at which settlements are paid out. */
export function payOutMoment(day: Temporal.PlainDate): Temporal.Instant {
  return day
    .toZonedDateTime({ timeZone: SETTLEMENT_TIME_ZONE, plainTime: PAY_OUT_TIME })
    .toInstant();
}

/** The London date of a moment: the day a settlement is of. */
export function settlementDate(at: Temporal.Instant): Temporal.PlainDate {
  return at.toZonedDateTimeISO(SETTLEMENT_TIME_ZONE).toPlainDate();
}

/** The next moment, after `at`, at which settlements are paid out. */
export function nextSettlementMoment(at: Temporal.Instant): Temporal.Instant {
  return payOutMoment(nextBusinessDay(settlementDate(at)));
}
