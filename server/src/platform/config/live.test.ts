import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ISSUER } from '../../../test-support/settings/issuer.ts';
import { KEY, LIVE, problemsOf } from '../../../test-support/settings/live.ts';
import { readConfig } from './config.ts';
import { API_SECRETS } from './rules.ts';

test('a live service that lacks settings names all of them at once, a line each', () => {
  assert.deepEqual(problemsOf(LIVE), []);
  const needed = Object.keys(LIVE).filter((name) => name !== 'MODE');
  const lines = problemsOf({ MODE: 'live' });
  assert.deepEqual(lines.map((line) => line.split(' ')[0]).sort(), needed.sort());
  for (const name of needed) {
    const [line = '', ...others] = problemsOf({ ...LIVE, [name]: '' });
    assert.match(line, new RegExp(`^${name} must be set`));
    assert.deepEqual(others, []);
  }
});

test('the mode is said where the database is', () => {
  const { MODE, ...rest } = LIVE;
  assert.deepEqual(problemsOf(rest), [
    'MODE must be set where DATABASE_URL is set: MODE=live, or MODE=sandbox',
  ]);
  assert.deepEqual(problemsOf({ ...rest, MODE }), []);
});

/** A login, or an email, that would cross a network in the clear. */
function refusedWithoutTls(): typeof REFUSED {
  const database = 'postgres://a@db.fern.example/x';
  const mail = { MAIL_FROM: 'a@fern.example' };
  return {
    'a database without TLS': [{ DATABASE_URL: database }, 'DATABASE_URL'],
    'a database whose certificate nobody checks': [
      { DATABASE_URL: `${database}?sslmode=require` },
      'DATABASE_URL',
    ],
    'a database without TLS after all': [
      { DATABASE_URL: `${database}?sslmode=verify-full&sslmode=disable` },
      'DATABASE_URL',
    ],
    'a database elsewhere behind a local name': [
      { DATABASE_URL: 'postgres://a@127.0.0.1/x?host=db.fern.example' },
      'DATABASE_URL',
    ],
    'an owner’s login without TLS': [{ MIGRATE_DATABASE_URL: database }, 'MIGRATE_DATABASE_URL'],
    'a mail server whose certificate nobody checks': [
      { ...mail, SMTP_URL: 'smtps://mail.fern.example?tls.rejectUnauthorized=false' },
      'SMTP_URL',
    ],
    'a mail server without TLS': [
      { ...mail, SMTP_URL: 'smtp://mail.fern.example?ignoreTLS=true' },
      'SMTP_URL',
    ],
  };
}

