import assert from 'node:assert/strict';
import { test } from 'node:test';
import { migrationsRule } from './migrations.ts';

const CHANGELOG = '# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2027-01-01\n';

const FIRST = `CREATE TABLE terms (
  kind text NOT NULL,
  CONSTRAINT terms_known_kind CHECK (kind IN ('daily', 'weekly'))
);`;

/** Returns the rule's violations in one migration, as `line message`. */
function broken(sql: string, name = '0160_next'): string[] {
  const files = [
    { path: 'CHANGELOG.md', text: CHANGELOG },
    { path: 'server/migrations/0156_recollect.sql', text: FIRST },
    { path: `server/migrations/${name}.sql`, text: sql },
  ];
  return migrationsRule.check(files).map(({ line, message }) => `${line} ${message}`);
}

const finds = (sql: string, says: RegExp): void => {
  const found = broken(sql);
  assert.equal(found.length, 1, `${sql}: ${found}`);
  assert.match(found[0] ?? '', says);
};

test('migrations: what only adds passes', () => {
  for (const sql of [
    'ALTER TABLE payments ADD COLUMN note text;',
    'ALTER TABLE payments ADD COLUMN tries int NOT NULL DEFAULT 0, ADD COLUMN note text;',
    'ALTER TABLE payments ADD COLUMN sum int GENERATED ALWAYS AS (1) STORED NOT NULL;',
    'ALTER TABLE payments ALTER COLUMN note DROP NOT NULL;',
    'CREATE INDEX payments_by_note ON payments (note);',
    'GRANT SELECT ON payments TO recollect_api;',
    'CREATE OR REPLACE VIEW totals AS SELECT 1;',
    "COMMENT ON TABLE payments IS 'DROP TABLE payments; RENAME';\n-- DROP TABLE payments;",
    'UPDATE payments SET note = NULL;',
  ])
    assert.deepEqual(broken(sql), [], sql);
});

test('migrations: what an older version would miss, or be refused by, is found', () => {
  finds('ALTER TABLE payments DROP COLUMN note;', /^1 drops what older versions may use/);
  finds('SELECT 1;\n\nDROP TABLE payments;', /^3 drops/);
  finds('ALTER TABLE payments RENAME COLUMN note TO remark;', /renames/);
  finds('ALTER TABLE payments ALTER COLUMN note TYPE int;', /type of a column/);
  finds('ALTER TABLE payments ALTER note SET NOT NULL;', /refuses rows/);
  finds('ALTER TABLE payments ADD COLUMN tries int NOT NULL;', /give it a default/);
  finds(
    'ALTER TABLE payments ADD COLUMN a int DEFAULT 1, ADD COLUMN tries int NOT NULL;',
    /give it a default/,
  );
  finds('ALTER TABLE payments ADD CONSTRAINT payments_small CHECK (tries < 9);', /refuses rows/);
  finds('CREATE UNIQUE INDEX payments_one ON payments (note);', /refuses rows/);
  finds('create trigger t before insert on payments execute function f();', /what a write/);
  finds('ALTER TABLE payments ENABLE ROW LEVEL SECURITY;', /hides rows/);
  finds('REVOKE INSERT ON payments FROM recollect_api;', /takes a right/);
  finds('TRUNCATE payments;', /empties/);
});

test('migrations: a table that the same migration makes may have any rule', () => {
  const sql = `CREATE TABLE notes (id text NOT NULL, CONSTRAINT notes_id CHECK (id <> ''));
    CREATE UNIQUE INDEX notes_one ON notes (id);
    ALTER TABLE notes ENABLE ROW LEVEL SECURITY;`;
  assert.deepEqual(broken(sql), []);
});

test('migrations: a reason, or a release that no longer uses it, allows what is taken away', () => {
  const drop = 'ALTER TABLE payments DROP COLUMN note;';
  assert.deepEqual(broken(`-- Contracts: needs 0156_recollect, released in 0.2.0.\n${drop}`), []);
  assert.deepEqual(
    broken(`-- Safe beside the previous version: nothing ever used this column.\n${drop}`),
    [],
  );
});

test('migrations: what expands and what contracts cannot come in one release', () => {
  const [found] = broken('-- Contracts: needs 0156_recollect, released in 0.3.0.\nSELECT 1;');
  assert.match(found ?? '', /names release 0\.3\.0, which the changelog does not have/);
  const [unknown] = broken('-- Contracts: needs 0159_gone, released in 0.2.0.\nSELECT 1;');
  assert.match(unknown ?? '', /needs 0159_gone, which is no earlier migration/);
});

test('migrations: the first one is left alone', () => {
  assert.deepEqual(broken('DROP TABLE payments;', '0156_recollect'), []);
});

test('migrations: a value that a set gains was read by a release before one writes it', () => {
  const widen = (line: string): string => `${line}
ALTER TABLE terms DROP CONSTRAINT terms_known_kind;
ALTER TABLE terms ADD CONSTRAINT terms_known_kind CHECK (kind IN ('daily', 'weekly', 'yearly')) NOT VALID;`;
  const safe =
    '-- Safe beside the previous version: the new rule takes every row that the old one took.';
  const [unsaid] = broken(widen(safe), '0200_yearly');
  assert.match(unsaid ?? '', /permits yearly, which the previous version cannot read/);
  assert.equal(broken(widen(`${safe}\n-- Read since 0.3.0: yearly.`), '0200_yearly').length, 1);
  assert.equal(broken(widen(`${safe}\n-- Read since 0.2.0: monthly.`), '0200_yearly').length, 1);
  assert.deepEqual(broken(widen(`${safe}\n-- Read since 0.2.0: yearly.`), '0200_yearly'), []);
});
