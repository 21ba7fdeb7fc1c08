import { readScheduleSettings } from '../merchants/service.ts';
import type { Tx } from '../platform/db/db.ts';

/** Formats an instant (ISO 8601) as `2026-03-30 09:00` in one time zone; null as an empty text. */
export type Local = (instant: string | null) => string;

/** Returns what formats instants in the merchant's time zone. */
export async function localTime(tx: Tx, merchantId: string): Promise<Local> {
  const { timeZone } = await readScheduleSettings(tx, merchantId);
  return (instant) => {
    if (instant === null) return '';
    const at = Temporal.Instant.from(instant).toZonedDateTimeISO(timeZone);
    return `${at.toPlainDate()} ${at.toPlainTime().toString({ smallestUnit: 'minute' })}`;
  };
}
