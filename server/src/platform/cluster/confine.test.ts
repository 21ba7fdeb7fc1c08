import assert from 'node:assert/strict';
import { test } from 'node:test';
import { confine } from './confine.ts';

const confined = (sql: string): string => confine(sql, '= $9').replaceAll(/\s+/g, ' ').trim();

test('each distributed table that is read is confined to the merchants, whatever its alias', () => {
  assert.equal(
    confined(
      'SELECT p.* FROM payments p JOIN schedules AS s USING (merchant_id, schedule_id), consents WHERE true',
    ),
    'SELECT p.* FROM (SELECT * FROM payments WHERE merchant_id = $9) p ' +
      'JOIN (SELECT * FROM schedules WHERE merchant_id = $9) AS s USING (merchant_id, schedule_id), ' +
      '(SELECT * FROM consents WHERE merchant_id = $9) consents WHERE true',
  );
});

test('reference tables, tables of the coordinator, functions and columns stay as they are', () => {
  const sql =
    'SELECT accounts FROM merchants m, bank_stops, unnest($1::text[]) AS payments_of (payments)';
  assert.equal(confined(sql), sql);
});

test('changed rows are confined by their condition, with every alternative in it', () => {
  assert.equal(
    confined(
      'UPDATE payments p SET status = $1 FROM attempts a WHERE p.x = a.x OR true RETURNING p.x',
    ),
    'UPDATE payments p SET status = $1 FROM (SELECT * FROM attempts WHERE merchant_id = $9) a ' +
      'WHERE p.merchant_id = $9 AND ( p.x = a.x OR true ) RETURNING p.x',
  );
  assert.equal(
    confined(
      'WITH w AS (DELETE FROM payment_work w USING n WHERE w.id = n.id) DELETE FROM notices',
    ),
    'WITH w AS (DELETE FROM payment_work w USING n WHERE w.merchant_id = $9 AND ( w.id = n.id) ) ' +
      'DELETE FROM notices WHERE notices.merchant_id = $9',
  );
});

test('a claim is confined in the query for its rows and in the rows', () => {
  assert.equal(
    confined(
      'UPDATE refunds t SET due_at = $1 WHERE t.ctid = ANY (ARRAY(SELECT ctid FROM refunds t WHERE due FOR UPDATE))',
    ),
    'UPDATE refunds t SET due_at = $1 WHERE t.merchant_id = $9 AND ( t.ctid = ANY (ARRAY(SELECT ctid ' +
      'FROM (SELECT ctid, * FROM refunds WHERE merchant_id = $9) t WHERE due FOR UPDATE)))',
  );
});

test('inserted rows of a query return something, because Citus copies them otherwise', () => {
  assert.equal(
    confined(
      'INSERT INTO events (a) SELECT * FROM unnest($1::text[]) ON CONFLICT (a) DO UPDATE SET a = 1',
    ),
    'INSERT INTO events (a) SELECT * FROM unnest($1::text[]) ON CONFLICT (a) DO UPDATE SET a = 1 RETURNING 1',
  );
  for (const sql of [
    'INSERT INTO events (a) VALUES ($1)',
    'INSERT INTO events (a) SELECT 1 RETURNING a',
  ])
    assert.equal(confined(sql), sql);
});

test('a query named like a table is not that table', () => {
  const sql = 'WITH payments AS (SELECT 1) SELECT * FROM payments';
  assert.equal(confined(sql), sql);
});

test('comments and texts in quotes are not read as SQL', () => {
  const sql = `/* before: UPDATE attempts a */ SELECT 'DELETE FROM payments' -- FROM events`;
  assert.equal(confined(sql), sql);
});

for (const sql of [
  'SELECT * FROM public.payments',
  'SELECT * FROM public . payments',
  'SELECT * FROM "payments"',
  'SELECT * FROM "public"."payments"',
  'SELECT * FROM "public".payments',
  'SELECT * FROM refunds, public.payments',
  'UPDATE public.payments SET status = $1',
  'DELETE FROM "payments" WHERE true',
  'INSERT INTO public.payments SELECT 1',
  'TABLE payments',
  'SELECT 1; TABLE payments',
  'WITH x AS (TABLE payments) SELECT * FROM x',
  'MERGE INTO payments p USING refunds r ON true WHEN MATCHED THEN DELETE',
  'WITH x AS (SELECT 1) MERGE INTO payments USING x ON true WHEN MATCHED THEN DELETE',
  'UPDATE ONLY payments SET status = $1',
  'DELETE FROM ONLY payments',
  'SELECT * FROM ONLY payments',
  'SELECT * FROM ONLY (payments)',
  "SELECT E'\\'' FROM payments",
  "SELECT e'\\' ' , * FROM payments",
  "SELECT U&'\\0027' FROM payments",
  "SELECT $$ ' $$ FROM payments",
  "SELECT $tag$ ' $tag$ FROM payments",
  "SELECT 'no end FROM payments",
  'SELECT 1 /* a /* b */ c */ FROM payments',
  'SELECT 1 /* no end FROM payments',
  'TRUNCATE payments',
  'COPY payments TO STDOUT',
  'LOCK TABLE payments',
  'LOCK payments',
  'DROP TABLE payments',
  'SELECT * INTO payments FROM refunds',
])
  test(`what is not understood is refused: ${sql}`, () => {
    assert.throws(() => confine(sql, '= $9'), /cannot be confined to a merchant/);
  });

for (const sql of [
  "SET LOCAL lock_timeout = '5s'",
  'SELECT set_config($1, $2, true)',
  "SELECT E'\\'' FROM merchants",
  'SELECT pg_notify($1, $2)',
])
  test(`what names no distributed table stays as it is: ${sql}`, () => {
    assert.equal(confine(sql, '= $9'), sql);
  });
