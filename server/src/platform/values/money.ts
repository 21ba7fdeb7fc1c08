/** Money on the wire: `value` in the smallest unit of `currency` (pence for GBP). */
export interface Amount {
  value: number;
  currency: string;
}

/** The currencies that can be collected: those of the UK bank scheme. The only list. */
const CURRENCIES: readonly string[] = ['GBP'];

/** The most that one payment or pay-out may carry, in pence: Faster Payments' limit, GBP 1,000,000.00. */
export const LARGEST_AMOUNT = 100_000_000;

const PENCE_DIGITS = 2;
// A bank may write fewer or more than two decimals; further ones must be zeros to be exact.
const DECIMAL = /^(-?)(\d{1,16})(?:\.(\d{1,5}))?$/;

/** Formats pence with two decimals: 4999 → "49.99". Throws RangeError if not exact. */
export function toDecimal(pence: number): string {
  if (!Number.isSafeInteger(pence)) throw new RangeError(`Not an exact amount: ${pence}`);
  const digits = String(Math.abs(pence)).padStart(PENCE_DIGITS + 1, '0');
  const sign = pence < 0 ? '-' : '';
  return `${sign}${digits.slice(0, -PENCE_DIGITS)}.${digits.slice(-PENCE_DIGITS)}`;
}

/**
 * Parses a decimal string as pence: "49.99" → 4999; "49.9" and "50" are accepted too. Throws RangeError for anything that is
 * no amount or not a whole number of pence.
 */
export function fromDecimal(text: string): number {
  const [, sign, whole, fraction = ''] = DECIMAL.exec(text) ?? [];
  const beyondPence = fraction.slice(PENCE_DIGITS);
  if (whole === undefined || /[1-9]/.test(beyondPence)) {
    throw new RangeError(`Not an amount in whole pence: ${text}`);
  }
  const pence = Number(whole + fraction.slice(0, PENCE_DIGITS).padEnd(PENCE_DIGITS, '0'));
  if (!Number.isSafeInteger(pence)) throw new RangeError(`Amount too large: ${text}`);
  return sign === '-' && pence !== 0 ? -pence : pence;
}

/** Pounds as people type them: a comma stands between thousands, and nowhere else. */
const TYPED = /^(?:\d{1,3}(?:,\d{3}){1,3}|\d{1,12})(?:\.\d{1,2})?$/;

/** Parses pounds that somebody typed as pence: 49.99, 1,250, £1,250.00, 7 GBP. Null: it is none, or could be either of two. */
export function parsePounds(text: string): number | null {
  const bare = text
    .trim()
    .replace(/^£\s*/, '')
    .replace(/\s*GBP$/i, '');
  return TYPED.test(bare) ? fromDecimal(bare.replaceAll(',', '')) : null;
}

/**
 * Returns what is wrong with an Amount as received, by dotted path (`amount.value`, `amount.currency`); empty if nothing is.
 * Names every wrong field at once. `most` is in pence.
 */
export function amountErrors(
  input: unknown,
  field = 'amount',
  most = LARGEST_AMOUNT,
): Record<string, string> {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return { [field]: 'must be an object with value and currency' };
  }
  const { value, currency, ...unknown } = input as Record<string, unknown>;
  const errors: Record<string, string> = {};
  const valueError = errorOfValue(value, most);
  if (valueError) errors[`${field}.value`] = valueError;
  if (typeof currency !== 'string' || !CURRENCIES.includes(currency)) {
    errors[`${field}.currency`] = `must be one of: ${CURRENCIES.join(', ')}`;
  }
  for (const name of Object.keys(unknown)) errors[`${field}.${name}`] = 'is not a known field';
  return errors;
}

function errorOfValue(value: unknown, most: number): string | null {
  if (typeof value !== 'number' || !Number.isInteger(value)) {
    return 'must be a whole number in the smallest currency unit (pence)';
  }
  if (value <= 0) return 'must be greater than 0';
  if (value > most) return `must be at most ${most} (£${(most / 100).toLocaleString('en-GB')}.00)`;
  return null;
}
