import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { createUser } from '../../server/src/merchants/team/users.ts';
import type { PaymentView } from '../../server/src/payments/api/view.ts';
import { hastenAnnouncements } from '../../server/src/schedules/books/announce-store.ts';
import type { ScheduleView } from '../../server/src/schedules/change/view.ts';
import type { ImportedLineView } from '../../server/src/schedules/import/view.ts';
import { DashboardVisitor, refusalOf } from '../../server/test-support/dashboard-visitor.ts';
import { pngOf } from '../../server/test-support/images.ts';
import {
  headerOf,
  linkOf,
  type MailServer,
  plainTextOf,
  type ReceivedEmail,
  startMailServer,
} from '../../server/test-support/mail-server.ts';
import { startTestService, type TestService } from '../../server/test-support/service.ts';

// The whole service with a real mail server. The clock continues from test to test.

const MONTHLY = { type: 'monthly', day: 8 };
const KINDS = [
  'consent_link',
  'approve_terms',
  'confirm_again',
  'payment_changes',
  'payment_failed',
  'refund_paid',
];

let mail: MailServer;
let service: TestService;
let kim: DashboardVisitor;

before(async () => {
  mail = await startMailServer();
  service = await startTestService({
    env: { SMTP_URL: mail.url, MAIL_FROM: 'Recollect <notices@pay.example>' },
  });
  kim = await owner();
  await sent();
});
afterEach(() => {
  mail.received.length = 0;
});
after(async () => {
  await service.close();
  await mail.close();
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
  return visitor;
}

type Seen = ReceivedEmail & { subject: string; text: string };

/** Lets the engine run, and returns the emails that arrived since the last call. */
async function sent(by = 'PT1S'): Promise<Seen[]> {
  mail.received.length = 0;
  await service.advance(by);
  return mail.received.map((email) => ({
    ...email,
    subject: headerOf(email, 'Subject'),
    text: plainTextOf(email),
  }));
}

const turn = async (is_on: boolean, kinds = KINDS) => {
  for (const kind of kinds)
    assert.equal((await kim.call('PUT', `/api/notices/kinds/${kind}`, { is_on })).status, 200);
};

let customers = 0;

/** Creates a schedule for a customer of its own; without an email where `email` is null. */
async function schedule(fields: object = {}, email: string | null = 'alex@home.example') {
  customers += 1;
  const { status, body } = await service.api<ScheduleView>('POST', '/api/v1/schedules', {
    amount: { value: 4999, currency: 'GBP' },
    frequency: MONTHLY,
    customer: { type: 'phone', value: `+44770090${1000 + customers}`, name: 'Alex Home', email },
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

test('no customer is emailed before the merchant turns it on, nor without an address', async () => {
  await schedule();
  assert.deepEqual(await sent(), []);
  await turn(true);
  await schedule({}, null);
  assert.deepEqual(await sent(), []);
});

test('a new schedule brings its customer the consent link, in the name of the merchant', async () => {
  const made = await schedule();
  const [email = assert.fail('no email'), ...more] = await sent();
  assert.equal(more.length, 0);
  assert.deepEqual(email.to, ['alex@home.example']);
  assert.equal(headerOf(email, 'From'), 'Fernhill Gym <notices@pay.example>');
  assert.equal(headerOf(email, 'Reply-To'), 'hello@fernhill.example');
  assert.equal(email.subject, 'Fernhill Gym would like to collect payments from you');
  assert.match(email.text, /collect £49\.99 every month on the 8th from .*, for “Membership”/);
  assert.equal(linkOf(email), made.consent_url);
  assert.ok(
    (await timelineOf(made.id)).includes('The customer was sent an email: Consent link'),
    'the timeline says so',
  );
});

test('a customer who agrees is emailed their record of it, with bank and account', async () => {
  const { id } = await schedule();
  await service.grant(id);
  const email = (await sent()).find(({ subject }) => subject.startsWith('You agreed to payments'));
  assert.match(email?.text ?? '', /account ending in \d{4} at Northbank\. They appear on your/);
});

test('an import brings each new customer the consent link, and the same file again none', async () => {
  const csv =
    'customer_phone,customer_email,amount,frequency,description\n' +
    '07700 902001,bo@home.example,5,weekly,Tea\n07700 902002,,5,weekly,Tea\n';
  const importAll = () =>
    service.api<{ data: ImportedLineView[] }>('POST', '/api/v1/schedules/import', { csv });
  const { body } = await importAll();
  const [email = assert.fail('no email'), ...more] = await sent();
  assert.equal(more.length, 0);
  assert.deepEqual(email.to, ['bo@home.example']);
  assert.equal(linkOf(email), body.data[0]?.consent_url);
  assert.equal((await importAll()).body.data[0]?.status, 'existing');
  assert.deepEqual(await sent(), []);
});

test('a change beyond the consent asks the customer to approve the new terms', async () => {
  const { id } = await schedule();
  await service.grant(id);
  await sent();
  await service.api('PUT', `/api/v1/schedules/${id}`, {
    amount: { value: 99999, currency: 'GBP' },
  });
  const [email = assert.fail('no email')] = await sent();
  assert.equal(email.subject, 'Fernhill Gym asks you to approve new terms');
  assert.match(email.text, /Your payment changes from £49\.99 every .* to £999\.99 every month/);
  const { body } = await service.api<ScheduleView>('GET', `/api/v1/schedules/${id}`);
  assert.equal(linkOf(email), body.consent_url);
  await service.api('PUT', `/api/v1/schedules/${id}`, {
    amount: { value: 99900, currency: 'GBP' },
  });
  const [again = assert.fail('no email')] = await sent();
  assert.match(again.text, / to £999\.00/, 'other terms behind the same link');
});

test('a failed payment is told with the next attempt, and once more when there is none', async () => {
  const { id } = await schedule({ amount: { value: 9_000_000, currency: 'GBP' }, max_retries: 2 });
  await service.grant(id, 'nina');
  const { body } = await service.api<ScheduleView>('GET', `/api/v1/schedules/${id}`);
  await sent();
  const emails = await sent('P10D');
  assert.deepEqual(
    emails.map(({ subject }) => subject),
    Array(2).fill('Your payment of £90,000.00 to Fernhill Gym did not go through'),
    'three attempts, two emails',
  );
  const [first = assert.fail(), last = assert.fail()] = emails;
  assert.match(first.text, /There was not enough money in the account\./);
  assert.match(first.text, /Next attempt: Friday 9 January 2026\./);
  assert.match(last.text, /We won’t try this payment again\. Please contact Fernhill Gym/);
  assert.equal(linkOf(first), body.portal_url);
});

test('a bank that asks the customer to confirm again: they get the link to the page where they confirm', async () => {
  const start_date = '2026-01-17T09:00:00Z';
  const { id } = await schedule({ frequency: { type: 'weekly' }, start_date });
  await service.grant(id, 'rita');
  await service.advance('2026-01-17T08:00:00Z');
  const [email = assert.fail('no email'), ...more] = await sent('P1D');
  assert.equal(more.length, 0);
  assert.equal(
    email.subject,
    'Your bank wants you to confirm your payments to Fernhill Gym for “Membership” again',
  );
  const { body } = await service.api<ScheduleView>('GET', `/api/v1/schedules/${id}`);
  assert.equal(linkOf(email), body.portal_url);
  await service.api('PUT', `/api/v1/schedules/${id}`, { status: 'cancelled' });
});

test('a refund is told when it was paid', async () => {
  const { id } = await schedule({
    frequency: { type: 'daily' },
    start_date: '2026-01-20T09:00:00Z',
  });
  await service.grant(id);
  await service.advance('2026-01-20T12:00:00Z');
  const { body } = await service.api<{ data: PaymentView[] }>(
    'GET',
    `/api/v1/schedules/${id}/payments`,
  );
  await service.api('PUT', `/api/v1/schedules/${id}`, { status: 'paused' });
  await service.api('POST', `/api/v1/payments/${body.data[0]?.id}/refunds`, {
    amount: { value: 1500, currency: 'GBP' },
  });
  const [email = assert.fail('no email'), ...more] = await sent('PT5M');
  assert.equal(more.length, 0);
  assert.equal(email.subject, 'Fernhill Gym refunded you £15.00');
  assert.match(email.text, /sent on Tuesday 20 January 2026 to the account/);
});

test('what changes before a collection is told three days ahead, once, and again when it changes', async () => {
  const start = '2026-02-10T09:00:00.000Z';
  const skip = true;
  const { id } = await schedule({ frequency: { ...MONTHLY, day: 10 }, start_date: start });
  await service.grant(id);
  const path = `/api/v1/schedules/${id}/upcoming/${start}`;
  const set = async (body: object | null) =>
    assert.equal(
      (await service.api(body === null ? 'DELETE' : 'PUT', path, body ?? undefined)).status,
      200,
    );
  const texts = async (by: string) => (await sent(by)).map(({ text }) => text.split('\n')[0]);
  await sent();
  await set({ amount: { value: 3000, currency: 'GBP' } });
  assert.deepEqual(await texts('2026-02-07T08:59:00Z'), []);
  const on = 'On Tuesday 10 February 2026, Fernhill Gym will collect';
  const forIt = 'for “Membership”';
  assert.deepEqual(await texts('PT2M'), [`${on} £30.00 instead of the usual £49.99 ${forIt}.`]);
  const { platform } = service.running;
  await platform.db.transaction((tx) =>
    hastenAnnouncements(tx, platform.clock.now(), service.merchantId),
  );
  assert.deepEqual(await texts('PT1M'), [], 'a repeat of the stage tells nothing twice');
  await set({ skip });
  assert.deepEqual(await texts('PT1M'), [`${on} nothing ${forIt}.`]);
  await set(null);
  assert.deepEqual(await texts('PT1M'), [`${on} the usual £49.99 ${forIt} after all.`]);
  await service.api('PUT', `/api/v1/schedules/${id}`, { amount: { value: 4000, currency: 'GBP' } });
  assert.deepEqual(await texts('PT1M'), [
    `From Tuesday 10 February 2026, Fernhill Gym will collect £40.00 every month on the 10th ${forIt}.`,
  ]);
});

test('an email that waits goes to the address that is known when it is sent, or to nobody', async () => {
  for (const address of ['new@home.example', null]) {
    mail.refusals.push({ code: 451, text: 'Try later' });
    const { id, customer } = await schedule({}, 'old@home.example');
    assert.deepEqual(await sent(), []);
    const changed = await service.api('PUT', `/api/v1/customers/${customer.id}`, {
      email: address,
    });
    assert.equal(changed.status, 200);
    const emails = await sent('PT2M');
    assert.deepEqual(
      emails.flatMap(({ to }) => to),
      address === null ? [] : [address],
    );
    if (address === null)
      assert.match(
        (await timelineOf(id)).join(),
        /could not be sent: Consent link: The customer has no email address any more/,
      );
  }
});

test('a logo and a colour are in the emails to customers and on their pages, until they are removed', async () => {
  await turn(true, ['consent_link']);
  const look = (body: object) => kim.call('PUT', '/api/look', body);
  const logo = pngOf({ width: 120, height: 60 });
  for (const [body, wrong] of [
    [{ logo: Buffer.concat([logo, Buffer.from('<script>')]).toString('base64') }, 'logo'],
    [{ logo: Buffer.from('<svg onload="alert(1)"/>').toString('base64') }, 'logo'],
    [{ logo: logo.toString('base64'), colour: '#ffcc00' }, 'colour'],
  ] as const)
    assert.deepEqual(Object.keys(refusalOf(await look(body)).details), [wrong]);
  const { status, body } = await look({ logo: logo.toString('base64'), colour: '#AA0033' });
  assert.deepEqual([status, body.colour], [200, '#aa0033']);

  const { consent_url } = await schedule();
  const [{ raw } = assert.fail('no email')] = await sent();
  const cid = /Content-ID: <([^>]+)>/i.exec(raw)?.[1] ?? assert.fail('no image');
  const unfolded = raw.replaceAll('=\r\n', '');
  assert.ok(
    unfolded.includes(`src=3D"cid:${cid}" alt=3D"Fernhill Gym" width=3D"88" height=3D"44"`),
  );
  assert.match(unfolded, /background:#aa0033/);
  assert.match(raw, /Content-Type: image\/png; name=logo.png/);
  assert.match(raw, /Content-Disposition: inline/);
  assert.ok(raw.replaceAll('\r\n', '').includes(logo.toString('base64')), 'the whole image');

  const page = await (await fetch(`${consent_url}`)).text();
  const { origin, pathname } = new URL(`${body.logo_url}`);
  assert.equal(origin, new URL(service.baseUrl).origin);
  assert.ok(page.includes(`src="${pathname}"`) && page.includes('/consent/colours/aa0033.css'));
  const image = await fetch(`${body.logo_url}`);
  assert.ok(Buffer.from(await image.arrayBuffer()).equals(logo));
  for (const [name, value] of [
    ['content-type', 'image/png'],
    ['x-content-type-options', 'nosniff'],
    ['cache-control', 'public, max-age=31536000, immutable'],
    ['content-security-policy', "default-src 'none'; frame-ancestors 'none'"],
  ] as const)
    assert.equal(image.headers.get(name), value);

  assert.equal((await look({ logo: null })).body.colour, '#aa0033', 'what was not sent stays');
  assert.equal((await fetch(`${body.logo_url}`)).status, 404);
  await look({ colour: null });
  await schedule();
  const [{ raw: plain } = assert.fail('no email')] = await sent();
  assert.doesNotMatch(plain, /Content-ID|aa0033/i);
});

test('a reminder goes out once a day, whatever is turned on, and says why it does not', async () => {
  await turn(false);
  const { id } = await schedule();
  assert.deepEqual(await sent(), []);
  const results = await Promise.all([remind(id), remind(id)]);
  assert.deepEqual(results.map(({ status }) => status).sort(), [200, 409]);
  assert.equal((await sent()).length, 1);
  assert.equal(codeOf(await remind(id)), 'reminded_already');
  await service.advance('P1D');
  assert.equal((await remind(id)).status, 200);
  assert.ok((await timelineOf(id)).some((line) => /^The customer was reminded/.test(line)));
  await service.grant(id);
  assert.equal(codeOf(await remind(id)), 'consent_decided');
  assert.equal(codeOf(await remind((await schedule({}, null)).id)), 'customer_without_email');
  assert.equal((await remind('sch_unknown')).status, 404);
});
