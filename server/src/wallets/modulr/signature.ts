import { createHash, createHmac, randomUUID } from 'node:crypto';

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** How Modulr knows who calls: an API key and its HMAC secret, as text. */
export interface ModulrKey {
  keyId: string;
  secret: string;
}

/**
 * Returns the headers that sign a request at `at` under `nonce`. The signature covers these two alone, not the path or the body:
 * TLS protects those.
 */
export function signedHeaders(
  { keyId, secret }: ModulrKey,
  nonce: string,
  at: Temporal.Instant,
): Record<string, string> {
  const date = httpDate(at);
  const signature = createHmac('sha1', secret)
    .update(`date: ${date}\nx-mod-nonce: ${nonce}`)
    .digest('base64');
  const parts = [
    `keyId="${keyId}"`,
    'algorithm="hmac-sha1"',
    'headers="date x-mod-nonce"',
    `signature="${encodeURIComponent(signature)}"`,
  ];
  return { date, 'x-mod-nonce': nonce, authorization: `Signature ${parts.join(',')}` };
}

/** Returns an instant as HTTP writes it: `Mon, 25 Jul 2016 16:36:07 GMT`. */
function httpDate(at: Temporal.Instant): string {
  const { dayOfWeek, day, month, year, hour, minute, second } = at.toZonedDateTimeISO('UTC');
  const two = (value: number): string => String(value).padStart(2, '0');
  const date = `${DAYS[dayOfWeek - 1]}, ${two(day)} ${MONTHS[month - 1]} ${year}`;
  return `${date} ${two(hour)}:${two(minute)}:${two(second)} GMT`;
}

/**
 * Returns the nonce of a request. An order always has the nonce of its key, so that a repeat gets the first answer; anything
 * else gets one of its own.
 */
export function nonceOf(method: string, path: string, idempotencyKey?: string): string {
  if (idempotencyKey === undefined) return randomUUID();
  return createHash('sha256')
    .update(`${method} ${path} ${idempotencyKey}`)
    .digest('hex')
    .slice(0, 32);
}
