import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type OwnPlatform, ownPlatform } from '../../../test-support/slices/platform.ts';
import type { Email, Mail } from '../../notices/mail.ts';
import type { Platform } from '../../platform/platform.ts';
import { createOperator } from '../access/service.ts';
import { notifySecurity } from './notify.ts';
import { operatorNoticesStage } from './stage.ts';

let own: OwnPlatform;
let platform: Platform;
const reported: object[] = [];

before(async () => {
  own = await ownPlatform();
  const log = {
    ...own.log,
    report: (event: string, fields?: object) => void reported.push({ event, ...fields }),
  };
  platform = { ...own, log, config: { ...own.config, smtpUrl: 'smtp://mail.example' } } as Platform;
  await own.db.transaction((tx) =>
    createOperator({ platform, tx, now: own.clock.now() }, 'Robin Fern', 'a test', {
      email: 'robin@ops.example',
    }),
  );
});

after(() => own.drop());

/** A mail server that refuses so many emails before it accepts one. */
function mailThat(refuses: number): { mail: Mail; sent: Email[] } {
  const sent: Email[] = [];
  let left = refuses;
  const mail = {
    async send(email: Email) {
      if (left-- > 0) return { error: 'try later', isFinal: false };
      sent.push(email);
      return { error: null };
    },
    verify: async () => undefined,
    close: () => undefined,
  } as Mail;
  return { mail, sent };
}

const told = {
  what: 'key_created',
  subject: 'Kim made a key',
  lines: ['Kim made a key.'],
} as const;
const tell = () =>
  own.db.transaction((tx) => notifySecurity({ platform, tx, now: own.clock.now() }, told));
const run = (mail: Mail) => operatorNoticesStage(platform, mail).run(own.clock.now(), 25);

test('what happened is an email to each of security, and one line of the log', async () => {
  const { mail, sent } = mailThat(0);
  await run(mail);
  sent.length = 0;
  reported.length = 0;
  await tell();
  await run(mail);
  assert.deepEqual(
    sent.map(({ to, subject }) => [to.email, subject]),
    [['robin@ops.example', 'Kim made a key']],
  );
  assert.deepEqual(reported, [
    { event: 'operators.changed', change: 'key_created', subject: 'Kim made a key' },
  ]);
  assert.equal(await run(mail), 0, 'nothing is left');
});

test('an email that the mail server does not accept is tried again', async () => {
  const { mail, sent } = mailThat(1);
  await tell();
  await run(mail);
  assert.equal(sent.length, 0);
  own.clock.at = own.clock.at.add({ minutes: 2 });
  await run(mail);
  assert.equal(sent.length, 1);
});
