import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { endHold, placeHold } from '../../server/src/merchants/holds/hold-service.ts';
import { createUser } from '../../server/src/merchants/team/users.ts';
import type { Tx } from '../../server/src/platform/db/db.ts';
import type { ScheduleView } from '../../server/src/schedules/change/view.ts';
import { DashboardVisitor } from '../../server/test-support/dashboard-visitor.ts';
import {
  headerOf,
  linkOf,
  type MailServer,
  plainTextOf,
  startMailServer,
} from '../../server/test-support/mail-server.ts';
import { startTestService, type TestService } from '../../server/test-support/service.ts';

// The whole service with a real mail server. The clock continues from test to test.

let mail: MailServer;
let service: TestService;
let kim: DashboardVisitor;

before(async () => {
  mail = await startMailServer();
  service = await startTestService({
    env: { SMTP_URL: mail.url, MAIL_FROM: 'Recollect <notices@pay.example>' },
  });
  const { platform } = service.running;
  const { url } = await platform.db.transaction((tx) =>
    createUser(
      platform,
      {
        tx,
        now: platform.clock.now(),
        merchantId: service.merchantId,
        actorId: 'operator:test',
      },
      { email: 'kim@fernhill.example', name: 'Kim Fern', role: 'owner' },
    ),
  );
  kim = new DashboardVisitor(service.baseUrl);
  assert.equal((await kim.setPassword(url, 'correct horse battery')).status, 200);
  await turn('consent_given', false);
  await turn('payments_ended', false);
  await sent('PT1S');
});
after(async () => {
  await service.close();
  await mail.close();
});

async function turn(kind: string, is_on: boolean, days_ahead?: number): Promise<void> {
  const { status, body } = await kim.call('PUT', `/api/notices/kinds/${kind}`, {
    is_on,
    ...(days_ahead === undefined ? {} : { days_ahead }),
  });
  assert.equal(status, 200, JSON.stringify(body));
}

/** Moves the clock, and returns the first sentence of each email that arrived meanwhile. */
async function sent(by: string): Promise<string[]> {
  mail.received.length = 0;
  await service.advance(by);
  return mail.received.map((email) => plainTextOf(email).split('\n')[0] ?? '').sort();
}

let customers = 0;

/** Creates a schedule that its customer has agreed to. */
async function agreed(description: string, start_date: string, fields: object = {}) {
  customers += 1;
  const { status, body } = await service.api<ScheduleView>('POST', '/api/v1/schedules', {
    amount: { value: 4999, currency: 'GBP' },
    frequency: { type: 'weekly' },
    start_date,
    customer: {
      type: 'phone',
      value: `+44770090${2000 + customers}`,
      name: 'Alex Home',
      email: 'alex@home.example',
    },
    description,
    ...fields,
  });
  assert.equal(status, 200, JSON.stringify(body));
  await service.grant(body.id);
  return body;
}

const put = async (path: string, body: object): Promise<void> => {
  const { status, body: answer } = await service.api('PUT', path, body);
  assert.equal(status, 200, JSON.stringify(answer));
};

test('a merchant who wants it has each coming payment announced three days ahead, once', async () => {
  const { id } = await agreed('Choir', '2026-01-20T09:00:00Z');
  assert.deepEqual(await sent('2026-01-20T12:00:00Z'), [], 'nothing before it is turned on');
  await turn('payment_coming', true);
  assert.deepEqual(await sent('2026-01-24T08:59:00Z'), []);
  const sentence = 'On Tuesday 27 January 2026, Fernhill Gym will collect £49.99 for “Choir”.';
  assert.deepEqual(await sent('2026-01-24T09:01:00Z'), [sentence]);
  const [email = assert.fail('no email')] = mail.received;
  assert.equal(
    headerOf(email, 'Subject'),
    'Fernhill Gym will collect £49.99 on Tuesday 27 January 2026, for “Choir”',
  );
  const { body } = await service.api<ScheduleView>('GET', `/api/v1/schedules/${id}`);
  assert.equal(linkOf(email), body.portal_url);
  await turn('payment_coming', true); // has the stage look again
  assert.deepEqual(await sent('2026-01-27T12:00:00Z'), [], 'not again, nor when it is collected');
  assert.deepEqual(await sent('2026-01-31T09:01:00Z'), [
    'On Tuesday 3 February 2026, Fernhill Gym will collect £49.99 for “Choir”.',
  ]);
  await put(`/api/v1/schedules/${id}`, { status: 'cancelled' });
});

