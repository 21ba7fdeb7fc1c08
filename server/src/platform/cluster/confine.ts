import { type Placement, TABLES } from './tables.ts';

/** Views over distributed tables that show the merchant of each row. */
const VIEWS = [
  'all_delivery_attempts',
  'settlement_debts',
  'settlement_payments',
  'settlement_refund_lines',
  'undelivered_deliveries',
  'wallet_holdings',
];
const DISTRIBUTED: ReadonlySet<string> = new Set([
  ...Object.entries<Placement>(TABLES).flatMap(([name, place]) =>
    place === 'distributed' ? [name] : [],
  ),
  ...VIEWS,
]);

/** A piece of SQL: a word, a mark, or what lies between (spaces, comments, texts in quotes). */
interface Token {
  text: string;
  /** The word in small letters, or the mark; empty: nothing that matters. */
  is: string;
}

const TOKENS = /'(?:[^']|'')*'|"[^"]*"|--[^\n]*|\/\*[\s\S]*?\*\/|\s+|\$\d+|[A-Za-z_][\w.]*|[\s\S]/g;

function tokensOf(sql: string): Token[] {
  return (sql.match(TOKENS) ?? []).map((text) => {
    const isSilent = /^(\s|--|\/\*)/.test(text);
    return { text, is: isSilent ? '' : text.toLowerCase() };
  });
}

/** What follows a table and is not its alias. */
const NO_ALIAS = new Set(
  `where join left right inner cross full natural on using order group limit for set returning union except intersect having
   offset window fetch values default select and or then end , ) ( ;`.split(/\s+/),
);
/** What a table that is read stands behind. */
const BEFORE_TABLE = new Set(['from', 'join', ',', '(', 'using', 'lateral', 'only']);
/** What ends the list of tables of a SELECT. */
const AFTER_TABLES = new Set([
  'where',
  'group',
  'order',
  'limit',
  'set',
  'returning',
  'union',
  'except',
  'select',
  'on',
]);

/** A statement, or one within parentheses. */
interface Level {
  /** What is changed here, if it is one of the distributed tables, by the name that the statement gives it. */
  target: string | null;
  /** Whether rows of a query are inserted, and the statement returns nothing so far. */
  insertsRows: boolean;
  isInserting: boolean;
  /** Whether tables are listed at this point. */
  lists: boolean;
  /** Whether the condition of the changed rows has been opened. */
  isOpen: boolean;
}

const level = (lists: boolean): Level => ({
  target: null,
  insertsRows: false,
  isInserting: false,
  lists,
  isOpen: false,
});

/** What a statement may begin with if it names a distributed table. */
const BEGINNINGS = new Set([
  'select',
  'insert',
  'update',
  'delete',
  'with',
  'values',
  'explain',
  '(',
]);
/** What a table may stand behind, besides those that are read. */
const BEFORE_ANY_TABLE = new Set(['from', 'join', 'into', 'update', 'using', 'table', 'only']);

/** Returns the name of a table without its schema and quotes. */
const bareName = (is: string): string => (is.split('.').at(-1) ?? is).replaceAll('"', '');

/** A word of a statement between its neighbours. */
interface Spot {
  is: string;
  next: string;
  last: string;
  /** Whether nothing stands between it and the word before. */
  isTouching: boolean;
}

/** Whether a word names a distributed table, with its schema or in quotes too. */
const namesTable = (is: string): boolean => DISTRIBUTED.has(bareName(is));

/** The forms that this file does not read as PostgreSQL does. */
const UNKNOWN_FORMS: readonly (readonly [what: string, is: (at: Spot) => boolean])[] = [
  ['a quote has no end', ({ is }) => is === "'" || is === '"'],
  ['a text in dollars', ({ is }) => is === '$' || is.startsWith('$$')],
  [
    'a text with a prefix',
    ({ is, last, isTouching }) => is.startsWith("'") && /^[a-z&]$/.test(last) && isTouching,
  ],
  ['MERGE', ({ is }) => is === 'merge'],
  ['ONLY', ({ is, last }) => is === 'only' && !['row', 'rows', 'read'].includes(last)],
  ['TABLE', ({ is, next }) => is === 'table' && namesTable(next)],
  [
    'a name in quotes or with its schema',
    ({ is, last }) => namesTable(is) && (is.startsWith('"') || last === '.'),
  ],
  [
    'a name with its schema',
    ({ is, last }) =>
      is.startsWith('public.') ||
      (is.includes('.') && namesTable(is) && BEFORE_ANY_TABLE.has(last)),
  ],
  [
    'INTO without INSERT',
    ({ is, last, next }) => is === 'into' && last !== 'insert' && namesTable(next),
  ],
];

/**
 * Throws for whatever this file does not read as PostgreSQL does, if the statement names a distributed table anywhere: a form
 * that is not understood must not run on every node, or on the wrong one, without anybody noticing.
 */
function refuseUnknown(sql: string, tokens: readonly Token[]): void {
  const names = new RegExp(`\\b(?:${[...DISTRIBUTED].join('|')})\\b`, 'i');
  if (!names.test(sql)) return;
  const refuse = (what: string): never => {
    throw new Error(`this form of statement cannot be confined to a merchant, ${what}: ${sql}`);
  };
  const words = tokens.filter(({ is }) => is !== '');
  for (const [place, word] of words.entries()) {
    const { is } = word;
    const [next, last] = [words[place + 1]?.is ?? '', words[place - 1]?.is ?? ''];
    const begins = place === 0 || last === ';';
    if (begins && !BEGINNINGS.has(is)) refuse(`it begins with ${is}`);
    const at = { is, next, last, isTouching: isTouching(tokens, word) };
    for (const [what, isForm] of UNKNOWN_FORMS) if (isForm(at)) refuse(what);
  }
  if (tokens.some(({ text }) => /^\/\*[\s\S]*\/\*/.test(text))) refuse('a comment in a comment');
  if (/\/\*/.test(words.map(({ is }) => is).join(''))) refuse('a comment has no end');
}