/** What a live service rejects: overrides of good settings, and the setting that the error names. */
const REFUSED: Record<string, [env: Record<string, string>, named: string]> = {
  'a public address without TLS': [{ BASE_URL: 'http://collect.fernpayments.co.uk' }, 'BASE_URL'],
  'a public address with a query': [
    { BASE_URL: 'https://collect.fernpayments.co.uk?a=b' },
    'BASE_URL',
  ],
  'an issuer without TLS': [{ ISSUER_URL: 'http://issuer.hillemoney.co.uk' }, 'ISSUER_URL'],
  'an issuer on this machine without TLS': [{ ISSUER_URL: 'http://127.0.0.1:9' }, 'ISSUER_URL'],
  'a secret of one letter': [{ ISSUER_SECRET: 'x' }, 'ISSUER_SECRET'],
  'a secret of one letter, often': [{ ISSUER_SECRET: 'x'.repeat(64) }, 'ISSUER_SECRET'],
  'a placeholder': [{ ISSUER_SECRET: 'change-me-change-me-change-me' }, 'ISSUER_SECRET'],
  'a placeholder for the key': [{ ISSUER_KEY_ID: 'your-key-id' }, 'ISSUER_KEY_ID'],
  'an example for the public address': [{ BASE_URL: 'https://pay.example.com' }, 'BASE_URL'],
  'an example for the issuer': [{ ISSUER_URL: 'https://issuer.example.com:8443/v1' }, 'ISSUER_URL'],
  'an example for an address': [{ FIRM_EMAIL: 'help@payments.example' }, 'FIRM_EMAIL'],
  'an example for reports': [{ SECURITY_CONTACT: 'sec@fern.example' }, 'SECURITY_CONTACT'],
  'an example for a page': [{ FIRM_TERMS_URL: 'https://www.example.com/t' }, 'FIRM_TERMS_URL'],
  'a placeholder in the database': [
    { DATABASE_URL: 'postgres://a:changeme@127.0.0.1/x' },
    'DATABASE_URL',
  ],
  'one secret for both directions': [
    { ISSUER_NOTIFICATION_SECRET: ISSUER.ISSUER_SECRET },
    'ISSUER_NOTIFICATION_SECRET',
  ],
  'a key that is not random': [
    { ENCRYPTION_KEYS: `k1:${Buffer.alloc(32).toString('base64')}` },
    'ENCRYPTION_KEYS',
  ],
  'an index key that is not random': [
    { BLIND_INDEX_KEY: Buffer.alloc(32, 7).toString('base64') },
    'BLIND_INDEX_KEY',
  ],
  'one key for both purposes': [{ BLIND_INDEX_KEY: KEY }, 'BLIND_INDEX_KEY'],
  'everybody as a proxy': [{ TRUST_PROXY: '0.0.0.0/0' }, 'TRUST_PROXY'],
  'everybody as proxies, in halves': [{ TRUST_PROXY: '0.0.0.0/1,128.0.0.0/1' }, 'TRUST_PROXY'],
  'every IPv6 address as a proxy': [{ TRUST_PROXY: '10.0.0.1,2000::/3' }, 'TRUST_PROXY'],
  'one person for a million pounds': [
    { FOUR_EYES_ABOVE_PENCE: '99999999999' },
    'FOUR_EYES_ABOVE_PENCE',
  ],
  ...refusedWithoutTls(),
};
for (const [what, [env, named]] of Object.entries(REFUSED))
  test(`a live service refuses ${what}, in one line that names ${named}`, () => {
    const lines = problemsOf({ ...LIVE, ...env });
    assert.equal(lines.length, 1, lines.join('\n'));
    assert.match(lines[0] ?? '', new RegExp(`^${named} `));
  });

test('a sandbox takes what a live service refuses', () => {
  for (const [env] of Object.values(REFUSED))
    assert.deepEqual(problemsOf({ ...LIVE, MODE: 'sandbox', ...env }), []);
});

test('a connection without TLS is taken on this machine, and where it is allowed by name', () => {
  for (const DATABASE_URL of [
    'postgres://a@127.0.0.1/x',
    'postgres://a@localhost/x',
    'postgres://a@[::1]/x',
    'postgres://a@db.example/x?host=/run/postgresql',
    'postgres:///x',
  ])
    assert.deepEqual(problemsOf({ ...LIVE, DATABASE_URL }), [], DATABASE_URL);
  const away = {
    ...LIVE,
    DATABASE_URL: 'postgres://a@db/x',
    MIGRATE_DATABASE_URL: 'postgres://b@db/x',
  };
  assert.deepEqual(problemsOf({ ...away, DATABASE_TLS: 'off' }), []);
  const [line = ''] = problemsOf(away);
  assert.match(line, /sslmode=verify-full .*set DATABASE_TLS=off$/);
});

test('emails leave a live service over TLS alone, save to this machine or where it is allowed by name', () => {
  const needs = (env: Record<string, string>) =>
    readConfig({ ...LIVE, MAIL_FROM: 'a@fern.example', ...env }).smtpNeedsTls;
  assert.equal(needs({ SMTP_URL: 'smtp://mail.fern.example' }), true);
  assert.equal(needs({ SMTP_URL: 'smtp://mail.fern.example', SMTP_TLS: 'off' }), false);
  assert.equal(needs({ SMTP_URL: 'smtp://127.0.0.1:25' }), false);
  assert.equal(needs({ SMTP_URL: 'smtp://mail.fern.example', MODE: 'sandbox' }), false);
});

test('a process without the role api needs none of its secrets', () => {
  const left = Object.fromEntries(API_SECRETS.map((name) => [name, '']));
  assert.deepEqual(problemsOf({ ...LIVE, ...left, ROLES: 'portal,engine' }), []);
  assert.deepEqual(
    problemsOf({ ...LIVE, ...left, ROLES: 'api' }).map((line) => line.split(' ')[0]),
    ['ISSUER_NOTIFICATION_SECRET'],
  );
});
