import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startMailServer } from '../../test-support/mail-server.ts';
import { readConfig } from '../platform/config.ts';
import { mailFindings } from './check-config.ts';

const configOf = (url: string) =>
  readConfig({ SMTP_URL: url, MAIL_FROM: 'Recollect <notices@pay.example>' });

test('a mail server is asked whether it takes us, and gets no email', async () => {
  const server = await startMailServer();
  const good = await mailFindings(configOf(server.url));
  assert.deepEqual(good, [
    { level: 'good', setting: 'SMTP_URL', says: 'answers, and lets us sign in' },
  ]);
  assert.equal(server.received.length, 0);
  await server.close();
  const [bad] = await mailFindings(configOf(server.url));
  assert.equal(bad?.level, 'problem');
  assert.match(bad?.says ?? '', /^does not take us: .*ECONNREFUSED/);
  assert.deepEqual(await mailFindings(readConfig({})), []);
});

test('an address alone sends nothing: server and sender go together', () => {
  assert.throws(() => readConfig({ SMTP_URL: 'smtp://mail.example' }), /MAIL_FROM must be set too/);
  assert.throws(() => readConfig({ MAIL_FROM: 'a@b.example' }), /SMTP_URL must be set too/);
});