test('what is skipped, paused, without an amount or due more often than weekly is not announced', async () => {
  const start = '2026-02-20T09:00:00.000Z';
  const all = {
    skipped: await agreed('Skipped', start),
    paused: await agreed('Paused', start),
    unset: await agreed('Unset', start, { amount_mode: 'per_occurrence' }),
    daily: await agreed('Daily', start, { frequency: { type: 'daily' } }),
    set: await agreed('Set', start, { amount_mode: 'per_occurrence' }),
    fortnightly: await agreed('Fortnightly', start, { frequency: { type: 'daily', interval: 14 } }),
  };
  const upcoming = (one: ScheduleView) => `/api/v1/schedules/${one.id}/upcoming/${start}`;
  const skip = true;
  await put(upcoming(all.skipped), { skip });
  await put(upcoming(all.set), { amount: { value: 1234, currency: 'GBP' } });
  await put(`/api/v1/schedules/${all.paused.id}`, { status: 'paused' });
  const on = 'On Friday 20 February 2026, Fernhill Gym will collect';
  assert.deepEqual(await sent('2026-02-18T09:00:00Z'), [
    `${on} £12.34 for “Set”.`,
    `${on} £49.99 for “Fortnightly”.`,
  ]);
  await put(`/api/v1/schedules/${all.paused.id}`, { status: 'active' });
  assert.deepEqual(await sent('2026-02-19T09:30:00Z'), [`${on} £49.99 for “Paused”.`]);
  for (const { id } of Object.values(all))
    await put(`/api/v1/schedules/${id}`, { status: 'cancelled' });
});

test('a payment whose change is told is not announced as well, and days are set for each kind', async () => {
  const start = '2026-03-20T09:00:00.000Z';
  await turn('payment_changes', true, 5);
  const changed = await agreed('Changed', start);
  const usual = await agreed('Usual', start);
  await put(`/api/v1/schedules/${changed.id}/upcoming/${start}`, {
    amount: { value: 3000, currency: 'GBP' },
  });
  const on = 'On Friday 20 March 2026, Fernhill Gym will collect';
  assert.deepEqual(await sent('2026-03-15T09:01:00Z'), [
    `${on} £30.00 instead of the usual £49.99 for “Changed”.`,
  ]);
  assert.deepEqual(await sent('2026-03-17T09:01:00Z'), [`${on} £49.99 for “Usual”.`]);
  await put(`/api/v1/schedules/${usual.id}/upcoming/${start}`, {
    amount: { value: 2000, currency: 'GBP' },
  });
  assert.deepEqual(await sent('PT5M'), [`${on} £20.00 instead of the usual £49.99 for “Usual”.`]);
  await turn('payment_changes', false);
  assert.deepEqual(await sent('2026-03-24T09:01:00Z'), [
    'On Friday 27 March 2026, Fernhill Gym will collect £49.99 for “Changed”.',
    'On Friday 27 March 2026, Fernhill Gym will collect £49.99 for “Usual”.',
  ]);
  for (const { id } of [changed, usual])
    await put(`/api/v1/schedules/${id}`, { status: 'cancelled' });
});

test('a change to what was announced is told, whether or not changes are', async () => {
  const start = '2026-04-17T09:00:00.000Z';
  const { id } = await agreed('Yoga', start);
  const path = `/api/v1/schedules/${id}/upcoming/${start}`;
  const on = 'On Friday 17 April 2026, Fernhill Gym will collect';
  assert.deepEqual(await sent('2026-04-14T09:01:00Z'), [`${on} £49.99 for “Yoga”.`]);
  await put(path, { amount: { value: 3000, currency: 'GBP' } });
  const changed = `${on} £30.00 instead of the usual £49.99 for “Yoga”.`;
  const skip = true;
  assert.deepEqual(await sent('PT5M'), [changed]);
  await put(path, { skip });
  assert.deepEqual(await sent('PT5M'), [`${on} nothing for “Yoga”.`]);
  assert.deepEqual(await sent('PT2H'), [], 'once');
  await put(`/api/v1/schedules/${id}`, { status: 'cancelled' });
});

test('what is announced long before a change would be is told as the change that it is', async () => {
  const start = '2026-05-15T09:00:00.000Z';
  await turn('payment_changes', true, 1);
  const { id } = await agreed('Pilates', start);
  await put(`/api/v1/schedules/${id}/upcoming/${start}`, {
    amount: { value: 3000, currency: 'GBP' },
  });
  const on = 'On Friday 15 May 2026, Fernhill Gym will collect';
  assert.deepEqual(await sent('2026-05-14T12:00:00Z'), [
    `${on} £30.00 instead of the usual £49.99 for “Pilates”.`,
  ]);
  await turn('payment_changes', false);
  await put(`/api/v1/schedules/${id}`, { status: 'cancelled' });
});

test('nothing of a suspended merchant is announced, and nothing once it is turned off', async () => {
  const { id } = await agreed('Judo', '2026-06-19T09:00:00Z');
  const { platform } = service.running;
  const { merchantId } = service;
  const decision = { by: 'operator:test', reason: 'a test' };
  const asked = (tx: Tx) => ({ tx, now: service.now(), merchantId });
  await platform.db.transaction((tx) => placeHold(platform, asked(tx), 'suspended', decision));
  assert.deepEqual(await sent('2026-06-17T09:00:00Z'), []);
  await platform.db.transaction((tx) => endHold(platform, asked(tx), 'suspended', decision));
  assert.deepEqual(await sent('2026-06-18T09:30:00Z'), [
    'On Friday 19 June 2026, Fernhill Gym will collect £49.99 for “Judo”.',
  ]);
  await turn('payment_coming', false);
  assert.deepEqual(await sent('2026-07-01T09:01:00Z'), []);
  await put(`/api/v1/schedules/${id}`, { status: 'cancelled' });
});
