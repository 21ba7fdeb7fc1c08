const HOUR_MS = 3_600_000;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatIn(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  formats.set(timeZone, made);
  return made;
}

/** Formats an instant (ISO 8601) in a time zone, as for `<input type="datetime-local">`: 2026-03-29T09:00. */
export function toLocalTime(instant: string, timeZone: string): string {
  const parts = formatIn(timeZone).formatToParts(new Date(instant));
  const part = (type: Intl.DateTimeFormatPartTypes): string =>
    parts.find((each) => each.type === type)?.value ?? '';
  const year = part('year').padStart(4, '0');
  return `${year}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}`;
}

/**
 * Returns the instant (ISO 8601 in UTC) at which a time zone's clock shows `2026-03-29T09:00`; null if the text is not such a
 * time. If an hour occurs twice, the first one counts; in a skipped hour, the clock change is added.
 */
export function fromLocalTime(local: string, timeZone: string): string | null {
  const asUtc = Date.parse(`${local}Z`);
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(local) || Number.isNaN(asUtc)) return null;
  const offsetAt = (instant: number): number =>
    Date.parse(`${toLocalTime(new Date(instant).toISOString(), timeZone)}Z`) -
    Math.floor(instant / 60_000) * 60_000;
  const before = offsetAt(asUtc - 24 * HOUR_MS);
  const after = offsetAt(asUtc + 24 * HOUR_MS);
  const candidates = [asUtc - before, asUtc - after].sort((a, b) => a - b);
  const exact = candidates.find((instant) => instant + offsetAt(instant) === asUtc);
  return new Date(exact ?? asUtc - before).toISOString();
}
