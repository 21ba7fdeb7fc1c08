import { describeFrequency } from '../../schedules/describe.ts';
import type { Series } from '../../schedules/occurrences.ts';

/** How often a series collects, in words: "every month on the 1st". */
export function frequencyText({ frequency, firstAt, timeZone }: Series): string {
  return describeFrequency(frequency, firstAt.toZonedDateTimeISO(timeZone).toPlainDate());
}
