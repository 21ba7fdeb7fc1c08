import { fromLocalTime } from '../../ui/values/zoned-time.ts';

const DAY_MS = 86_400_000;

function dayAfter(day: string): string {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(midnight) ? '' : new Date(midnight + DAY_MS).toISOString().slice(0, 10);
}

/**
 * Returns the instants that bound a range of calendar days, both included: `to` is the first instant after it. Days look like
 * `2026-03-30`; any other text, such as '', sets no bound.
 */
export function instantsOf(
  days: { from: string; to: string },
  timeZone: string,
): { from?: string; to?: string } {
  const from = fromLocalTime(`${days.from}T00:00`, timeZone);
  const to = fromLocalTime(`${dayAfter(days.to)}T00:00`, timeZone);
  return { ...(from === null ? {} : { from }), ...(to === null ? {} : { to }) };
}
