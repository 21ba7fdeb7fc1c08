import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createUser } from '../../server/src/merchants/team/users.ts';
import { DashboardVisitor } from '../../server/test-support/dashboard-visitor.ts';
import {
  headerOf,
  linkOf,
  type MailServer,
  plainTextOf,
  type ReceivedEmail,
  startMailServer,
} from '../../server/test-support/mail-server.ts';
import { startTestService, type TestService } from '../../server/test-support/service.ts';
import { setUpFactor, trust } from '../../server/test-support/team-member.ts';

const PASSWORD = 'correct horse battery';
const MERCHANT = 'hello@fernhill.example';
const KIM = 'kim@fernhill.example';

let mail: MailServer;
let service: TestService;
let kim: DashboardVisitor;

before(async () => {
  mail = await startMailServer();
  service = await startTestService({
    env: {
      SMTP_URL: mail.url,
      MAIL_FROM: 'notices@pay.example',
      TRUST_PROXY: '127.0.0.1',
    },
  });
  kim = await owner(KIM, 'Kim Fern');
  await sent();
  mail.received.length = 0;
});
afterEach(() => {
  mail.received.length = 0;
});
after(async () => {
  await service.close();
  await mail.close();
});

async function owner(email: string, name: string): Promise<DashboardVisitor> {
  const { running, baseUrl, merchantId } = service;
  const { platform } = running;
  const { url } = await platform.db.transaction((tx) =>
    createUser(
      platform,
      { tx, now: platform.clock.now(), merchantId, actorId: 'operator:test' },
      { email, name, role: 'owner' },
    ),
  );
  const visitor = new DashboardVisitor(baseUrl);
  assert.equal((await visitor.setPassword(url, PASSWORD)).status, 200);
  await visitor.prove(PASSWORD);
  return visitor;
}

/** Lets the engine run once, and returns the emails with their readers. */
async function sent(by = 'PT1S'): Promise<(ReceivedEmail & { subject: string; text: string })[]> {
  await service.advance(by);
  return mail.received.map((email) => ({
    ...email,
    subject: headerOf(email, 'Subject'),
    text: plainTextOf(email),
  }));
}

test('an owner reads who made an API key, and who revoked it', async () => {
  const made = await kim.call('POST', '/api/v1/api_keys', { name: 'Billing' });
  await kim.call('DELETE', `/api/v1/api_keys/${String(made.body.id)}`);
  const emails = await sent();
  assert.deepEqual(emails.map(({ to, subject }) => `${to.join()} ${subject}`).sort(), [
    `${KIM} API key revoked: Billing`,
    `${KIM} New API key: Billing`,
  ]);
  for (const { text } of emails) assert.match(text, /^Kim Fern (created|revoked) the API key/);
});

test('an invitation arrives with a link that works, and all owners hear of the new owner', async () => {
  const email = 'robin@fernhill.example';
  await kim.call('POST', '/api/team/invitations', { email, role: 'owner' });
  const [invitation = assert.fail('no email')] = await sent();
  assert.deepEqual(invitation.to, [email]);
  assert.equal(invitation.subject, 'Kim Fern invited you to Fernhill Gym');
  mail.received.length = 0;
  const robin = new DashboardVisitor(service.baseUrl);
  const joined = await robin.join(linkOf(invitation), { name: 'Robin Fern', password: PASSWORD });
  assert.equal(joined.status, 200, JSON.stringify(joined.body));
  const told = await sent();
  assert.deepEqual(told.flatMap(({ to }) => to).sort(), [MERCHANT, KIM, email]);
  assert.equal(told[0]?.subject, 'Robin Fern is now an owner of Fernhill Gym');

  mail.received.length = 0;
  const { body } = await kim.call('GET', '/api/team');
  const members = body.members as { user_id: string; email: string }[];
  const id = members.find((member) => member.email === email)?.user_id;
  assert.equal((await kim.call('DELETE', `/api/team/members/${id}`)).status, 200);
  const left = await sent();
  assert.deepEqual(left.flatMap(({ to }) => to).sort(), [MERCHANT, KIM, email], 'also who leaves');
  assert.match(left[0]?.subject ?? '', /^Robin Fern will no longer be an owner/);
});