/** Whether nothing stands between a token and the one before it. */
const isTouching = (tokens: readonly Token[], token: Token): boolean =>
  tokens[tokens.indexOf(token) - 1]?.is !== '';

/**
 * Confines a statement to merchants of whom `is` says which (`= $5`, `= ANY ($5)`): the condition stands beside each
 * distributed table that it reads or changes, so Citus finds the one shard on which they lie. Returns the statement as it is if
 * it names no such table. Throws for a form that it does not understand.
 */
export function confine(sql: string, is: string): string {
  const text = new Confining(sql, is).text();
  // Behind a fence Citus does not see that the tables of a view have their merchant from its row.
  return VIEWS.some((view) => text.includes(view)) ? text.replaceAll(/\s+OFFSET 0\b/g, '') : text;
}

class Confining {
  readonly #tokens: Token[];
  readonly #is: string;
  /** The columns of PostgreSQL's own that the statement reads, each before a comma. */
  readonly #own: string;
  readonly #ownNames: ReadonlySet<string>;
  readonly #out: string[] = [];
  readonly #levels: Level[] = [level(false)];
  #before: string[] = ['', '', ''];
  #at = 0;

  constructor(sql: string, is: string) {
    this.#tokens = tokensOf(sql);
    refuseUnknown(sql, this.#tokens);
    this.#is = `merchant_id ${is}`;
    this.#own = ['ctid', 'xmin']
      .filter((name) => new RegExp(`\\b${name}\\b`).test(sql))
      .map((name) => `${name}, `)
      .join('');
    // A query named in WITH hides the table of the same name.
    this.#ownNames = new Set(
      [...sql.matchAll(/(\w+)\s*(?:\([\w\s,]*\))?\s+AS\s+(?:NOT\s+)?(?:MATERIALIZED\s+)?\(/gi)].map(
        ([, name = '']) => name.toLowerCase(),
      ),
    );
  }

  text(): string {
    while (this.#at < this.#tokens.length) this.#step();
    this.#endStatement();
    return this.#out.join('');
  }

  get #level(): Level {
    return this.#levels.at(-1) ?? level(false);
  }

  #step(): void {
    const { text, is } = this.#tokens[this.#at++] ?? { text: '', is: '' };
    if (is === '') {
      this.#out.push(text);
      return;
    }
    const [last = '', lastButOne = ''] = this.#before;
    if (is === '(') this.#levels.push(level(this.#isListed(last)));
    if (is === ')' || is === ';') this.#endStatement();
    if (is === 'returning') this.#endRows();
    const wasRead = this.#isTable(is) && this.#isRead(last, lastButOne);
    if (wasRead) this.#out.push(this.#confined(text));
    else this.#out.push(text);
    if (is === ')') this.#levels.pop();
    this.#follow(is, last, lastButOne);
    this.#before = [is, last, lastButOne];
  }

  #isTable(is: string): boolean {
    return DISTRIBUTED.has(is) && !this.#ownNames.has(is);
  }

  /** A parenthesis in a list of tables may hold joined tables. */
  #isListed(last: string): boolean {
    return this.#level.lists && ['from', 'join', ',', '('].includes(last);
  }

  #isRead(last: string, lastButOne: string): boolean {
    if (last === 'from' && lastButOne === 'delete') return false;
    return BEFORE_TABLE.has(last) && (this.#level.lists || last === 'lateral');
  }

  /** Takes in a word: where the statement is now, and what it changes. */
  #follow(is: string, last: string, lastButOne: string): void {
    const here = this.#level;
    const isAfterDelete = last === 'from' && lastButOne === 'delete';
    if (is === 'from' || (is === 'using' && here.target !== null)) here.lists = true;
    else if (is === 'join' || is === 'lateral') here.lists = true;
    else if (AFTER_TABLES.has(is)) here.lists = false;
    if (is === 'into' && last === 'insert') here.isInserting = true;
    if (is === 'select' && here.isInserting) here.insertsRows = true;
    const changes =
      isAfterDelete || (last === 'update' && !['for', 'key', 'do'].includes(lastButOne));
    if (changes && this.#isTable(is)) here.target = this.#alias() ?? is;
    if (is === 'where' && here.target !== null && !here.isOpen) {
      here.isOpen = true;
      this.#out.push(` ${here.target}.${this.#is} AND (`);
    }
  }

  /** The name that the statement gives to the table before this point; null: none. */
  #alias(): string | null {
    const [first, second] = this.#tokens.slice(this.#at).filter(({ is }) => is !== '');
    const name = first?.is === 'as' ? second : first;
    return name === undefined || NO_ALIAS.has(name.is) || !/^[a-z_]/.test(name.is)
      ? null
      : name.text;
  }

  #confined(table: string): string {
    const name = this.#alias() === null ? ` ${table}` : '';
    return `(SELECT ${this.#own}* FROM ${table} WHERE ${this.#is})${name}`;
  }

  /** Ends the condition of the rows that are changed, and gives inserted rows something to return. */
  #endStatement(): void {
    const { insertsRows } = this.#level;
    this.#endRows();
    if (insertsRows) this.#out.push(' RETURNING 1 ');
  }

  #endRows(): void {
    const here = this.#level;
    if (here.target !== null)
      this.#out.push(here.isOpen ? ') ' : ` WHERE ${here.target}.${this.#is} `);
    here.target = null;
    here.insertsRows = false;
  }
}
