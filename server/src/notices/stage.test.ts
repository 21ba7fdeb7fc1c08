import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import {
  headerOf,
  type MailServer,
  plainTextOf,
  startMailServer,
} from '../../test-support/mail-server.ts';
import { LARCH_PAY } from '../../test-support/settings/brand.ts';
import { type OwnPlatform, ownPlatform } from '../../test-support/slices/platform.ts';
import { createMerchant, updateMerchant } from '../merchants/service.ts';
import { createUser } from '../merchants/team/users.ts';
import { readConfig } from '../platform/config/config.ts';
import { type Engine, makeEngine } from '../platform/engine/engine.ts';
import type { NewNotice } from '../platform/state/notify.ts';
import { type Mail, makeMail } from './mail.ts';
import { makeNotify } from './notify.ts';
import { noticesStage } from './stage.ts';

let server: MailServer;
let platform: OwnPlatform;
let mail: Mail;
let engine: Engine;
let merchantId: string;

before(async () => {
  server = await startMailServer();
  const own = await ownPlatform({
    smtpUrl: server.url,
    mailFrom: 'notices@pay.example',
    brand: readConfig(LARCH_PAY).brand,
    baseUrl: 'https://pay.example',
  });
  platform = Object.assign(own, { notify: makeNotify(own) });
  mail = makeMail(platform.config) ?? assert.fail('no mail');
  engine = makeEngine(platform.db, platform.clock, platform.log, [
    noticesStage(platform, { mail, texts: null }),
  ]);
  ({ merchantId } = await createMerchant(platform, MERCHANT, async () => undefined));
  for (const [name, role] of TEAM)
    await platform.db.transaction((tx) =>
      createUser(
        platform,
        { tx, now: platform.clock.now(), merchantId, actorId: 'operator:test' },
        { email: `${name}@fernhill.example`, name, role },
      ),
    );
  await engine.drain();
  server.received.length = 0;
});
afterEach(() => {
  server.received.length = 0;
  server.refusals.length = 0;
});
after(async () => {
  mail.close();
  await server.close();
  await platform.drop();
});

const MERCHANT = {
  name: 'Fernhill Gym',
  legalName: 'Fernhill Gym Ltd',
  email: 'hello@fernhill.example',
  website: 'https://fernhill.example',
  address: '1 High Street, Leeds LS1 1AA',
  terms: '',
  settlementAccount: { sortCode: '089999', accountNumber: '66374958', name: 'Fernhill Gym Ltd' },
};
const TEAM = [
  ['kim', 'owner'],
  ['robin', 'owner'],
  ['dev', 'developer'],
  ['reader', 'read_only'],
] as const;

let causes = 0;
const keyMade = (causeId = `key_${++causes}`): NewNotice => ({
  merchantId,
  kind: 'api_key_created',
  causeId,
  facts: { name: 'Billing', hint: 'a1b2' },
});
const tell = (notice: NewNotice, actor = 'operator:Sam') =>
  platform.db.transaction((tx) => platform.notify(tx, platform.clock.now(), [notice]), { actor });
const rows = () =>
  platform.db.read((tx) =>
    tx.rows<{ status: string; attempts: number; error: string | null; content: string }>(
      `SELECT status, attempts, error, content FROM notices WHERE cause_id = $1`,
      [`key_${causes}`],
    ),
  );
const sentTo = () => server.received.flatMap(({ to }) => to).sort();

test('a notice goes to the members whose roles it names, in plain text and HTML', async () => {
  assert.equal(await tell(keyMade()), 2);
  await engine.drain();
  assert.deepEqual(sentTo(), ['kim@fernhill.example', 'robin@fernhill.example']);
  const [email = assert.fail('nothing')] = server.received;
  assert.equal(email.from, 'notices@pay.example');
  assert.equal(headerOf(email, 'Subject'), 'New API key: Billing');
  assert.match(headerOf(email, 'Message-ID'), /^<ntc_\w{22}@pay\.example>$/);
  assert.match(plainTextOf(email), /Sam \(who runs this service\) created the API key “Billing”/);
  assert.match(plainTextOf(email), /\nhttps:\/\/pay\.example\/dashboard\/developers\n/);
  assert.match(email.raw, /text\/html/);
  const [row] = await rows();
  assert.deepEqual([row?.status, row?.attempts], ['sent', 1]);
  assert.doesNotMatch(row?.content ?? '', /Billing|fernhill/, 'it is sealed');
});

test('one cause is told once, however often it is reported, also by two transactions at a time', async () => {
  const notice = keyMade();
  const counts = await Promise.all([tell(notice), tell(notice), tell(notice)]);
  assert.equal(
    counts.reduce((a, b) => a + b),
    2,
  );
  assert.equal(await tell(notice), 0);
  await engine.drain();
  assert.equal(server.received.length, 2);
});

