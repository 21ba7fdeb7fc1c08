import { createHash } from 'node:crypto';
import { base62 } from '../../../server/src/platform/values/ids.ts';

/** What a walk cannot make twice alike, and the address that it was made at. */
export interface Passing {
  readonly baseUrl: string;
  readonly webhookUrl: string;
  /** When the walk begins by its own clock; what lies before is the machine's time. */
  readonly from: Temporal.Instant;
}

/** Nobody’s, and long enough to look like one. */
const SECRET = `whsec_${Buffer.from('the secret of an example, no one').toString('base64')}`;
const KEY = 'rk_test_ExampleKeyThatOpensNothing';
const LINK = 'ExampleLinkThatLeadsNowhere';

const BASE_URL = 'https://recollect.example';
const BANK_URL = 'https://bank.example';
const WEBHOOK_URL = 'https://example.com/webhooks';

/** Of a list of objects, an example shows so many. */
const SHOWN = 2;
/** Instants are those of the walk, whose steps take seconds of a clock that runs: they are moved back to full five minutes. */
const GRID_MS = 5 * 60_000;

/** Fields whose value is another in each walk. */
const FIXED: Readonly<Record<string, string | number>> = {
  cursor: 'ExampleCursorOfTheNextPage',
  next_cursor: 'ExampleCursorOfTheNextPage',
  hint: KEY.slice(-4),
  // An archive, which is signed again each time: the beginning of any zip file.
  content: 'UEsDBBQAAAAIAA==',
  claimed_by: 1,
  // Written after the response, to the minute: a slow walk has it an hour later.
  last_used_at: '2031-03-03T09:30:00.000Z',
  duration_ms: 120,
  first_duration_ms: 120,
};

const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)/g;

function digits(kind: string, nth: number): Buffer {
  return createHash('sha256').update(`${kind} ${nth}`).digest();
}

/** What is random in a text, and what stands for the nth of its kind. */
const RANDOM: readonly [RegExp, (found: string, nth: number) => string][] = [
  [
    /\b[a-z]{3}_[0-9A-Za-z]{22}\b/g,
    (id, nth) => `${id.slice(0, 4)}03${base62(digits(id.slice(0, 3), nth), 20)}`,
  ],
  [
    /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g,
    (_, nth) =>
      digits('uuid', nth)
        .toString('hex')
        .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*/, '$1-$2-4$3-a$4-$5'),
  ],
  [/\b[0-9a-f]{64}\b/g, (_, nth) => digits('hex', nth).toString('hex')],
  [/\bS\d{6}[0-9A-Z]{8}\b/g, (text, nth) => `${text.slice(0, 7)}${letters('settlement', nth, 8)}`],
  [/\bFERNHILL [0-9A-Z]{6}\b/g, (_, nth) => `FERNHILL ${letters('code', nth, 6)}`],
];

const letters = (kind: string, nth: number, size: number): string =>
  base62(digits(kind, nth), size).toUpperCase();

const onGrid = (text: string, { from }: Passing): string => {
  const ms = Math.max(Temporal.Instant.from(text).epochMilliseconds, from.epochMilliseconds);
  const grid = Temporal.Instant.fromEpochMilliseconds(ms - (ms % GRID_MS));
  const written = grid.toString({ fractionalSecondDigits: 3 });
  return text.endsWith('Z') ? written : written.replace('.000Z', '+00:00');
};

/** Replaces what differs from one walk to the next, the same by the same everywhere, and cuts long lists of objects. */
export function settled<T>(value: T, passing: Passing): T {
  const known = new Map<string, string>();
  const counts = new Map<RegExp, number>();
  const replaced = (text: string): string => {
    let result = text
      .replaceAll(passing.webhookUrl, WEBHOOK_URL)
      .replaceAll(passing.baseUrl.replace(/\/$/, ''), BASE_URL)
      .replaceAll(/http:\/\/(localhost|127\.0\.0\.1):\d+/g, BANK_URL)
      .replaceAll(/\bwhsec_[\w+/=]+/g, SECRET)
      .replaceAll(/\brk_test_\w+/g, KEY)
      .replaceAll(/(?<=\/consent\/)[\w-]{40,}/g, LINK)
      .replaceAll(INSTANT, (at) => onGrid(at, passing));
    for (const [pattern, stand] of RANDOM)
      result = result.replaceAll(pattern, (found) => {
        const before = known.get(found);
        if (before !== undefined) return before;
        const nth = (counts.get(pattern) ?? 0) + 1;
        counts.set(pattern, nth);
        const made = stand(found, nth);
        known.set(found, made);
        known.set(made, made);
        return made;
      });
    return result;
  };
  const of = (one: unknown, name: string): unknown => {
    // The log of requests is written after their responses: an export has it, or not yet.
    if (name === 'request_log') return [];
    if (Array.isArray(one))
      return one
        .slice(0, typeof one[0] === 'object' ? SHOWN : one.length)
        .map((item) => of(item, name));
    if (typeof one === 'object' && one !== null)
      return Object.fromEntries(Object.entries(one).map(([key, part]) => [key, of(part, key)]));
    const fixed = FIXED[name];
    if (fixed !== undefined) return typeof one === 'string' ? String(fixed) : fixed;
    return typeof one === 'string' ? replaced(one) : one;
  };
  return of(value, '') as T;
}
