import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startIdentityProvider } from '../../../test-support/identity-provider.ts';
import { startMailServer } from '../../../test-support/mail-server.ts';
import { readConfig } from '../../platform/config/config.ts';
import { checkConfigCommand } from '../cli/serving/check-config.ts';
import { mailFindings, signOnFindings, textFinding } from './check-config.ts';

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

test('a mail server without TLS is refused where TLS is needed, before it hears a password', async () => {
  const server = await startMailServer();
  const [found] = await mailFindings({ ...configOf(server.url), smtpNeedsTls: true });
  assert.equal(found?.level, 'problem');
  assert.match(found?.says ?? '', /^does not take us: .*STARTTLS/);
  await server.close();
});

test('an address alone sends nothing: server and sender go together', () => {
  assert.throws(() => readConfig({ SMTP_URL: 'smtp://mail.example' }), /MAIL_FROM must be set too/);
  assert.throws(() => readConfig({ MAIL_FROM: 'a@b.example' }), /SMTP_URL must be set too/);
});

test('text messages need address and token, are good without them, and the address is never printed', async () => {
  const { says } = textFinding(readConfig({}));
  assert.equal(says, 'is not set: customers without an email address are told nothing');
  const env = { SMS_URL: 'https://sms.example/?key=hush', SMS_TOKEN: 'secret-token' };
  assert.throws(() => readConfig({ SMS_URL: env.SMS_URL }), /SMS_TOKEN must be set too/);
  assert.throws(() => readConfig({ SMS_TOKEN: env.SMS_TOKEN }), /SMS_URL must be set too/);
  const { lines, isGood } = await checkConfigCommand(env);
  assert.ok(isGood);
  assert.ok(lines.includes('good     SMS_URL is set'), lines.join('\n'));
  assert.ok(lines.some((line) => /^good {5}SMS_URL is not tried here/.test(line)));
  assert.doesNotMatch(lines.join(), /hush|secret-token|^warning/m);
});

test('the operators’ identity provider is asked whether it is one, and its secret is never printed', async () => {
  const provider = await startIdentityProvider(['http://127.0.0.1:4004/console/sso/return']);
  const env = {
    OPERATOR_URL: 'http://127.0.0.1:4004',
    OPERATOR_SSO_ISSUER: provider.issuer,
    OPERATOR_SSO_CLIENT_ID: provider.client.client_id,
    OPERATOR_SSO_CLIENT_SECRET: provider.client.client_secret,
  };
  const { lines, isGood } = await checkConfigCommand(env);
  assert.ok(isGood, lines.join('\n'));
  assert.ok(lines.includes('good     OPERATOR_SSO_ISSUER answers as an OpenID provider'));
  assert.ok(!lines.join().includes(provider.client.client_secret));
  await provider.close();
  const [bad] = await signOnFindings(readConfig(env));
  assert.match(bad?.says ?? '', /^does not answer as an OpenID provider: .*ECONNREFUSED/);
  assert.deepEqual(await signOnFindings(readConfig({})), []);
});
