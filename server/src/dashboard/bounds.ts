import { parseInstant } from '../platform/calendar.ts';
import { invalid } from '../platform/errors.ts';

const WRONG_INSTANT = 'must be an ISO 8601 date-time with an offset or Z';

/** The limits of a list's time, both included; an absent one does not limit. */
export interface Bounds {
  from?: Temporal.Instant;
  to?: Temporal.Instant;
}

/** Reads `from` and `to` of a query. Throws 400 naming each that is not an instant. */
export function readBounds(asked: { from?: string; to?: string }): Bounds {
  const read = (text: string | undefined) => (text === undefined ? null : parseInstant(text));
  const [from, to] = [read(asked.from), read(asked.to)];
  const wrong = { from: asked.from !== undefined && !from, to: asked.to !== undefined && !to };
  const names = (['from', 'to'] as const).filter((name) => wrong[name]);
  if (names.length > 0) throw invalid(Object.fromEntries(names.map((n) => [n, WRONG_INSTANT])));
  return { ...(from === null ? {} : { from }), ...(to === null ? {} : { to }) };
}
