import { plainText } from '../../platform/values/normal.ts';

/** The columns of an import, in the order of the template: docs/rules/import.md#columns. */
export const COLUMNS = [
  'import_reference',
  'customer_phone',
  'customer_sort_code',
  'customer_account_number',
  'customer_id',
  'customer_name',
  'customer_email',
  'customer_reference',
  'amount',
  'frequency',
  'interval',
  'day',
  'description',
  'start_date',
  'end_date',
  'max_retries',
  'statement_reference',
  'amount_mode',
  'limit_per_payment',
  'limit_per_period',
  'non_working_day',
  'first_payment_amount',
  'first_payment_description',
] as const;
export type Column = (typeof COLUMNS)[number];

/** The cells of a line that hold something, by column; the merchant's own below `metadata`. */
export interface Cells {
  known: Partial<Record<Column, string>>;
  metadata: Record<string, string>;
}

const REQUIRED: readonly Column[] = ['amount', 'frequency', 'description'];
const METADATA = 'metadata.';

/**
 * Returns the columns that a heading names, or what is wrong with it. Upper case, blanks and hyphens make no difference. A column
 * without a name is left out (its name is empty) where `isEmpty` says that no line has anything in it: spreadsheets add such.
 */
export function readHeading(
  cells: readonly string[],
  isEmpty: (at: number) => boolean,
): { columns: string[] } | { error: string } {
  const columns = cells.map((cell) => {
    const name = plainText(cell);
    if (name.toLowerCase().startsWith(METADATA)) return METADATA + name.slice(METADATA.length);
    return name.toLowerCase().replaceAll(/[\s-]+/g, '_');
  });
  const missing = REQUIRED.filter((name) => !columns.includes(name));
  if (missing.length > 0)
    return { error: `must begin with a heading that has the columns ${missing.join(', ')}` };
  const unknown = columns.filter((name, at) => !isColumn(name) && !(name === '' && isEmpty(at)));
  if (unknown.length > 0) {
    const own = 'Data of your own goes into columns such as metadata.plan';
    return {
      error: `has columns that no import has: ${unknown.map(printableName).join(', ')}. ${own}`,
    };
  }
  const twice = columns.find((name, at) => name !== '' && columns.indexOf(name) !== at);
  return twice === undefined ? { columns } : { error: `has the column ${twice} twice` };
}

const printableName = (name: string): string => (name === '' ? 'one without a name' : name);

function isColumn(name: string): boolean {
  return (
    (name.startsWith(METADATA) && name !== METADATA) || COLUMNS.some((column) => column === name)
  );
}

/** Returns the cells of a line by column, without those that are empty. */
export function cellsOf(columns: readonly string[], texts: readonly string[]): Cells {
  const known: Partial<Record<Column, string>> = {};
  const metadata: [string, string][] = [];
  for (const [at, name] of columns.entries()) {
    const text = plainCell(texts[at] ?? '');
    if (text === '' || name === '') continue;
    if (name.startsWith(METADATA)) metadata.push([name.slice(METADATA.length), text]);
    else known[name as Column] = text;
  }
  return { known, metadata: Object.fromEntries(metadata) };
}

/**
 * Removes what keeps a spreadsheet from calculating: the apostrophe of our own exports, and `="007"`. The apostrophe stays where
 * no spreadsheet would have needed it: before a word with a hyphen (`'-Bar Club`), which is a name.
 */
function plainCell(text: string): string {
  return text
    .trim()
    .replace(/^'(?=[=+@]|-[\d.(=+@-])/, '')
    .replace(/^="(.*)"$/s, '$1')
    .trim();
}

/** The column of each field of a schedule whose name differs; beneath them, as above. */
const COLUMN_OF: Readonly<Record<string, Column>> = {
  'amount.value': 'amount',
  'frequency.type': 'frequency',
  'frequency.day': 'day',
  'frequency.interval': 'interval',
  'customer.sort_code': 'customer_sort_code',
  'customer.account_number': 'customer_account_number',
  'customer.name': 'customer_name',
  'customer.email': 'customer_email',
  'customer.reference': 'customer_reference',
  reference: 'statement_reference',
  'limits.per_payment': 'limit_per_payment',
  'limits.per_payment.value': 'limit_per_payment',
  'limits.per_period': 'limit_per_period',
  'limits.per_period.value': 'limit_per_period',
  'first_payment.amount.value': 'first_payment_amount',
  'first_payment.description': 'first_payment_description',
};

/** Returns the column that a field of a schedule, by its dotted path, was read from. */
export function columnOf(field: string, { known }: Cells): string {
  if (field === 'customer.value')
    return known.customer_id === undefined ? 'customer_phone' : 'customer_id';
  return COLUMN_OF[field] ?? field;
}
