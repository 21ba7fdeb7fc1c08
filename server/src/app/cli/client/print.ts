import { stripVTControlCharacters } from 'node:util';

type Row = readonly (readonly [name: string, text: string])[];

/** The columns that a text takes on the screen, whatever its colour. */
const widthOf = (text: string): number => stripVTControlCharacters(text).length;
const MONEY = /^-?£[\d,.]+$/;

/**
 * Returns an answer as a person reads it: a list as a table, or, where that is wider than `width`, as a block for each of its
 * objects; an object as a line for each of its fields. Fields without a value are left out.
 */
export function answerLines(body: unknown, width: number): string[] {
  const { data, total, has_more: hasMore } = Object(body) as Record<string, unknown>;
  if (!Array.isArray(data)) return objectLines(body, width);
  const shown = data.length === 0 ? ['nothing'] : listLines(data, width);
  if (hasMore === true) return [...shown, 'more match: search for more of what you know'];
  return typeof total === 'number' && total > data.length
    ? [...shown, `${data.length} of ${total}: --offset and --limit show others`]
    : shown;
}

function listLines(objects: readonly unknown[], width: number): string[] {
  const rows = objects.map((one) => [...rowOf(one), ...listsOf(one).map(inOneLine)]);
  const names = [...new Set(rows.flatMap((row) => row.map(([name]) => name)))];
  const table = [
    names.map((name) => name.toUpperCase()),
    ...rows.map((row) => names.map((name) => row.find(([one]) => one === name)?.[1] ?? '')),
  ];
  const columns = names.map((_, n) => {
    const cells = table.map((row) => row[n] ?? '');
    const most = Math.max(...cells.map(widthOf));
    const isMoney = cells.slice(1).every((cell) => cell === '' || MONEY.test(cell));
    return cells.map((cell) => {
      const space = ' '.repeat(most - widthOf(cell));
      return isMoney ? space + cell : cell + space;
    });
  });
  const lines = table.map((_, row) =>
    columns
      .map((cells) => cells[row])
      .join('  ')
      .trimEnd(),
  );
  if (lines.every((line) => widthOf(line) <= width)) return lines;
  return rows.flatMap((row, n) => [...(n === 0 ? [] : ['']), ...rowLines(row)]);
}

const objectLines = (object: unknown, width: number): string[] => [
  ...rowLines(rowOf(object)),
  ...listsOf(object).flatMap(([name, list]) => [
    `${name}:`,
    ...listLines(list, width - 2).map((line) => `  ${line}`.trimEnd()),
  ]),
];

function rowLines(row: Row): string[] {
  const widest = Math.max(0, ...row.map(([name]) => name.length));
  const indent = ' '.repeat(widest + 2);
  return row.flatMap(([name, text]) =>
    text.split('\n').map((line, n) => (n === 0 ? name.padEnd(widest + 2) : indent) + line),
  );
}

/** Returns the fields of an object that are one text each; those of objects within it have both names. */
function rowOf(object: unknown, prefix = ''): Row {
  return Object.entries(Object(object) as object).flatMap(([name, field]): Row => {
    const text = textOf(field);
    if (text !== null) return text === '' ? [] : [[prefix + name, text]];
    return Array.isArray(field) ? [] : rowOf(field, `${prefix}${name}.`);
  });
}

/** Returns the fields of an object that are lists of objects. */
function listsOf(object: unknown, prefix = ''): [string, unknown[]][] {
  return Object.entries(Object(object) as object).flatMap(([name, field]) => {
    if (textOf(field) !== null) return [];
    if (Array.isArray(field)) return [[prefix + name, field] as [string, unknown[]]];
    return listsOf(field, `${prefix}${name}.`);
  });
}

const inOneLine = ([name, list]: [string, unknown[]]): Row[number] => [
  name,
  list
    .map((one) =>
      rowOf(one)
        .map(([, text]) => text)
        .join(' '),
    )
    .join('; '),
];

const PENCE = 100;

/** Returns a field as one text; null: it is an object, or a list of them. */
function textOf(field: unknown): string | null {
  if (field === null || field === undefined) return '';
  if (typeof field === 'boolean') return field ? 'yes' : 'no';
  if (typeof field !== 'object') return String(field);
  if (Array.isArray(field))
    return field.some((one) => typeof one === 'object') ? null : field.join(', ');
  const { value, currency } = field as { value?: unknown; currency?: unknown };
  if (currency !== 'GBP' || typeof value !== 'number') return null;
  return `${value < 0 ? '-' : ''}£${(Math.abs(value) / PENCE).toFixed(2)}`;
}
