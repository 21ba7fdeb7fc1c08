import { isBusinessDay } from '../../platform/time/calendar.ts';

/** Where an occurrence goes that falls on no working day: docs/rules/schedules.md#working-days. */
export const NON_WORKING_DAYS = ['same', 'next', 'previous'] as const;
export type NonWorkingDay = (typeof NON_WORKING_DAYS)[number];

const STEP = { next: 1, previous: -1 } as const;

/** Returns a date if it is a working day of England and Wales, else the nearest one in this direction. */
export function workingDay(
  date: Temporal.PlainDate,
  direction: keyof typeof STEP,
): Temporal.PlainDate {
  let day = date;
  while (!isBusinessDay(day)) day = day.add({ days: STEP[direction] });
  return day;
}

/** Returns what is wrong with a policy for a frequency, by field; empty if nothing is. */
export function nonWorkingDayErrors(type: string, policy: NonWorkingDay): Record<string, string> {
  return type === 'daily' && policy !== 'same'
    ? { non_working_day: 'must be "same" for a daily frequency: two collections would meet' }
    : {};
}
