import { contractOf } from '../../server/src/platform/db/migrate.ts';
import type { Rule, SourceFile, Violation } from './files.ts';

/** The first migration. From the one after it on, the previous version works on beside the new one. */
const BASE = '0156_recollect';
const FOLDER = /^server\/migrations\/(\d{4}_[a-z0-9_]+)\.sql$/;
/** A reason why something below harms no older version. */
const SAFE = /^-- Safe beside the previous version: \S.+$/m;

/** What breaks a version that does not know the migration: it uses what is gone, or writes what is refused. */
const CONTRACTING: readonly { pattern: RegExp; what: string }[] = [
  { pattern: /\bDROP (?!NOT NULL|EXPRESSION|IDENTITY)/, what: 'drops what older versions may use' },
  { pattern: /\bTRUNCATE\b/, what: 'empties a table that older versions read' },
  { pattern: /\bRENAME\b/, what: 'renames what older versions use' },
  { pattern: /\bALTER (COLUMN )?\w+ (SET DATA )?TYPE\b/, what: 'changes the type of a column' },
  { pattern: /\bSET NOT NULL\b/, what: 'refuses rows that older versions write' },
  {
    pattern:
      /\bADD (?!CONSTRAINT\b|CHECK\b)(?=(?:(?!\bADD ).)*\bNOT NULL\b)(?!(?:(?!\bADD ).)*\b(?:DEFAULT|GENERATED)\b)/,
    what: 'adds a column that older versions do not fill: give it a default',
  },
  {
    pattern: /\bADD (?:CONSTRAINT|CHECK|UNIQUE|PRIMARY KEY|FOREIGN KEY|EXCLUDE)\b/,
    what: 'refuses rows that older versions may write',
  },
  { pattern: /\bCREATE UNIQUE INDEX\b/, what: 'refuses rows that older versions may write' },
  {
    pattern: /\bCREATE (?:OR REPLACE )?(?:CONSTRAINT )?TRIGGER\b/,
    what: 'changes what a write of older versions does',
  },
  { pattern: /\bREPLACE FUNCTION\b/, what: 'changes what a function of older versions does' },
  {
    pattern: /\bAS RESTRICTIVE\b|\b(?:ENABLE|FORCE) ROW LEVEL SECURITY\b/,
    what: 'hides rows from older versions',
  },
  { pattern: /\bREVOKE\b/, what: 'takes a right that older versions may need' },
];

/** The last migration before the first release: no released version reads less than what it and those before it permit. */
const UNRELEASED = '0198_bank_condition_changes';
/** `CONSTRAINT payments_known_status CHECK (status IN ('new', …))`: its name, and its values. */
const SET = /\bCONSTRAINT (\w+)\s+CHECK \(\w+ IN \(([^)]*)\)\)/g;
const READ_SINCE = /^-- Read since (\d+\.\d+\.\d+): (.+)\.$/m;

const TABLE =
  /\b(?:ALTER TABLE(?: IF EXISTS)?(?: ONLY)?|\bON|TRUNCATE(?: TABLE)?) (?:public\.)?"?(\w+)/;

/** Returns the statements of a migration, each on one line and with the line where it begins; texts and comments are blank. */
function statementsOf(sql: string): { line: number; text: string }[] {
  const blank = (found: string): string => found.replace(/[^\n]/g, ' ');
  const bare = sql.replace(
    /--.*$|\/\*[\s\S]*?\*\/|\$(\w*)\$[\s\S]*?\$\1\$|'(?:[^']|'')*'/gm,
    blank,
  );
  const found: { line: number; text: string }[] = [];
  let at = 0;
  for (const text of bare.split(';')) {
    const begins = at + text.length - text.trimStart().length;
    found.push({
      line: bare.slice(0, begins).split('\n').length,
      text: text.replace(/\s+/g, ' ').trim().toUpperCase(),
    });
    at += text.length + 1;
  }
  return found.filter(({ text }) => text !== '');
}

