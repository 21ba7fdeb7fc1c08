/** A file that is no camt.053 statement, or a part of one that cannot be read; the message names the element. */
export class CamtError extends Error {
  override readonly name = 'CamtError';
}

export type Node = Record<string, unknown>;

const LONDON = 'Europe/London';
/** xs:decimal that is not below zero; whole and fraction without leading and trailing zeros. */
const DECIMAL = /^(?:\+|-(?=[0.]*$))?0*(\d*)(?:\.(\d*?)0*)?$/;
const DATE = /^(\d{4}-\d{2}-\d{2})(?:Z|[+-]\d{2}:\d{2})?$/;
const DATE_TIME =
  /^(\d{4}-\d{2}-\d{2})T(\d{2}:[0-5]\d:[0-5]\d)(\.\d{1,9})?\d*(Z|[+-](?:0\d|1[0-4]):[0-5]\d)?$/;

/** Reads an amount in GBP from its digits, in pence: no floating point. Throws `CamtError`. */
export function readAmount(value: unknown, path: string): number {
  if (currencyOf(value) !== 'GBP') throw new CamtError(`${path} must be in GBP`);
  const digits = text(value);
  const written = digits.length > MAX_DIGITS ? null : DECIMAL.exec(digits);
  const [whole, pounds = '', fraction = ''] = written ?? [];
  const pence = Number(`${pounds}${fraction.padEnd(2, '0')}`);
  if (whole === undefined || !/\d/.test(digits) || fraction.length > 2 || pence > MAX_PENCE)
    throw new CamtError(`${path} must be an amount such as 49.99`);
  return pence;
}

/** Zeros before and behind may be many, but not without end. */
const MAX_DIGITS = 100;
/** 15 digits: what a statement in pounds and pence may say, and what a number holds exactly. */
const MAX_PENCE = 999_999_999_999_999;

/** Returns the currency of an amount; null: it has none. */
export function currencyOf(amount: unknown): string | null {
  const currency = isNode(amount) ? amount['@Ccy'] : undefined;
  return typeof currency === 'string' ? currency.trim() : null;
}

/**
 * Reads the London day of a date, as it is written, or of a date-time: one without an offset is London time. Throws
 * `CamtError`.
 */
export function readDay(node: Node, path: string): Temporal.PlainDate {
  const time = optional(node, 'DtTm');
  return time === null
    ? plainDate(optional(node, 'Dt') ?? '', path)
    : readMoment(time, path).toPlainDate();
}

function plainDate(value: string, path: string): Temporal.PlainDate {
  const [, date] = DATE.exec(value) ?? [];
  return orThrow(date, path, (one) => Temporal.PlainDate.from(one));
}

/** Reads a date-time as London time; `24:00:00` is the beginning of the next day. Throws `CamtError`. */
export function readMoment(value: string, path: string): Temporal.ZonedDateTime {
  const [, date, time = '', fraction = '', offset] = DATE_TIME.exec(value) ?? [];
  return orThrow(date, path, (day) => {
    const isEnd = time === '24:00:00';
    const written = `${day}T${isEnd ? '00:00:00' : time}${fraction}`;
    const at =
      offset === undefined
        ? Temporal.PlainDateTime.from(written).toZonedDateTime(LONDON)
        : Temporal.Instant.from(`${written}${offset}`).toZonedDateTimeISO(LONDON);
    return isEnd ? at.add({ days: 1 }) : at;
  });
}

function orThrow<T>(found: string | undefined, path: string, read: (text: string) => T): T {
  try {
    if (found !== undefined) return read(found);
  } catch {
    // The digits are no date of the calendar.
  }
  throw new CamtError(`${path} must be a date such as 2026-11-23`);
}

/** Returns the text of an element without the space around it; empty: it has none. */
export function text(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  if (typeof value !== 'object' || value === null) return '';
  return text((value as Node)['#text']);
}

/** Returns every text within an element, in the order of the file; attributes are left out. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value.trim()];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => (name.startsWith('@') ? [] : textsIn(one)));
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns an element within another; an empty one where it is absent. */
export const inner = (node: Node, name: string): Node => {
  const found = node[name];
  return isNode(found) ? found : {};
};

/** Returns an element that must be there. Throws `CamtError`. */
export function child(node: Node, name: string, path: string): Node {
  const found = node[name];
  if (!isNode(found)) throw new CamtError(`${path === '' ? '' : `${path}/`}${name} is missing`);
  return found;
}

/** Returns the text of an element; null: it is absent or empty. */
export const optional = (node: Node, name: string): string | null => text(node[name]) || null;

/** Returns the elements of a name that may be repeated. */
export const list = (node: Node, name: string): Node[] => {
  const found = node[name];
  return Array.isArray(found) ? found.map((one) => (isNode(one) ? one : {})) : [];
};
