import { findAll, type Rule, withoutComments } from './files.ts';
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

/** Where no SQL may stand, each with the place where it belongs instead. */
const FORBIDDEN: ReadonlyArray<readonly [RegExp, string]> = [
  [/^server\/src\/.*\broutes\.ts$/, 'a route calls its service'],
  [/^server\/src\/.*\bviews?\.ts$/, 'a view shows what it is given'],
  [/^server\/src\/portal\/pages\//, 'a page shows what it is given'],
  [/^server\/src\/app\//, 'app only wires; the SQL of a slice stands in its store'],
  [/^sandbox\/.*\bviews?\.ts$/, 'a view shows what it is given'],
  [/^(sdk|dashboard)\//, 'only the server and the sandbox keep data'],
];

/** SQL stands in the stores and stages of the server's slices (and in the sandbox's own books). */
export const sqlRule: Rule = {
  name: 'sql',
  check: (files) =>
    files
      .filter(({ path }) => isProductCode(path))
      .flatMap(({ path, text }) => {
        const reason = FORBIDDEN.find(([place]) => place.test(path))?.[1];
        if (reason === undefined) return [];
        return findAll(path, withoutComments(text), STATEMENT, (sql) => `SQL (${sql}): ${reason}`);
      }),
};
