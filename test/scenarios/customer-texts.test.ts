import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import type { NoticeList } from '../../server/src/dashboard/notices/view.ts';
import { createUser } from '../../server/src/merchants/team/users.ts';
import type { ScheduleView } from '../../server/src/schedules/change/view.ts';
import { DashboardVisitor } from '../../server/test-support/dashboard-visitor.ts';
import { type MailServer, startMailServer } from '../../server/test-support/mail-server.ts';
import { startTestService, type TestService } from '../../server/test-support/service.ts';
import { type SmsGateway, startSmsGateway } from '../../server/test-support/sms-gateway.ts';
import { until } from '../../server/test-support/until.ts';

// The whole service with a real gateway for text messages and a real mail server. The clock continues from test to test.

let gateway: SmsGateway;
let mail: MailServer;
let service: TestService;
let kim: DashboardVisitor;

before(async () => {
  gateway = await startSmsGateway();
  mail = await startMailServer();
  service = await startTestService({
    env: {
      SMS_URL: gateway.url,
      SMS_TOKEN: gateway.token,
      SMTP_URL: mail.url,
      MAIL_FROM: 'notices@pay.example',
    },
  });
  kim = await owner();
  for (const kind of ['consent_link', 'payment_changes', 'payment_failed'])
    assert.equal(
      (await kim.call('PUT', `/api/notices/kinds/${kind}`, { is_on: true })).status,
      200,
    );
  await sent();
});
afterEach(() => {
  mail.received.length = 0;
});
after(async () => {
  await service.close();
  await mail.close();
  await gateway.close();
});

async function owner(): Promise<DashboardVisitor> {
  const { running, baseUrl, merchantId } = service;
  const { platform } = running;
  const { url } = await platform.db.transaction((tx) =>
    createUser(
      platform,
      { tx, now: platform.clock.now(), merchantId, actorId: 'operator:test' },
      { email: 'kim@fernhill.example', name: 'Kim Fern', role: 'owner' },
    ),
  );
  const visitor = new DashboardVisitor(baseUrl);
  assert.equal((await visitor.setPassword(url, 'correct horse battery')).status, 200);
  await visitor.prove('correct horse battery');
  return visitor;
}

/** Lets the engine run, and returns the texts that arrived since the last call. */
async function sent(by = 'PT1S') {
  gateway.delivered.length = 0;
  mail.received.length = 0;
  await service.advance(by);
  return gateway.delivered.map(({ to, text }) => ({ to, text }));
}