/** Returns why a migration harms a version that does not know it. What concerns only its own new tables harms nobody. */
function harms(path: string, sql: string): Violation[] {
  const statements = statementsOf(sql);
  const made = new Set(
    statements.map(
      ({ text }) => /^CREATE TABLE (?:IF NOT EXISTS )?(?:PUBLIC\.)?"?(\w+)/.exec(text)?.[1],
    ),
  );
  return statements
    .filter(({ text }) => !/^CREATE TABLE\b/.test(text))
    .filter(({ text }) => {
      const table = TABLE.exec(text)?.[1];
      return table === undefined || !made.has(table);
    })
    .flatMap(({ line, text }) =>
      CONTRACTING.filter(({ pattern }) => pattern.test(text)).map(({ what }) => ({
        path,
        line,
        message: `${what}. Write what the next release contracts, or why it is safe: CONTRIBUTING.md#changing-the-database`,
      })),
    );
}

/** Returns what is wrong with the line that says which release contracts. */
function wrongContract(
  path: string,
  name: string,
  sql: string,
  files: readonly SourceFile[],
): Violation[] {
  const contract = contractOf(sql);
  if (contract === null) return [];
  const { needs, release } = contract;
  const says: string[] = [];
  if (needs >= name || !files.some((file) => file.path === `server/migrations/${needs}.sql`))
    says.push(`needs ${needs}, which is no earlier migration`);
  const changelog = files.find((file) => file.path === 'CHANGELOG.md')?.text ?? '';
  if (!changelog.includes(`\n## [${release}]`))
    says.push(
      `names release ${release}, which the changelog does not have: contract one release later`,
    );
  return says.map((message) => ({ path, line: 1, message }));
}

const valuesOf = (list: string): string[] =>
  Array.from(list.matchAll(/'([^']*)'/g), (m) => m[1] ?? '');

/** Returns the values that a migration lets into a column, and that the migrations before it refused there. */
function gainedValues(name: string, sql: string, files: readonly SourceFile[]): string[] {
  const earlier = files
    .filter(({ path }) => (FOLDER.exec(path)?.[1] ?? name) < name)
    .sort((a, b) => a.path.localeCompare(b.path));
  const sets = new Map(
    earlier.flatMap(({ text }) => Array.from(text.matchAll(SET), ([, set, list]) => [set, list])),
  );
  return [...sql.matchAll(SET)].flatMap(([, set, list = '']) => {
    const before = sets.get(set);
    return before === undefined
      ? []
      : valuesOf(list).filter((value) => !valuesOf(before).includes(value));
  });
}

/** Returns what is wrong where a set gains a value: a released version reads it before another one writes it. */
function unreadValues(
  path: string,
  name: string,
  sql: string,
  files: readonly SourceFile[],
): Violation[] {
  const gained = name <= UNRELEASED ? [] : gainedValues(name, sql, files);
  if (gained.length === 0) return [];
  const [, release = '', values = ''] = READ_SINCE.exec(sql) ?? [];
  const changelog = files.find((file) => file.path === 'CHANGELOG.md')?.text ?? '';
  const isRead = gained.every((value) => values.split(', ').includes(value));
  if (isRead && changelog.includes(`\n## [${release}]`)) return [];
  return [
    {
      path,
      line: 1,
      message:
        `permits ${gained.join(', ')}, which the previous version cannot read. ` +
        `Once a release does: -- Read since 0.2.0: ${gained.join(', ')}.`,
    },
  ];
}

/** Migrations only expand, so that the previous version works on; one that contracts says since which release it may. */
export const migrationsRule: Rule = {
  name: 'migrations',
  check: (files) =>
    files.flatMap(({ path, text }) => {
      const name = FOLDER.exec(path)?.[1];
      if (name === undefined || name <= BASE) return [];
      const excused = contractOf(text) !== null || SAFE.test(text);
      return [
        ...wrongContract(path, name, text, files),
        ...unreadValues(path, name, text, files),
        ...(excused ? [] : harms(path, text)),
      ];
    }),
};
