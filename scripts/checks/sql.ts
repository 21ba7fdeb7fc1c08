import { findAll, type Rule, type SourceFile, type Violation, withoutComments } from './files.ts';
import { isProductCode } from './layout.ts';

const STATEMENT = new RegExp(
  [
    String.raw`\bSELECT\s+[\w*("$]`,
    String.raw`\bINSERT\s+INTO\s+\w`,
    String.raw`\bDELETE\s+FROM\s+\w`,
    String.raw`\bUPDATE\s+\w+\s+(AS\s+\w+\s+|[a-z]\w*\s+)?SET\b`,
    String.raw`\bWITH\s+\w+\s+AS\s*\(`,
  ].join('|'),
  'g',
);

/** Whether a text without comments contains an SQL statement. */
export const hasStatement = (text: string): boolean => text.search(STATEMENT) >= 0;

/** Where SQL is forbidden, each with the place where it belongs instead. */
const FORBIDDEN: ReadonlyArray<readonly [RegExp, string]> = [
  [/^server\/src\/.*\broutes\.ts$/, 'a route calls its service'],
  [/^server\/src\/.*\bviews?\.ts$/, 'a view shows what it is given'],
  [/^server\/src\/portal\/pages\//, 'a page shows what it is given'],
  [/^server\/src\/app\//, 'app only wires; the SQL of a slice stands in its store'],
  [/^sandbox\/.*\bviews?\.ts$/, 'a view shows what it is given'],
  [/^(sdk|dashboard)\//, 'only the server and the sandbox keep data'],
];

/** Files of the server that may contain SQL: stores, by their name, the platform, the laws (each is a query), and the sandbox. */
const HOLDS_SQL = /[/-]store\.ts$|^server\/src\/(platform|laws|sandbox)\//;

/**
 * A change of rows chosen by a joined query with a limit. PostgreSQL may run that query more than once, and then changes more
 * rows.
 */
const JOINED_LIMIT =
  /\b(UPDATE|DELETE FROM)\s[^`]*?\b(IN|FROM)\s*\(\s*SELECT\b[^`]*?\b(LIMIT|SKIP LOCKED)\b/g;

function checkFile({ path, text }: SourceFile): Violation[] {
  const sql = withoutComments(text);
  const isLost = path.startsWith('server/src/') && !HOLDS_SQL.test(path);
  const reason =
    FORBIDDEN.find(([place]) => place.test(path))?.[1] ??
    (isLost ? 'it stands in a store of the slice' : undefined);
  return [
    ...findAll(path, sql, JOINED_LIMIT, () => 'a limit that does not hold: see oneOf()'),
    ...(reason === undefined
      ? []
      : findAll(path, sql, STATEMENT, (found) => `SQL (${found}): ${reason}`)),
  ];
}

/** SQL belongs in the stores of the server's slices (and in the sandbox's books), and changes no more rows than its limit. */
export const sqlRule: Rule = {
  name: 'sql',
  check: (files) => files.filter(({ path }) => isProductCode(path)).flatMap(checkFile),
};
