import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  deregister,
  type RegistrationInput,
  register,
} from '../../server/src/merchants/sign-in/sso/service.ts';
import { createUser } from '../../server/src/merchants/team/users.ts';
import { openContent } from '../../server/src/notices/notify.ts';
import type { AskedBy } from '../../server/src/platform/platform.ts';
import { actorOf } from '../../server/src/platform/state/actor.ts';
import { type Harness, openHarness } from '../../server/test-support/harness.ts';

let h: Harness;
let sam: string;
before(async () => {
  h = await openHarness();
  sam = await member('owner', 'Sam Fern');
  await member('owner', 'Kim Fern');
  await member('developer', 'Robin Fern');
});
after(() => h.close());

const asked = (actorId: string) => ({ now: h.clock.at, merchantId: h.merchantId, actorId });

async function member(role: 'owner' | 'developer', name: string): Promise<string> {
  const email = `${name.split(' ')[0]?.toLowerCase()}@fernhill.example`;
  const user = { email, name, role };
  const { platform, db } = h;
  return (
    await db.transaction((tx) => createUser(platform, { tx, ...asked('operator:test') }, user))
  ).userId;
}

/** Does this as Sam; returns the facts of each email that it caused, and who gets it. */
async function told(change: (asked: AskedBy) => Promise<void>): Promise<object[]> {
  const { platform, db, merchantId } = h;
  const before = await notices();
  await db.forMerchant(merchantId, (tx) => change({ tx, ...asked(sam) }), { actor: actorOf(sam) });
  return (await notices())
    .filter(({ noticeId: id }) => !before.some((one) => one.noticeId === id))
    .map(({ noticeId: id, content }) => openContent(platform.vault, id, content))
    .map(({ to, facts }) => ({ to: 'email' in to && to.email, ...facts }))
    .sort((a, b) => String(a.to).localeCompare(String(b.to)));
}

const notices = () =>
  h.db.read((tx) =>
    tx.rows<{ noticeId: string; content: string }>(
      `SELECT notice_id, content FROM notices WHERE kind = 'sso_changed'`,
    ),
  );

const FIRST: RegistrationInput = {
  issuer: 'https://login.fernhill.example',
  clientId: 'recollect',
  clientSecret: 'a secret',
  isRequired: false,
};
const save = (change: Partial<RegistrationInput> = {}) =>
  told((by) => register(h.platform, by, { ...FIRST, ...change }));
/** The merchant's own address hears what owners hear. */
const owners = (facts: object) =>
  ['help@fernhill.example', 'kim@fernhill.example', 'sam@fernhill.example'].map((to) => ({
    to,
    by: 'Sam Fern',
    ...facts,
  }));

test('every owner gets an email that names who changed or removed single sign-on', async () => {
  const { issuer, clientId } = FIRST;
  const rule = 'It is optional.';
  assert.deepEqual(await save(), owners({ issuer, client_id: clientId, rule }));
  assert.deepEqual(await save(), [], 'nothing is new');
  assert.deepEqual(await save({ clientSecret: null }), [], 'the stored secret stays');
  assert.equal((await save({ clientSecret: 'another secret' })).length, 3);
  const elsewhere = 'https://login.evil.example';
  assert.deepEqual(
    await save({ issuer: elsewhere }),
    owners({ issuer: elsewhere, client_id: clientId, rule }),
  );
  const end = () => told((by) => deregister(h.platform, by));
  assert.deepEqual(await end(), owners({ ended: elsewhere }));
  await assert.rejects(end(), { code: 'not_found' });
  assert.equal((await notices()).length, 12);
});
