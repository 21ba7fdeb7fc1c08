import pg from 'pg';
import { type Bound, fieldOf, parsers } from './types.ts';

/** What a statement returned. */
export interface Result {
  rows: object[];
  /** How many rows it read or changed. */
  count: number;
  /** What was done, as PostgreSQL names it: `SELECT`, `COMMIT` … */
  command: string;
}

/** A statement, and who waits for its result. */
export interface Statement {
  /** The name under which a connection prepares it, so that it is parsed once; empty: it is not kept. */
  name: string;
  text: string;
  values: readonly Bound[];
  done(result: Result): void;
  failed(error: Error): void;
}

/** The columns of a statement's rows. */
interface Columns {
  names: readonly string[];
  parse: readonly ((text: string) => unknown)[];
  /** A row of nulls. */
  empty: Readonly<Record<string, unknown>>;
}

/** A statement as one connection knows it. Columns: null until PostgreSQL has described them. */
interface Prepared {
  columns: Columns | null;
  /** Whether a failure left open whether PostgreSQL has it: the next use prepares it again. */
  isDoubtful: boolean;
}

type Described = { fields: readonly { name: string; dataTypeID: number }[] };

const NO_COLUMNS: Columns = { names: [], parse: [], empty: {} };
const prepared = new WeakMap<pg.Connection, Map<string, Prepared>>();

function preparedOn(connection: pg.Connection): Map<string, Prepared> {
  let all = prepared.get(connection);
  if (all === undefined) {
    all = new Map();
    prepared.set(connection, all);
  }
  return all;
}

function columnsOf({ fields }: Described): Columns {
  const names = fields.map(({ name }) => fieldOf(name));
  return {
    names,
    parse: fields.map(({ dataTypeID }) => parsers.getTypeParser(dataTypeID, 'text')),
    empty: Object.fromEntries(names.map((name) => [name, null])),
  };
}

function toRow({ names, parse, empty }: Columns, fields: readonly (string | null)[]): object {
  const row: Record<string, unknown> = { ...empty };
  for (const [n, text] of fields.entries())
    if (text !== null) row[names[n] ?? ''] = parse[n]?.(text);
  return row;
}

/** Reads a command tag: `SELECT 3`, `INSERT 0 3`, `COMMIT`. */
function readTag(tag: string): Pick<Result, 'command' | 'count'> {
  const [command = '', ...numbers] = tag.split(' ');
  return { command, count: Number(numbers.at(-1) ?? 0) || 0 };
}

/**
 * Statements that go to PostgreSQL in one write and come back in one response: each write and each response wakes a process,
 * which costs more than what is in it. PostgreSQL runs them in order, and none after one that failed: those fail with the same
 * error. Outside a transaction block they are one transaction. pg would send and answer each one separately.
 */
export class Batch extends pg.Query {
  readonly #statements: readonly Statement[];
  readonly #over: () => void;
  /** The statement whose results arrive. */
  #at = 0;
  #known: (Prepared | undefined)[] = [];
  readonly #results: (Result | Error)[] = [];
  #rows: object[] = [];
  #unreadable: Error | null = null;

  /** `over` is called when the connection has room for the next batch. */
  constructor(statements: readonly Statement[], over: () => void) {
    super('');
    this.#statements = statements;
    this.#over = over;
  }

  override submit = (connection: pg.Connection): null => {
    const all = preparedOn(connection);
    connection.stream.cork();
    try {
      this.#known = this.#statements.map((statement) => send(connection, all, statement));
      connection.sync();
    } finally {
      connection.stream.uncork();
    }
    return null;
  };

  handleRowDescription(described: Described): void {
    const known = this.#known[this.#at];
    if (known !== undefined) known.columns = columnsOf(described);
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    try {
      this.#rows.push(toRow(this.#known[this.#at]?.columns ?? NO_COLUMNS, fields));
    } catch (error) {
      this.#unreadable ??= error instanceof Error ? error : new Error(String(error));
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    const known = this.#known[this.#at];
    if (known !== undefined) known.columns ??= NO_COLUMNS;
    this.#results.push(this.#unreadable ?? { rows: this.#rows, ...readTag(text) });
    this.#at++;
    this.#rows = [];
    this.#unreadable = null;
  }

  handleError(error: Error): void {
    for (const known of this.#known.slice(this.#at))
      if (known !== undefined) known.isDoubtful = true;
    this.#report();
    for (const { failed } of this.#statements.slice(this.#at)) failed(error);
    this.#over();
  }

  handleReadyForQuery(): void {
    this.#report();
    this.#over();
  }

  /** Passes on the results of the statements that have run. */
  #report(): void {
    for (const [n, result] of this.#results.entries())
      if (result instanceof Error) this.#statements[n]?.failed(result);
      else this.#statements[n]?.done(result);
  }
}

/** Sends a statement; one that the connection does not know is prepared and described first. */
function send(
  connection: pg.Connection,
  all: Map<string, Prepared>,
  { name, text, values }: Statement,
): Prepared {
  const before = all.get(name);
  const isKnown = name !== '' && before !== undefined && !before.isDoubtful;
  const known = isKnown ? before : { columns: null, isDoubtful: false };
  if (!isKnown) {
    if (name !== '' && before !== undefined) connection.close({ type: 'S', name }, true);
    connection.parse({ name, text, types: [] }, true);
    all.set(name, known);
  }
  connection.bind({ statement: name, values: [...values] }, true);
  if (!isKnown) connection.describe({ type: 'P' }, true);
  connection.execute({}, true);
  return known;
}
