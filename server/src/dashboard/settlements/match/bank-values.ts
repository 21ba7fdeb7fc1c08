import { fromDecimal } from '../../../platform/values/money.ts';
import { APOSTROPHE, plainText } from '../../../platform/values/normal.ts';

/** Pounds and pence; one mark between thousands, the same throughout. */
const NUMBERS = [
  /^(?<pounds>\d{1,12}|\d{1,3}([, '])\d{3}(?:\2\d{3}){0,2})(?:\.(?<pence>\d{1,2}))?$/,
  /^(?<pounds>\d{1,12}|\d{1,3}([. '])\d{3}(?:\2\d{3}){0,2}),(?<pence>\d{2})$/,
];
/** An amount with what banks print around it: -£5.00, £-5.00, 5.00-, (5.00), Dr 5.00, 5.00 GBP DR; `S` and `H` are German. */
const CELL = new RegExp(
  String.raw`^(?<open>\(? ?)(?:(?<before>CR|DR)\b\.? ?)?(?<sign>[+-]? ?)(?:£|GBP)? ?(?<inner>[+-]? ?)` +
    String.raw`(?<number>\d[\d,. ']*?) ?(?:£|GBP)? ?(?<after>[+-]|CR|DR|[CDHS])?(?<close> ?\)?)$`,
  'i',
);
/** The marks of an amount that left the account; the others are of one that came in. */
const LEFT = /^(?:[(-]|DR|D|S)$/i;
/** What a cell of its own says of an amount without a sign. */
const IS_DEBIT = /^(d|dr|dbit|debit|out|paid out|s|soll)$/i;
const IS_CREDIT = /^(c|cr|crdt|credit|in|paid in|h|haben)$/i;

/** The same in a line, where a word may stand for the sign, and a currency be lost or another one. */
const IN_LINE = new RegExp(
  String.raw`(?<![\d./-]|\d')(?<before>\b(?:DR|DBIT|debit|paid out)\b[.:]? ?|[(-] ?)?` +
    String.raw`[+]?(?:GBP|[\p{Sc}\ufffd])? ?(?<minus>- ?)?` +
    String.raw`(?<pounds>\d{1,3}(?:[,']\d{3}){1,3}|\d{1,3}(?: \d{3}){1,3}|\d{1,9})\.(?<pence>\d{2})(?![\d./])` +
    String.raw`\)?(?<after>-(?!\w)| ?(?:DR|DBIT|debit)\b)?`,
  'giu',
);
/** Blanks that do not break are marks of thousands; what others separate may be two numbers. */
const GROUPED = /(?<=\d)[\u00a0\u2007\u2009\u202f](?=\d{3}(?!\d))/gu;

type Groups = Record<string, string | undefined>;

const penceIn = ({ pounds = '', pence = '' }: Groups): number =>
  fromDecimal(`${pounds.replaceAll(/\D/g, '')}.${pence.padEnd(2, '0')}`);

/**
 * Reads every amount in a text, in pence; below zero: out of the account. Digits with a blank between them are read both ways,
 * the shorter number first.
 */
export const amountsIn = (text: string): number[] =>
  [
    ...plainText(text.replace(GROUPED, "'").replaceAll('\t', ' | '))
      .replace(APOSTROPHE, "'")
      .matchAll(IN_LINE),
  ].flatMap(({ groups = {} }) => {
    const { before, minus, after, pounds = '' } = groups;
    const sign = [before, minus, after].every((mark) => mark === undefined) ? 1 : -1;
    const readings = pounds.includes(' ') ? [pounds.split(' ').at(-1), pounds] : [pounds];
    return readings.map((one) => sign * penceIn({ ...groups, pounds: one }));
  });

/** Reads a cell that is an amount alone, in pence, below zero out of the account; null: it is none, or its marks disagree. */
export function amountOf(cell: string): number | null {
  const plain = plainText(cell).replace(APOSTROPHE, "'").replaceAll(/\s+/g, ' ');
  const { number = '', ...around } = CELL.exec(plain)?.groups ?? {};
  const found = NUMBERS.map((form) => form.exec(number)).find((one) => one !== null);
  const marks = Object.entries(around).map(([name, mark = '']) => [name, mark.trim()] as const);
  const at = Object.fromEntries(marks);
  const isPaired = (at.open === '') === (at.close === '') && (at.sign === '' || at.inner === '');
  if (found === undefined || !isPaired) return null;
  const left = marks
    .filter(([name, mark]) => mark !== '' && name !== 'close')
    .map(([, mark]) => LEFT.test(mark));
  if (new Set(left).size > 1) return null;
  return left[0] === true ? -penceIn(found.groups ?? {}) : penceIn(found.groups ?? {});
}

/** Whether a cell says of the amount beside it that it left the account. */
export const isDebit = (cell: string): boolean => IS_DEBIT.test(plainText(cell));

/** Whether a cell says of the amount beside it that it came in. */
export const isCredit = (cell: string): boolean => IS_CREDIT.test(plainText(cell));

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
