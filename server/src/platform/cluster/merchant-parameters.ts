/** What a bound value is: a merchant's id; something else, whatever it looks like; or unknown, where the text does not say. */
type Meaning = 'merchant' | 'other';

/** The names under which a merchant's id stands in our statements. */
const MERCHANT = new Set(['merchant_id', 'm', 'merchant']);
const COMPARISON = /(\w+)\s*(=|<>|<=|>=|<|>|\bI?LIKE\b)\s*(?:(?:ANY|ALL)\s*\(\s*)?\$(\d+)/gi;
const UNNEST =
  /\bunnest\s*\(([^()]*(?:\([^()]*\)[^()]*)*)\)(?:\s+WITH\s+ORDINALITY)?\s+(?:AS\s+)?\w+\s*\(([^)]*)\)/gi;
const IN_LIST =
  /\(([\w\s,.]+)\)\s*(?:=|IN)\s*\(\s*(?:SELECT\s+\*\s+FROM\s+unnest\s*\(([^()]*)\)|(\$[^()]*))/gi;
const INSERT = /\bINSERT\s+INTO\s+\w+(?:\s+AS\s+\w+)?\s*\(([^)]*)\)\s*(VALUES|SELECT)\s/gi;
const PARAMETER = /^\$(\d+)(?:::[\w\s]+(?:\[\])?)?$/;

/**
 * Returns which parameters of a statement are ids of merchants, by the columns that they are compared with, inserted into or
 * named by. A parameter that is missing in the result is of unknown meaning. A text that a merchant wrote is `other`, even if it
 * has the form of an id.
 */
export function meaningsOf(sql: string): ReadonlyMap<number, Meaning> {
  const found = new Map<number, Meaning>();
  const note = (place: string | undefined, column: string): void => {
    const [, number] = PARAMETER.exec((place ?? '').trim()) ?? [];
    if (number === undefined) return;
    const isMerchant = MERCHANT.has(column.trim().toLowerCase());
    if (isMerchant) found.set(Number(number), 'merchant');
    else if (!found.has(Number(number))) found.set(Number(number), 'other');
  };
  for (const [, column = '', operator, number] of sql.matchAll(COMPARISON))
    note(`$${number}`, operator === '=' ? column : `${column} of an order`);
  for (const [, values = '', columns = ''] of sql.matchAll(UNNEST)) {
    const names = columns.split(',');
    for (const [place, value] of items(values).entries()) note(value, names[place] ?? '');
  }
  for (const [, columns = '', listed, alone = ''] of sql.matchAll(IN_LIST)) {
    const names = columns.split(',').map((name) => name.split('.').at(-1) ?? '');
    for (const [place, value] of items(listed ?? alone).entries()) note(value, names[place] ?? '');
  }
  for (const insert of sql.matchAll(INSERT)) {
    const [whole, columns = '', form = ''] = insert;
    const values = insertedBy(sql.slice(insert.index + whole.length), form.toUpperCase());
    const names = columns.split(',');
    for (const [place, value] of values.entries()) note(value, names[place] ?? '');
  }
  return found;
}

/** Returns the values of an INSERT in order, as far as they can be read: of the first row, or of its SELECT. */
function insertedBy(rest: string, form: string): string[] {
  if (form === 'VALUES') return items(withinParentheses(rest.trimStart()));
  const selected = items(rest.split(/\sFROM\s/i)[0] ?? '');
  const [, listed = ''] = /\sFROM\s+unnest\s*(\([\s\S]*)/i.exec(rest) ?? [];
  const columns = items(withinParentheses(listed));
  return selected.flatMap((one) => (/^(\w+\.)?\*$/.test(one.trim()) ? columns : [one]));
}

/** Returns what stands between the first parenthesis and the one that closes it. */
function withinParentheses(text: string): string {
  let depth = 0;
  for (const [place, character] of [...text].entries()) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (depth === 0) return text.slice(1, place);
  }
  return '';
}

/** Splits a list at its commas, those within parentheses aside. */
function items(list: string): string[] {
  const all = [''];
  let depth = 0;
  for (const character of list) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (character === ',' && depth === 0) all.push('');
    else all[all.length - 1] += character;
  }
  return all;
}
