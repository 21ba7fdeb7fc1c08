import assert from 'node:assert/strict';
import { test } from 'node:test';
import { constraintsRule } from './constraints.ts';

const SCHEMA = `CREATE TABLE wallets (
  CONSTRAINT wallets_pkey PRIMARY KEY (wallet_id),
  CONSTRAINT wallets_known_status CHECK ((status = 'open'::text))
);
CREATE UNIQUE INDEX wallets_one_per_customer ON public.wallets USING btree (customer_id);
`;

/** Returns the rule's violations in a schema, and in code beside it, as `path:line`. */
function broken(schema: string, code = ''): string[] {
  const files = [
    { path: 'server/schema.sql', text: schema },
    { path: 'server/src/wallets/open.ts', text: code },
  ];
  return constraintsRule.check(files).map(({ path, line }) => `${path}:${line}`);
}

test('constraints: names that say what they want pass, and code may ask for them', () => {
  assert.deepEqual(broken(SCHEMA), []);
  assert.deepEqual(broken(SCHEMA, "if (violates(error, 'wallets_one_per_customer')) return;"), []);
});

test('constraints: a name that PostgreSQL made up is found', () => {
  for (const name of [
    'check',
    'check1',
    'status_check',
    'customer_id_key',
    'customer_id_fkey2',
    'excl',
  ])
    assert.deepEqual(
      broken(SCHEMA.replace('wallets_known_status', `wallets_${name}`)),
      ['server/schema.sql:3'],
      name,
    );
  assert.deepEqual(broken(SCHEMA.replace('one_per_customer', 'customer_id_idx')), [
    'server/schema.sql:5',
  ]);
});

test('constraints: code that asks for a name the schema does not have is found', () => {
  assert.deepEqual(broken(SCHEMA, "\nif (violates(error, 'wallets_check')) return;"), [
    'server/src/wallets/open.ts:2',
  ]);
});
