import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { type MailServer, startMailServer } from '../../test-support/mail-server.ts';
import {
  bareSchedules,
  type OwnPlatform,
  ownPlatform,
} from '../../test-support/slices/platform.ts';
import { type SmsGateway, startSmsGateway } from '../../test-support/sms-gateway.ts';
import { sealIdentity, sealProfile } from '../customers/sealed.ts';
import { createMerchant } from '../merchants/service.ts';
import { type Engine, makeEngine } from '../platform/engine/engine.ts';
import { makeLog } from '../platform/log/log.ts';
import { makeMail } from './mail.ts';
import { makeNotify } from './notify.ts';
import { noticesStage, type Senders } from './stage.ts';
import { makeTexts } from './texts.ts';

let mailServer: MailServer;
let gateway: SmsGateway;
let platform: OwnPlatform;
let senders: { mail: NonNullable<Senders['mail']>; texts: NonNullable<Senders['texts']> };
let engine: Engine;
let merchantId: string;
const logged: string[] = [];

const PHONE = '+447700900123';
const CUSTOMER = 'cus_1';
const LINK = 'https://pay.example/consent/secret';

before(async () => {
  mailServer = await startMailServer();
  gateway = await startSmsGateway();
  const own = await ownPlatform({
    smtpUrl: mailServer.url,
    mailFrom: 'notices@pay.example',
    sms: { url: gateway.url, token: gateway.token },
  });
  const log = makeLog('trace', { write: (line) => void logged.push(line) });
  platform = Object.assign(own, { notify: makeNotify(own), log });
  senders = {
    mail: makeMail(platform.config) ?? assert.fail('no mail'),
    texts: makeTexts(platform.config, 500) ?? assert.fail('no texts'),
  };
  engine = engineOf(senders);
  ({ merchantId } = await createMerchant(platform, MERCHANT, async () => undefined));
  await customer();
  await bareSchedules(platform, merchantId, ['sch_1']);
  await engine.drain();
});
afterEach(() => {
  gateway.requests.length = 0;
  gateway.delivered.length = 0;
  gateway.refusals.length = 0;
  mailServer.received.length = 0;
});
after(async () => {
  senders.mail.close();
  await senders.texts.close();
  await gateway.close();
  await mailServer.close();
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

const engineOf = (by: Senders, over = platform): Engine =>
  makeEngine(over.db, over.clock, over.log, [noticesStage(over, by)]);

async function customer(): Promise<void> {
  const { sealed, index } = sealIdentity(platform, merchantId, 'phone', PHONE);
  await platform.db.transaction((tx) =>
    tx.run(
      `INSERT INTO customers (merchant_id, customer_id, phone, phone_index, created_at) VALUES ($1, $2, $3, $4, $5)`,
      [merchantId, CUSTOMER, sealed, index, platform.clock.now()],
    ),
  );
}

async function setEmail(email: string | null): Promise<void> {
  const profile = { name: null, email, reference: null, notes: null };
  await platform.db.transaction((tx) =>
    tx.run('UPDATE customers SET email = $3 WHERE merchant_id = $1 AND customer_id = $2', [
      merchantId,
      CUSTOMER,
      sealProfile(platform, merchantId, profile).email,
    ]),
  );
}

let causes = 0;
const tell = (causeId = `con_${++causes}`) =>
  platform.db.transaction((tx) =>
    platform.notify(tx, platform.clock.now(), [
      {
        merchantId,
        kind: 'consent_link',
        causeId,
        customer: { scheduleId: 'sch_1', isAsked: true },
        facts: { url: LINK, price: '£49.99 every month' },
      },
    ]),
  );
const pass = async (by: Temporal.DurationLike, at = engine) => {
  platform.clock.at = platform.clock.at.add(by);
  await at.drain();
};
const row = () =>
  platform.db.read((tx) =>
    tx.row<{ status: string; attempts: number; error: string | null; content: string }>(
      `SELECT status, attempts, error, content FROM notices WHERE cause_id = $1`,
      [`con_${causes}`],
    ),
  );
const outcome = async () => {
  const { status, attempts, error } = (await row()) ?? assert.fail('no notice');
  return [status, attempts, error];
};
const lastReason = () =>
  platform.db.read((tx) =>
    tx.row<{ reason: string }>(`SELECT reason FROM state_changes ORDER BY change_id DESC LIMIT 1`),
  );

test('a customer without an email address gets a text, sealed at rest, and no log names the number', async () => {
  assert.equal(await tell(), 1);
  assert.equal(await tell(`con_${causes}`), 0, 'once for its cause');
  await engine.drain();
  const [text, ...more] = gateway.delivered;
  assert.equal(more.length, 0);
  assert.equal(text?.to, PHONE);
  assert.equal(text?.sender_name, 'Fernhill Gym');
  assert.equal(text?.text, `Fernhill Gym would like to collect payments from you. ${LINK}`);
  assert.equal(mailServer.received.length, 0);
  const { content } = (await row()) ?? assert.fail('no notice');
  assert.doesNotMatch(content, /900123|secret/);
  assert.deepEqual(await outcome(), ['sent', 1, null]);
  assert.equal((await lastReason())?.reason, 'Text message: Consent link');
});

test('a customer with both gets the email alone', async () => {
  await setEmail('alex@home.example');
  await tell();
  await engine.drain();
  assert.deepEqual([gateway.requests.length, mailServer.received.length], [0, 1]);
  await setEmail(null);
});

test('how a customer is reached is decided when the notice is sent', async () => {
  await tell();
  await setEmail('alex@home.example');
  await engine.drain();
  assert.deepEqual([gateway.requests.length, mailServer.received.length], [0, 1]);
  await tell();
  await setEmail(null);
  await engine.drain();
  assert.deepEqual([gateway.requests.length, mailServer.received.length], [1, 1]);
});

test('a gateway that is down is tried again, and delivers the text once', async () => {
  gateway.refusals.push(503, 401, null);
  await tell();
  await engine.drain();
  assert.deepEqual(await outcome(), ['pending', 1, 'The gateway did not accept the message: 503.']);
  await pass({ minutes: 1 });
  await pass({ minutes: 5 });
  assert.deepEqual(await outcome(), [
    'pending',
    3,
    'The gateway was not reached: no response within 0.5 seconds.',
  ]);
  await pass({ minutes: 15 });
  assert.deepEqual(await outcome(), ['sent', 4, null]);
  assert.equal(gateway.delivered.length, 1);
  assert.equal(new Set(gateway.requests.map(({ key }) => key)).size, 1);
});

test('a number that the gateway refuses is given up at once', async () => {
  gateway.refusals.push(422);
  await tell();
  await engine.drain();
  assert.deepEqual(await outcome(), ['failed', 1, 'The gateway refused the message: 422.']);
  assert.equal(
    (await lastReason())?.reason,
    'Text message: Consent link: The gateway refused the message: 422.',
  );
  await pass({ hours: 24 });
  assert.equal(gateway.requests.length, 1);
});

test('a crash after the gateway accepted a text sends it again under the same key, and it is delivered once', async () => {
  let transactions = 0;
  const { db } = platform;
  const crashing = {
    ...platform,
    db: {
      ...db,
      transaction: (...args: Parameters<typeof db.transaction>) =>
        ++transactions === 2 ? Promise.reject(new Error('crashed')) : db.transaction(...args),
    },
  } as OwnPlatform;
  await tell();
  const now = platform.clock.now();
  await assert.rejects(async () => noticesStage(crashing, senders).run(now, 25), /crashed/);
  assert.deepEqual(await outcome(), ['pending', 0, null]);
  await pass({ minutes: 5 });
  assert.deepEqual(await outcome(), ['sent', 1, null]);
  assert.equal(gateway.requests.length, 2);
  assert.equal(gateway.delivered.length, 1);
  const [first, second] = gateway.requests;
  assert.deepEqual(first, second);
});

test('a text whose gateway was taken away waits on the ladder, and then goes out', async () => {
  await tell();
  const without = engineOf({ ...senders, texts: null });
  await without.drain();
  assert.deepEqual(await outcome(), [
    'pending',
    1,
    'This service sends no text messages any more.',
  ]);
  await pass({ minutes: 1 });
  assert.deepEqual(await outcome(), ['sent', 2, null]);
});

test('nothing that was logged names a number, a link or the token', () => {
  assert.ok(logged.some((line) => line.includes('notice.failed')));
  const all = logged.join('');
  assert.doesNotMatch(all, /900123/);
  for (const secret of [LINK, gateway.token]) assert.ok(!all.includes(secret));
});