test('who has forgotten their password sets a new one by email, and addresses are not given away', async () => {
  const stranger = new DashboardVisitor(service.baseUrl);
  const ask = (email: string) => stranger.call('POST', '/auth/forgotten-password', { email });
  const [known, unknown] = [await ask(KIM.toUpperCase()), await ask('nobody@fernhill.example')];
  assert.deepEqual([known.status, known.body], [200, { by_email: true }]);
  assert.deepEqual(unknown, known);
  await ask(KIM);
  let emails = await sent();
  for (let i = 0; i < 100 && emails.length === 0; i++) {
    await sleep(100);
    emails = await sent();
  }
  assert.deepEqual(
    emails.map(({ to }) => to),
    [[KIM]],
    'one in five minutes',
  );
  const link = linkOf(emails[0] ?? assert.fail('no email'));
  const changed = 'a new password of mine';
  assert.equal((await stranger.setPassword(link, changed)).status, 200);
  assert.deepEqual(await stranger.teams(), [service.merchantId]);
  assert.equal((await stranger.setPassword(link, changed)).status, 404, 'it works once');
  const again = new DashboardVisitor(service.baseUrl);
  assert.equal((await again.signIn(KIM, changed)).status, 200);
  kim = again;
});

test('all owners are told when the settlement account is about to change, and when it is not', async () => {
  await owner('second@fernhill.example', 'Sam Second');
  await sent();
  mail.received.length = 0;
  const path = '/api/settlement_account/changes';
  const [code] = await setUpFactor(kim, 'a new password of mine');
  await trust(service.db, String(Object((await kim.call('GET', '/api/me')).body.user).id));
  const asked = await kim.call('POST', path, {
    name: 'Fernhill Gym Ltd',
    sort_code: '200000',
    account_number: '44444444', // held by Fernhill Broadband Ltd
    password: 'a new password of mine',
    code,
  });
  assert.equal(asked.status, 200, JSON.stringify(asked.body));
  const emails = await sent();
  const readers = emails.flatMap(({ to }) => to);
  for (const reader of [MERCHANT, KIM, 'second@fernhill.example'])
    assert.ok(readers.includes(reader), reader);
  for (const { subject, text } of emails) {
    assert.equal(subject, 'Your settlement account is about to change');
    assert.match(text, /^Kim Fern asked to send your settlements to/);
    assert.match(text, /The bank says that this is not the name on the account\./);
    assert.doesNotMatch(text, /44444444|66374958|Broadband/, 'no whole number, and no holder');
  }
  mail.received.length = 0;
  const pending = asked.body.pending as { id: string };
  assert.equal((await kim.call('DELETE', `${path}/${pending.id}`)).status, 200);
  const ended = await sent();
  assert.equal(ended.length, emails.length);
  for (const { subject } of ended) assert.equal(subject, 'Your settlement account stays as it is');
});

test('an endpoint that fails six times is reported once a day', async () => {
  service.receiver.always = 503;
  for (let i = 0; i < 2; i++) {
    const { body } = await service.api<{ id: string }>('POST', '/api/v1/schedules', {
      amount: { value: 4999, currency: 'GBP' },
      frequency: 'monthly',
      customer: { type: 'phone', value: `+44770090012${i}` },
      description: 'Membership',
    });
    await service.grant(body.id);
  }
  const emails = await sent('PT4H');
  service.receiver.always = null;
  const readers = emails.flatMap(({ to }) => to);
  for (const reader of [KIM, 'second@fernhill.example'])
    assert.ok(readers.includes(reader), reader);
  assert.match(emails[0]?.subject ?? '', /^Webhooks to 127\.0\.0\.1:\d+ are failing$/);
  assert.match(emails[0]?.text ?? '', /The last attempt returned: 503/);
});
