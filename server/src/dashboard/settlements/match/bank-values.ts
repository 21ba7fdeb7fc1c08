import { fromDecimal } from '../../../platform/values/money.ts';
import { plainText } from '../../../platform/values/normal.ts';

/** An amount as banks print it, with what says that it left the account: 1,234.50, £82.50, -5.00, (5.00), 5.00 DR. */
const POUNDS = String.raw`(?<pounds>\d{1,3}(?:,\d{3})+|\d{1,9})\.(?<pence>\d{2})(?![\d./])`;
const AMOUNT = new RegExp(
  String.raw`(?<![\d./-])(?<out>[(-]\s?)?[+]?(?:£|GBP)?\s?(?<minus>-)?${POUNDS}\)?(?<debit>\s?DR\b)?`,
  'gi',
);
const CELL =
  /^(?<minus>-)?[+]?\s?£?\s?(?<pounds>\d{1,3}(?:,\d{3})+|\d{1,12})(?:\.(?<pence>\d{1,2}))?$/;

type Groups = Record<string, string | undefined>;

function penceOf({ out, minus, debit, pounds = '', pence = '' }: Groups): number {
  const value = fromDecimal(`${pounds.replaceAll(',', '')}.${pence.padEnd(2, '0')}`);
  return [out, minus, debit].every((mark) => mark === undefined) ? value : -value;
}

/** Reads every amount in a text, in pence; below zero: out of the account. */
export const amountsIn = (text: string): number[] =>
  [...plainText(text).matchAll(AMOUNT)].map(({ groups = {} }) => penceOf(groups));

/** Reads a cell that is an amount, in pence; null: it is none. Pence may be left out there. */
export function amountOf(cell: string): number | null {
  const found = CELL.exec(plainText(cell));
  return found === null ? (amountsIn(cell)[0] ?? null) : penceOf(found.groups ?? {});
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
/** A sort code is no day: two digits of a year stand after a slash or a point only. */
const DAYS = [
  /\b(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})(?!\d)/g,
  /(?<![\d/.-])(?<day>\d{1,2})(?<dash>[/.-])(?<month>\d{1,2})\k<dash>(?<year>\d{4}|(?<=[/.])\d{2})(?!\d)/g,
  new RegExp(
    `(?<!\\d)(?<day>\\d{1,2})(?:st|nd|rd|th)?[ -](?<month>${MONTHS.join('|')})[a-z]*[ -](?<year>\\d{4}|\\d{2})(?!\\d)`,
    'gi',
  ),
];

/** Reads the first day in a text: 2026-03-30, 30/03/2026, 30/03/26, 30 Mar 2026; the day comes before the month. Null: none. */
export function dayIn(text: string): Temporal.PlainDate | null {
  const plain = plainText(text);
  const days = DAYS.flatMap((form) =>
    [...plain.matchAll(form)].map(({ groups = {} }) => dayOf(groups)),
  );
  return days.find((day) => day !== null) ?? null;
}

function dayOf({ year = '', month = '', day = '' }: Groups): Temporal.PlainDate | null {
  const named = MONTHS.indexOf(month.slice(0, 3).toLowerCase()) + 1;
  const parts = {
    year: Number(year) + (year.length === 2 ? 2000 : 0),
    month: named === 0 ? Number(month) : named,
    day: Number(day),
  };
  try {
    return Temporal.PlainDate.from(parts, { overflow: 'reject' });
  } catch {
    return null; // the digits are no day of the calendar
  }
}