test('a notice whose cause is rolled back is never sent', async () => {
  await assert.rejects(
    platform.db.transaction(async (tx) => {
      await platform.notify(tx, platform.clock.now(), [keyMade()]);
      throw new Error('the cause fails');
    }),
    /the cause fails/,
  );
  await engine.drain();
  assert.equal(server.received.length, 0);
});

test('a mail server that asks for patience is tried again, and gets each email once', async () => {
  server.refusals.push({ code: 451, text: 'Try later' });
  await tell(keyMade());
  await engine.drain();
  assert.equal(server.received.length, 1);
  platform.clock.at = platform.clock.at.add({ minutes: 1 });
  await engine.drain();
  assert.equal(server.received.length, 2);
  assert.equal(new Set(sentTo()).size, 2);
  assert.deepEqual((await rows()).map(({ status, attempts }) => `${status} ${attempts}`).sort(), [
    'sent 1',
    'sent 2',
  ]);
});

test('a notice that a newer version wrote is left for it, and sent once it runs', async () => {
  const notice = keyMade();
  await tell(notice);
  const rename = (from: string, to: string) =>
    platform.db.transaction((tx) =>
      tx.run('UPDATE notices SET kind = $2 WHERE kind = $1 AND cause_id = $3', [
        from,
        to,
        notice.causeId,
      ]),
    );
  await rename('api_key_created', 'of_a_newer_version');
  await engine.drain();
  assert.deepEqual(
    (await rows()).map(({ status, attempts }) => [status, attempts]),
    Array(2).fill(['pending', 1]),
  );
  assert.equal(server.received.length, 0);
  await rename('of_a_newer_version', 'api_key_created');
  platform.clock.at = platform.clock.at.add({ minutes: 1 });
  await engine.drain();
  assert.equal(server.received.length, 2);
});

test('an address that the mail server refuses for good is given up at once, and others get theirs', async () => {
  server.refusals.push({ code: 550, text: 'No such person' });
  await tell(keyMade());
  await engine.drain();
  assert.equal(server.received.length, 1);
  const failed = (await rows()).find(({ status }) => status === 'failed');
  assert.match(failed?.error ?? '', /No such person/);
  platform.clock.at = platform.clock.at.add({ hours: 24 });
  assert.equal((await engine.drain()).done, 0);
});

test('a mail server that never accepts is tried seven times and no more', async () => {
  for (let i = 0; i < 14; i++) server.refusals.push({ code: 421, text: 'Busy' });
  await tell(keyMade());
  for (let i = 0; i < 10; i++) {
    await engine.drain();
    platform.clock.at = platform.clock.at.add({ hours: 12 });
  }
  assert.deepEqual(
    (await rows()).map(({ status, attempts }) => [status, attempts]),
    [
      ['failed', 7],
      ['failed', 7],
    ],
  );
  assert.equal(server.refusals.length, 0);
});

test('an email to a team comes from the service by its name, with its logo, and is answered to its help', async () => {
  await tell(keyMade());
  await engine.drain();
  const [email] = server.received;
  assert.ok(email !== undefined);
  assert.equal(headerOf(email, 'From'), 'Larch Pay <notices@pay.example>');
  assert.equal(headerOf(email, 'Reply-To'), 'help@larch.example');
  const [, cid] = /^Content-Id: <(.+)>/im.exec(email.raw) ?? [];
  assert.ok(cid !== undefined && email.raw.replaceAll('=\r\n', '').includes(`cid:${cid}`));
});

test('a kind that is turned off is not written, but one that protects the account is', async () => {
  await platform.db.transaction((tx) =>
    tx.run(
      `INSERT INTO notices_off (merchant_id, kind) VALUES ($1, 'api_key_created'), ($1, 'owners_changed')`,
      [merchantId],
    ),
  );
  assert.equal(await tell(keyMade()), 0);
  const facts = { change: 'is now an owner' };
  assert.equal(
    await tell({ merchantId, kind: 'owners_changed', causeId: 'x', facts, memberId: 'nobody' }),
    3, // two owners and the merchant's own address
  );
});

test('an address that was the merchant’s own goes on hearing of its owners, however often it is changed', async () => {
  for (const email of ['second@fern.example', 'third@fern.example'])
    await platform.db.transaction((tx) => updateMerchant(platform, tx, merchantId, { email }));
  const facts = { change: 'is now an owner' };
  assert.equal(
    await tell({ merchantId, kind: 'owners_changed', causeId: 'y', facts, memberId: 'nobody' }),
    5, // two owners, the address now, and the two before
  );
});
