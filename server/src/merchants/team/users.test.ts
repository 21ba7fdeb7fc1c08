import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  bareMerchant,
  type OwnPlatform,
  ownPlatform,
} from '../../../test-support/slices/platform.ts';
import { acceptInvitation } from './invitations.ts';
import { createUser } from './users.ts';

let platform: OwnPlatform;
before(async () => {
  platform = await ownPlatform();
});
after(() => platform.drop());

const create = (merchantId: string, email: string, actorId = 'operator:Kim Ash') =>
  platform.db.transaction((tx) => {
    const asked = { tx, now: platform.clock.now(), merchantId, actorId };
    return createUser(platform, asked, { email, name: 'Sam Hill', role: 'owner' });
  });

test('a member of the team is not made again, whatever ways in they have, and loses none', async () => {
  const merchantId = await bareMerchant(platform);
  const { userId } = await create(merchantId, 'sam@fernhill.example');
  const links = () =>
    platform.db.read((tx) => tx.rows('SELECT * FROM user_links WHERE user_id = $1', [userId]));
  const before = await links();
  assert.equal(before.length, 1);
  await assert.rejects(create(merchantId, 'sam@fernhill.example'), {
    code: 'invalid_request',
    details: { email: 'is a member of the team already' },
  });
  assert.deepEqual(await links(), before);
});

test('whom an operator invites is let in by that operator, not by a label', async () => {
  const email = 'pat@fernhill.example';
  const { userId } = await create(await bareMerchant(platform), email);
  const merchantId = await bareMerchant(platform);
  const { url, existing } = await create(merchantId, email, 'operator:Robin Fern');
  assert.equal(existing?.userId, userId);
  const token = new URL(url).searchParams.get('token') ?? '';
  await platform.db.transaction((tx) =>
    acceptInvitation(platform, tx, platform.clock.now(), token, { userId, email }),
  );
  const letIns = await platform.db.read((tx) =>
    tx.rows('SELECT by_id FROM let_ins WHERE person_id = $1 AND merchant_id = $2', [
      userId,
      merchantId,
    ]),
  );
  assert.deepEqual(letIns, [{ byId: 'shell:Robin Fern' }]);
});
