import { type HolidayChanges, isKnownHoliday } from '../time/calendar.ts';
import { type Finding, problem, warning } from './finding.ts';
import { dates, type ValuesOf, variable } from './readers.ts';

/** The settings of the calendar of bank holidays. */
export const CALENDAR_VARIABLES = {
  EXTRA_BANK_HOLIDAYS: variable(
    'bank holidays of England and Wales that this version does not know: dates such as 2027-06-07, comma-separated',
    null,
    dates,
  ),
  WITHOUT_BANK_HOLIDAYS: variable(
    'dates that this version takes for bank holidays, and that are none: comma-separated',
    null,
    dates,
  ),
} as const;

type CalendarValues = ValuesOf<typeof CALENDAR_VARIABLES>;

/** Returns what the settings change about the bank holidays that this version knows. */
export const bankHolidaysOf = (v: CalendarValues): HolidayChanges => ({
  extra: v.EXTRA_BANK_HOLIDAYS ?? new Set(),
  without: v.WITHOUT_BANK_HOLIDAYS ?? new Set(),
});

/** Finds dates that are said to be bank holidays and none, and exceptions to holidays that there are not. */
export function holidayFindings({
  EXTRA_BANK_HOLIDAYS: extra,
  WITHOUT_BANK_HOLIDAYS: without,
}: CalendarValues): Finding[] {
  const found: Finding[] = [];
  for (const date of without ?? []) {
    if (extra?.has(date))
      found.push(
        problem(
          'WITHOUT_BANK_HOLIDAYS',
          `must not name ${date} too, which EXTRA_BANK_HOLIDAYS does`,
        ),
      );
    else if (!isKnownHoliday(date))
      found.push(
        warning('WITHOUT_BANK_HOLIDAYS', `names ${date}, which is no bank holiday in this version`),
      );
  }
  for (const date of extra ?? [])
    if (isKnownHoliday(date))
      found.push(
        warning(
          'EXTRA_BANK_HOLIDAYS',
          `names ${date}, which this version knows already: leave it out`,
        ),
      );
  return found;
}
