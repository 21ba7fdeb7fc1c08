import type { Statement } from './batch.ts';

/** An insertion that may become a part of another one: nobody asks how many rows it inserted. */
export interface Insertion extends Statement {
  isInsertion: true;
}

const isInsertion = (one: Statement | undefined): one is Insertion =>
  one !== undefined && 'isInsertion' in one;

/** Texts of joined insertions by those of their parts: the code has a few sequences of them. */
const texts = new Map<string, string>();

/**
 * Joins insertions that were said one after the other into one statement: PostgreSQL and this process each take some 20 µs for a
 * statement, whatever its rows. One that is said again begins another, so that the code has few sequences, and not one for every
 * number of rows.
 */
export function joinInsertions(
  statements: readonly Statement[],
  nameOf: (sql: string) => string,
): Statement[] {
  const joined: Statement[] = [];
  let parts: Statement[] = [];
  for (const [at, statement] of statements.entries()) {
    parts.push(statement);
    const next = statements[at + 1];
    if (isInsertion(statement) && isInsertion(next) && !parts.some(isSame(next))) continue;
    joined.push(parts.length === 1 ? statement : join(parts, nameOf));
    parts = [];
  }
  return joined;
}

const isSame =
  ({ name }: Statement) =>
  (other: Statement): boolean =>
    other.name === name;

function join(parts: readonly Statement[], nameOf: (sql: string) => string): Statement {
  const text = textOf(parts);
  return {
    name: nameOf(text),
    text,
    values: parts.flatMap(({ values }) => values),
    done: (result) => {
      for (const { done } of parts) done(result);
    },
    failed: (error) => {
      for (const { failed } of parts) failed(error);
    },
  };
}

function textOf(parts: readonly Statement[]): string {
  const key = parts.map(({ name }) => name).join();
  let text = texts.get(key);
  if (text === undefined) {
    text = compose(parts);
    texts.set(key, text);
  }
  return text;
}

/** The last insertion is the statement, the others are its WITH: each keeps its parameters, counted on from those before. */
function compose(parts: readonly Statement[]): string {
  let bound = 0;
  const own = parts.map(({ text, values }) => {
    const before = bound;
    bound += values.length;
    return text.replaceAll(/\$(\d+)/g, (_, n: string) => `$${Number(n) + before}`);
  });
  const last = own.pop() ?? '';
  return `WITH ${own.map((text, n) => `i${n} AS (${text})`).join(', ')} ${last}`;
}
