import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MIGRATIONS, readMigrations } from './migrate.ts';
import { statementsOf } from './statements.ts';

test('a semicolon ends a statement, except in a text, a name, a comment or the body of a function', () => {
  const statements = [
    `SELECT ';', 'it''s; fine', "odd;name";`,
    '\n-- a; comment\nSELECT 1 /* and; another */;',
    '\nCREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN 1; END $$;',
    '\nDO $body$ BEGIN PERFORM $1; PERFORM $$;$$; END $body$;',
    '\nSELECT 6 / 2 - 1;\n',
  ];
  assert.deepEqual(statementsOf(statements.join('')), statements);
  assert.deepEqual(statementsOf('SELECT 1; SELECT 2'), ['SELECT 1;', ' SELECT 2']);
  assert.deepEqual(statementsOf('SELECT 1'), ['SELECT 1']);
});

test('the statements of every migration are its file', async () => {
  for (const { name, sql } of await readMigrations(MIGRATIONS)) {
    const statements = statementsOf(sql);
    assert.equal(statements.join(''), sql, name);
    assert.ok(statements.length >= 1, name);
  }
});
