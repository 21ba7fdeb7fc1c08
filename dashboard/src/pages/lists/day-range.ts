import { fromLocalTime } from '../../ui/zoned-time.ts';

const DAY_MS = 86_400_000;

function dayAfter(day: string): string {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(midnight) ? '' : new Date(midnight + DAY_MS).toISOString().slice(0, 10);
}

/**
 * The instants between which two days of a calendar lie, both included: `to` is the first that lies beyond. Days are
 * like `2026-03-30`; what is none, such as '', bounds nothing.
 */
export function instantsOf(
  days: { from: string; to: string },
  timeZone: string,
): { from?: string; to?: string } {
  const from = fromLocalTime(`${days.from}T00:00`, timeZone);
  const to = fromLocalTime(`${dayAfter(days.to)}T00:00`, timeZone);
  return { ...(from === null ? {} : { from }), ...(to === null ? {} : { to }) };
}
