/** The issuer's statements and our reports are of London days. */
export const LONDON = 'Europe/London';

/** Returns the London day of a moment. */
export function londonDay(at: Temporal.Instant): Temporal.PlainDate {
  return at.toZonedDateTimeISO(LONDON).toPlainDate();
}

/** Returns the first moment of a London day. */
export function startOf(day: Temporal.PlainDate): Temporal.Instant {
  return day.toZonedDateTime(LONDON).toInstant();
}
