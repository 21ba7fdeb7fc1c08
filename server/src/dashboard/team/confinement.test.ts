import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeUser, openPlace, type Place } from '../../../test-support/slices/visitor.ts';

let place: Place;

before(async () => {
  place = await openPlace();
});
after(() => place.close());

test('row-level security keeps teams apart and people out of reach, whatever a statement asks for', async () => {
  const owner = await makeUser(place);
  const other = await makeUser(place);
  const { db } = place.platform;
  const ask = (sql: string, values: string[] = []) =>
    db.forMerchant(owner.merchantId, (tx) => tx.rows<Record<string, unknown>>(sql, values));
  for (const table of ['members', 'team_members', 'team_memberships', 'invitations'])
    assert.deepEqual(
      (await ask(`SELECT DISTINCT merchant_id FROM ${table}`)).filter(
        (row) => row.merchantId !== owner.merchantId,
      ),
      [],
      table,
    );
  for (const table of [
    'users',
    'sessions',
    'credentials',
    'two_factors',
    'used_codes',
    'passkeys',
    'verifications',
  ])
    await assert.rejects(ask(`SELECT * FROM ${table}`), /permission denied/, table);
  await assert.rejects(ask('SELECT * FROM user_links'), /permission denied/);
  const link = `INSERT INTO user_links (token_hash, user_id, purpose, expires_at, merchant_id, made_by)
    VALUES (decode('00', 'hex'), $1, $2, now(), $3, $4)`;
  const [ours, theirs] = [
    [owner.merchantId, owner.userId],
    [other.merchantId, other.userId],
  ];
  for (const values of [
    [other.userId, 'set_password', ...ours],
    [other.userId, 'set_password', ...theirs],
    [owner.userId, 'set_password', ...theirs],
    [owner.userId, 'sign_in', ...ours],
  ])
    await assert.rejects(ask(link, values), /row-level security/);
  const unsigned = `INSERT INTO user_links (token_hash, user_id, purpose, expires_at)
    VALUES (decode('00', 'hex'), $1, 'set_password', now())`;
  await assert.rejects(ask(unsigned, [owner.userId]), /row-level security/);
  const join = `INSERT INTO members (merchant_id, user_id, role, joined_at) VALUES ($1, $2, 'owner', now())`;
  await assert.rejects(ask(join, [owner.merchantId, other.userId]), /permission denied/);
});