async function schedule(phone: string, fields: object = {}, profile: object = {}) {
  const { status, body } = await service.api<ScheduleView>('POST', '/api/v1/schedules', {
    amount: { value: 4999, currency: 'GBP' },
    frequency: { type: 'monthly', day: 8 },
    customer: { type: 'phone', value: phone, ...profile },
    description: 'Membership',
    ...fields,
  });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

const remind = (id: string) => kim.call('POST', `/api/schedules/${id}/remind`);
const codeOf = ({ body }: { body: object }) => (body as { error?: { code: string } }).error?.code;

async function timelineOf(id: string): Promise<string[]> {
  const { body } = await kim.call('GET', `/api/schedules/${id}/timeline`);
  return (body.data as { title: string; reason: string | null }[]).map(
    ({ title, reason }) => `${title}: ${reason}`,
  );
}

test('a new schedule brings a customer without an email address the link as a text', async () => {
  const { id, consent_url } = await schedule('+447700900101');
  const text = `Fernhill Gym would like to collect payments from you. ${consent_url}`;
  assert.deepEqual(await sent(), [{ to: '+447700900101', text }]);
  assert.ok((await timelineOf(id)).includes('The customer was sent a text message: Consent link'));
  assert.equal(mail.received.length, 0);
});

test('a customer with an email address gets the email, and one with a landline nothing', async () => {
  await schedule('+447700900102', {}, { email: 'alex@home.example' });
  await schedule('+442079460958');
  assert.deepEqual(await sent(), []);
  assert.deepEqual(
    mail.received.flatMap(({ to }) => to),
    ['alex@home.example'],
  );
});

test('a failed payment and a change before a collection are told by text, with the customer’s page', async () => {
  const { id } = await schedule('+447700900103', { amount: { value: 9_000_000, currency: 'GBP' } });
  await service.grant(id, 'nina');
  const { body } = await service.api<ScheduleView>('GET', `/api/v1/schedules/${id}`);
  await sent();
  const failed = 'Your payment of £90,000.00 to Fernhill Gym did not go through.';
  assert.deepEqual(
    (await sent('P3D')).map(({ text }) => text),
    [`${failed} ${body.portal_url}`],
  );
  await service.api('PUT', `/api/v1/schedules/${id}`, { status: 'cancelled' });

  const other = await schedule('+447700900104');
  await service.grant(other.id);
  const { body: active } = await service.api<ScheduleView>('GET', `/api/v1/schedules/${other.id}`);
  await sent();
  const due = active.next_payment_date ?? assert.fail('nothing follows');
  const path = `/api/v1/schedules/${other.id}/upcoming/${due}`;
  await service.api('PUT', path, { amount: { value: 3000, currency: 'GBP' } });
  const told = await sent('P28D');
  assert.equal(told.length, 1);
  assert.match(
    told[0]?.text ?? '',
    /^On \w+ 8 \w+ 2026, Fernhill Gym will collect £30\.00 instead of the usual £49\.99 for "Membership"\. http/,
  );
});

test('the mailbox shows a text with the end of the number, without its link', async () => {
  const { body } = await kim.call('GET', '/api/notices');
  const texts = (body as unknown as NoticeList).data.filter(({ by }) => by === 'text');
  assert.deepEqual(
    texts.at(-1)?.to,
    { name: '', address: 'number ending in 0101' },
    JSON.stringify(texts),
  );
  assert.deepEqual(texts.at(-1)?.lines, ['Fernhill Gym would like to collect payments from you.']);
  assert.doesNotMatch(JSON.stringify(texts), /http|\+44/);
  const preview = await kim.call('GET', `/api/notices/${texts[0]?.id}/preview`);
  assert.equal(preview.status, 404, 'no email looked like this');
});

test('a customer with a mobile number is reminded by text, once a day', async () => {
  const { id } = await schedule('+447700900105');
  await sent();
  assert.equal(codeOf(await remind(id)), 'reminded_already');
  await service.advance('P1D');
  const { status, body } = await remind(id);
  assert.deepEqual([status, body], [200, { is_sent: true, by: 'text' }]);
  assert.equal((await sent()).length, 1);
  const reminded = 'The customer was reminded of the consent link: by text message';
  assert.ok((await timelineOf(id)).includes(reminded), (await timelineOf(id)).join());
  const landline = await schedule('+442079460959');
  assert.equal(codeOf(await remind(landline.id)), 'customer_without_email');
});

test('what was agreed and its end are texted to a customer without an email address, with their page', async () => {
  const { id } = await schedule('+447700900108');
  await sent();
  await service.grant(id);
  const { body } = await service.api<ScheduleView>('GET', `/api/v1/schedules/${id}`);
  const textsNow = async () => (await sent()).map(({ text }) => text);
  assert.deepEqual(await textsNow(), [
    `You agreed to payments to Fernhill Gym. ${body.portal_url}`,
  ]);
  await service.api('PUT', `/api/v1/schedules/${id}`, { status: 'cancelled' });
  assert.deepEqual(await textsNow(), [
    `Your payments to Fernhill Gym for "Membership" have ended. ${body.portal_url}`,
  ]);
});

test('notices to the team and links for passwords are emails', async () => {
  gateway.requests.length = 0;
  const to = 'sam@fernhill.example';
  await kim.call('POST', '/api/team/invitations', { email: to, role: 'owner' });
  const stranger = new DashboardVisitor(service.baseUrl);
  await stranger.call('POST', '/auth/forgotten-password', { email: 'kim@fernhill.example' });
  // Who has forgotten a password is answered before anything is done.
  await until('both are sent', async () => {
    await service.advance('PT1M');
    return mail.received.length >= 2;
  });
  assert.deepEqual(mail.received.flatMap((email) => email.to).sort(), ['kim@fernhill.example', to]);
  assert.equal(gateway.requests.length, 0);
});
