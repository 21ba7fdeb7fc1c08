import { isBritish } from '../../customers/mobile.ts';
import { parsePounds } from '../../platform/values/money.ts';
import { plainPhone, plainText } from '../../platform/values/normal.ts';

/** What a cell says, or why it says nothing usable. */
export type Value<T> = { value: T } | { error: string };

const NUMBER_SHORTENED = /^\d(?:[.,]\d+)?E\+?\d+$/i;
const SHORTENED =
  'was shortened by the spreadsheet (such as 4.47E+11): format the column as text, and enter it again';

const NOT_BRITISH =
  'is not a number of the United Kingdom: write it with + and the code of its country, such as +353 87 123 4567';
/** How many digits a British number has after its 0; a few old ones have one fewer. */
const WHOLE = 10;

/** Reads pounds as people write them: 49.99, 1,250, £1,250.00. */
export function readPounds(text: string): Value<number> {
  const value = parsePounds(text);
  if (value !== null) return { value };
  return /\d,\d{1,2}(?:\s*GBP)?$/i.test(text)
    ? { error: 'must have a point between pounds and pence, such as 49.99' }
    : { error: 'must be an amount in pounds, such as 49.99' };
}

/** Reads a whole number. */
export function readWhole(text: string): Value<number> {
  return /^\d{1,9}$/.test(text) ? { value: Number(text) } : { error: 'must be a whole number' };
}

/**
 * Reads a phone number: with + or 00 as it is, and British ones as they are written at home, or as spreadsheets leave them. A
 * number without a country that Britain does not have is refused: it is somebody's elsewhere, and we would not know whose.
 */
export function readPhone(text: string): Value<string> {
  if (NUMBER_SHORTENED.test(text)) return { error: SHORTENED };
  const plain = plainPhone(text);
  const digits = plain.replaceAll(/[\s().-]/g, '');
  const [, national] = /^(?:0|44)([1-9]\d{8,9})$/.exec(digits) ?? [];
  if (national !== undefined && (digits.startsWith('0') || national.length === WHOLE))
    return isBritish(`+44${national}`) ? { value: `+44${national}` } : { error: NOT_BRITISH };
  if (/^7\d{9}$/.test(digits))
    return { error: 'lacks its first 0, which spreadsheets drop: format the column as text' };
  return { value: text };
}

/** Reads digits that spreadsheets like to shorten; how many there must be is checked with the schedule. */
export function readDigits(text: string): Value<string> {
  return NUMBER_SHORTENED.test(text) ? { error: SHORTENED } : { value: text };
}

/** Reads a sort code. */
export function readSortCode(text: string): Value<string> {
  if (/^\d{5}$/.test(plainText(text)))
    return {
      error: 'must be 6 digits; spreadsheets drop a 0 at the start: format the column as text',
    };
  return readDigits(text);
}

/**
 * Reads a date-time with its offset, or a day as 2026-12-31 or 31/12/2026, which stands for `time` on it in the merchant's time
 * zone. Returns ISO 8601.
 */
export function readDate(text: string, timeZone: string, time: string): Value<string> {
  if (/^\d{4}-\d{2}-\d{2}T/i.test(text)) return { value: text };
  const [, day = '', month = '', year = ''] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text) ?? [];
  const iso = year === '' ? text : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  if (!/^\d{4}-\d{2}-\d{2}$/.test(iso))
    return { error: 'must be a day as 31/12/2026 or 2026-12-31' };
  try {
    const date = Temporal.PlainDate.from(iso, { overflow: 'reject' });
    return { value: date.toZonedDateTime({ timeZone, plainTime: time }).toInstant().toString() };
  } catch {
    return { error: 'is no day of the calendar; the day comes before the month' };
  }
}
