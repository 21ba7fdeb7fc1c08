import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { showAccountChanges } from '../../server/src/dashboard/settlement-account/service.ts';
import {
  applyDueChange,
  requestAccountChange,
} from '../../server/src/merchants/settlement-account/settlement-account-service.ts';
import { findPendingChange } from '../../server/src/merchants/settlement-account/settlement-account-store.ts';
import { removeMember } from '../../server/src/merchants/team/service.ts';
import { createUser } from '../../server/src/merchants/team/users.ts';
import type { Tx } from '../../server/src/platform/db/db.ts';
import { type Harness, openHarness } from '../../server/test-support/harness.ts';
import { setSecondFactor, trust } from '../../server/test-support/team-member.ts';

let h: Harness;
before(async () => {
  h = await openHarness();
});
after(() => h.close());

const asked = (tx: Tx, actorId: string) => ({
  tx,
  now: h.clock.at,
  merchantId: h.merchantId,
  actorId,
});

async function owner(name: string): Promise<string> {
  const wanted = { email: `${name}@fernhill.example`, name, role: 'owner' } as const;
  const made = await h.db.transaction((tx) =>
    createUser(h.platform, asked(tx, 'operator:test'), wanted),
  );
  await trust(h.db, made.userId);
  await setSecondFactor(h.db, made.userId);
  return made.userId;
}

const request = (tx: Tx, userId: string) =>
  requestAccountChange(
    h.platform,
    asked(tx, userId),
    { name: 'Fernhill Gym Ltd', sortCode: '200000', accountNumber: '55779911' },
    null,
  );

const remove = (userId: string, by: string) =>
  h.db.transaction((tx) => removeMember(h.platform, asked(tx, by), userId));

const pending = () => h.db.read((tx) => findPendingChange(tx, h.platform.vault, h.merchantId));

test('an owner who is removed while their password is checked asks for no change of the account', async () => {
  const [boss, gone] = [await owner('boss'), await owner('early')];
  await remove(gone, boss);
  await assert.rejects(
    h.db.forMerchant(h.merchantId, (tx) => request(tx, gone)),
    { code: 'forbidden' },
  );
  assert.equal(await pending(), null);
});

test('a change that is being stored while its owner is removed ends with the ownership', async () => {
  const [boss, gone] = [await owner('chief'), await owner('late')];
  let removing: Promise<void> | undefined;
  await h.db.forMerchant(h.merchantId, async (tx) => {
    await request(tx, gone);
    removing ??= remove(gone, boss);
    await Promise.race([removing, setTimeout(300)]);
  });
  await removing;
  assert.equal(await pending(), null);
});

test('the account is shown while pay-outs wait for one that somebody asked for who has left', async () => {
  const [boss, gone] = [await owner('head'), await owner('former')];
  await h.db.forMerchant(h.merchantId, (tx) => request(tx, gone));
  await h.db.transaction((tx) =>
    applyDueChange(h.platform, { ...asked(tx, gone), now: h.clock.at.add({ hours: 25 }) }),
  );
  await remove(gone, boss);
  const shown = await h.db.forMerchant(h.merchantId, (tx) =>
    showAccountChanges(h.platform, asked(tx, boss)),
  );
  assert.match(shown.hold?.why_not_release ?? '', /not on the team any more/);
});
