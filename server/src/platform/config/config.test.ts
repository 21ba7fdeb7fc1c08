import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIRM_ENV } from '../../../test-support/firm.ts';
import { BRAND_CASES, LOGO } from '../../../test-support/settings/brand.ts';
import { CONSOLE_CASES } from '../../../test-support/settings/console.ts';
import { GRAMMAR_CASES } from '../../../test-support/settings/grammar.ts';
import { ISSUER, ISSUER_CASES } from '../../../test-support/settings/issuer.ts';
import { KEY, OTHER, THIRD } from '../../../test-support/settings/live.ts';
import { NOTICE_CASES, type SettingCase } from '../../../test-support/settings/notices.ts';
import { readConfig, VARIABLES, VERSION } from './config.ts';

type Name = keyof typeof VARIABLES;

/** For every variable. */
const CASES: Record<Name, SettingCase> = {
  MODE: { good: [['sandbox', 'sandbox', (c) => c.mode]], bad: ['production', 'Live'] },
  ROLES: GRAMMAR_CASES.ROLES,
  ENGINES: {
    good: [
      ['1', 1, (c) => c.engines.count],
      ['auto', 1, (c) => c.engines.count],
    ],
    bad: ['0', '65', 'all', '2.5'],
  },
  HOST: GRAMMAR_CASES.HOST,
  PORT: GRAMMAR_CASES.PORT,
  OPERATOR_HOST: { good: [['::1', '::1', (c) => c.operatorHost]], bad: ['localhost', 'a:4004'] },
  OPERATOR_PORT: { good: [['0', 0, (c) => c.operatorPort]], bad: ['65536', '-1', 'none'] },
  ...CONSOLE_CASES,
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    good: [['http://collector:4318', true, (c) => c.telemetry]],
    bad: ['collector:4318'],
  },
  OTEL_SDK_DISABLED: { good: [['true', false, (c) => c.telemetry]], bad: ['yes'] },
  MAX_CONNECTIONS: {
    good: [['500', 500, (c) => c.maxConnections]],
    bad: ['9', '100001', 'many'],
  },
  TRUST_PROXY: GRAMMAR_CASES.TRUST_PROXY,
  BASE_URL: GRAMMAR_CASES.BASE_URL,
  DATA_DIR: { good: [['/var/lib/recollect', '/var/lib/recollect', (c) => c.dataDir]], bad: [] },
  DATABASE_URL: {
    set: { MODE: 'sandbox' },
    good: [
      ['postgres://a@db/x', 'postgres://a@db/x', (c) => c.databaseUrl],
      [
        'postgresql://db/x?sslmode=verify-full',
        'postgresql://db/x?sslmode=verify-full',
        (c) => c.databaseUrl,
      ],
    ],
    bad: ['mysql://db/x', 'db'],
  },
  MIGRATE_DATABASE_URL: {
    set: { MODE: 'sandbox' },
    good: [['postgres://owner@db/x', 'postgres://owner@db/x', (c) => c.migrateUrl]],
    bad: ['mysql://db/x', 'db'],
  },
  DATABASE_TLS: { good: [['off', null, (c) => c.databaseUrl]], bad: ['on', 'Off', 'require'] },
  DATABASE_CONNECTIONS: {
    good: [['50', 50, (c) => c.databaseConnections]],
    bad: ['2', '1001', 'many'],
  },
  REDIS_URL: {
    good: [['rediss://r:6380', 'rediss://r:6380', (c) => c.redisUrl]],
    bad: ['r:6380/x', 'http://r'],
  },
  LOG_LEVEL: { good: [['debug', 'debug', (c) => c.logLevel]], bad: ['loud'] },
  RATE_LIMIT_PER_MINUTE: { good: [['60', 60, (c) => c.rateLimitPerMinute]], bad: ['0', '1000001'] },
  REQUEST_LOG: { good: [['all', 'all', (c) => c.requestLog]], bad: ['none'] },
  SECRETS_DIR: { good: [], bad: [] },
  ENCRYPTION_KEYS: {
    set: { BLIND_INDEX_KEY: THIRD },
    good: [
      [`k2:${OTHER},k1:${KEY}`, ['k2', 'k1'], (c) => [...(c.encryptionKeys?.keys() ?? [])]],
      [`k1:${KEY}`, KEY, (c) => c.encryptionKeys?.get('k1')?.toString('base64')],
    ],
    bad: [
      KEY,
      'k1:short',
      `k 1:${KEY}`,
      `k1:${KEY}:x`,
      `k1:${KEY},`,
      `k1:${KEY},k1:${OTHER}`,
      `k1:${KEY},k2:${KEY}`,
    ],
  },
  BLIND_INDEX_KEY: {
    set: { ENCRYPTION_KEYS: `k1:${OTHER}` },
    good: [[KEY, KEY, (c) => c.blindIndexKey?.toString('base64')]],
    bad: ['short', `${KEY}${KEY}`],
  },
  SIGNING_KEYS: {
    set: { BLIND_INDEX_KEY: THIRD, ENCRYPTION_KEYS: `k1:${OTHER}` },
    good: [
      [`s1:${KEY},derived`, ['s1', 'derived'], (c) => [...(c.signingKeys?.keys() ?? [])]],
      [`derived,s1:${KEY}`, KEY, (c) => c.signingKeys?.get('s1')?.toString('base64')],
      ['derived', null, (c) => c.signingKeys?.get('derived')],
    ],
    bad: [KEY, 's1:short', 'derived,derived', `derived:${KEY}`, `s1:${KEY},s1:${OTHER}`, 'other'],
  },
  BANKS_FILE: { good: [['banks.json', 'banks.json', (c) => c.banksFile]], bad: [] },
  ...ISSUER_CASES,
  ...BRAND_CASES,
  FIRM_NAME: {
    good: [['Fern Ltd', 'Fern Ltd', (c) => c.firm.name]],
    bad: [' ', 'Fern Ltd ', '123', '<name>'],
  },
  FIRM_FCA_REFERENCE: {
    good: [['123456', '123456', (c) => c.firm.fcaReference]],
    bad: ['FRN 123456', '12345', '12345678'],
  },
  FIRM_EMAIL: {
    good: [['help@fern.example', 'help@fern.example', (c) => c.firm.email]],
    bad: ['Fern <help@fern.example>', 'help'],
  },
  FIRM_TERMS_URL: {
    good: [['https://fern.example/t', 'https://fern.example/t', (c) => c.firm.termsUrl]],
    bad: ['http://fern.example/t', 'fern.example'],
  },
  FIRM_PRIVACY_URL: {
    good: [['https://fern.example/p', 'https://fern.example/p', (c) => c.firm.privacyUrl]],
    bad: ['javascript:alert(1)'],
  },
  FIRM_COMPLAINTS_URL: {
    good: [['https://fern.example/c', 'https://fern.example/c', (c) => c.firm.complaintsUrl]],
    bad: ['mailto:a@b.example'],
  },
  OMBUDSMAN_NAME: { good: [['The FOS', 'The FOS', (c) => c.firm.ombudsman.name]], bad: ['-'] },
  OMBUDSMAN_URL: {
    good: [['https://fos.example', 'https://fos.example', (c) => c.firm.ombudsman.url]],
    bad: ['fos.example'],
  },
  ISSUER_NAME: { good: [['Hill Ltd', 'Hill Ltd', (c) => c.firm.issuer.name]], bad: ['.'] },
  ISSUER_FCA_REFERENCE: {
    good: [['7654321', '7654321', (c) => c.firm.issuer.fcaReference]],
    bad: ['none'],
  },
  SECURITY_CONTACT: {
    good: [
      ['sec@fern.example', 'mailto:sec@fern.example', (c) => c.firm.securityContact],
      ['s?cc=x%@fern.example', 'mailto:s%3Fcc%3Dx%25@fern.example', (c) => c.firm.securityContact],
      ['https://fern.example/s', 'https://fern.example/s', (c) => c.firm.securityContact],
    ],
    bad: ['http://fern.example/s', 'Fern <sec@fern.example>', 'a@b.example\nContact: c@d.example'],
  },
  PAYMENT_SCHEME: {
    good: [['sweeping', 'sweeping', (c) => c.paymentScheme]],
    bad: ['Sweeping', 'CVRP1'],
  },
  EXTRA_BANK_HOLIDAYS: GRAMMAR_CASES.EXTRA_BANK_HOLIDAYS,
  WITHOUT_BANK_HOLIDAYS: GRAMMAR_CASES.WITHOUT_BANK_HOLIDAYS,
  SAFEGUARDING_SEAT: {
    good: [['institution', 'institution', (c) => c.safeguarding.seat]],
    bad: ['issuer'],
  },
  SAFEGUARDING_AT: {
    good: [['06:30', '06:30:00', (c) => c.safeguarding.at.toString()]],
    bad: ['6:30', '23:00', '24:00', 'noon'],
  },
  CUSTOMERS_KEPT_FOR: {
    good: [
      ['P6Y', 'P6Y', (c) => c.customersKeptFor?.toString()],
      ['off', null, (c) => c.customersKeptFor],
    ],
    bad: ['P0Y', '6', 'P100Y', 'P6M', 'none'],
  },
  LINK_LIFETIME: GRAMMAR_CASES.LINK_LIFETIME,
  FOUR_EYES_ABOVE_PENCE: {
    good: [['0', 0, (c) => c.fourEyesAbovePence]],
    bad: ['-1', '1.5', '£100'],
  },
  FEE_WALLET_HOLDER: {
    good: [['Hillside Payments Ltd', 'Hillside Payments Ltd', (c) => c.feeWalletHolder]],
    bad: [],
  },
  WEBHOOK_TIMEOUT_MS: { good: [['5000', 5000, (c) => c.webhookTimeoutMs]], bad: ['99', '60001'] },
  ...NOTICE_CASES,
  SANDBOX_BANK_PORT: { good: [['5001', 5001, (c) => c.sandboxBankPort]], bad: ['x'] },
  SANDBOX_BANK_PAGES_PORT: { good: [['5002', 5002, (c) => c.sandboxBankPagesPort]], bad: ['x'] },
  SANDBOX_ISSUER_PORT: { good: [['5003', 5003, (c) => c.sandboxIssuerPort]], bad: ['x'] },
  SANDBOX_ISSUER_MODES: {
    good: [
      [
        'new_event_ids, expiring_keys,new_event_ids',
        ['new_event_ids', 'expiring_keys'],
        (c) => c.sandboxIssuerModes,
      ],
    ],
    bad: ['friendly', 'new_event_ids,', 'NEW_EVENT_IDS'],
  },
};

for (const [name, { set = {}, good, bad }] of Object.entries(CASES))
  test(`${name} takes what it should, and says so by name where it does not`, () => {
    for (const [text, expected, read] of good)
      assert.deepEqual(read(readConfig({ ...set, [name]: text })), expected, text);
    for (const text of bad)
      assert.throws(
        () => readConfig({ ...set, [name]: text }),
        (error: Error) => error.name === 'ConfigError' && error.message.startsWith(`${name} must `),
        text,
      );
  });

test('blanks around a value and control characters in it are refused by name, whatever the setting', () => {
  for (const name of Object.keys(VARIABLES))
    for (const text of [' x', 'x ', 'x\r', '\tx', 'x\ny', 'x\u0000'])
      assert.throws(
        () => readConfig({ [name]: text }),
        (error: Error) =>
          new RegExp(`^${name} must (have no blanks|be one line)`, 'm').test(error.message),
        `${name}=${JSON.stringify(text)}`,
      );
});

test('a date cannot be a bank holiday and none', () => {
  const both = { EXTRA_BANK_HOLIDAYS: '2027-06-07', WITHOUT_BANK_HOLIDAYS: '2027-06-07' };
  assert.throws(() => readConfig(both), /WITHOUT_BANK_HOLIDAYS must not name 2027-06-07 too/);
});

test('every variable is tried above', () => {
  assert.deepEqual(Object.keys(CASES), Object.keys(VARIABLES));
});

test('an empty environment is a sandbox on this machine, and an empty text is no text', () => {
  const config = readConfig({});
  assert.equal(config.mode, 'sandbox');
  assert.equal(config.baseUrl, 'http://localhost:4000');
  assert.deepEqual(config.roles, ['api', 'portal', 'engine']);
  assert.equal(config.databaseUrl, null);
  assert.equal(config.issuer, null);
  const empty = Object.fromEntries(Object.keys(VARIABLES).map((name) => [name, '']));
  assert.deepEqual(readConfig(empty), config);
});

test('a sandbox without a firm shows one that is marked as an example', () => {
  assert.equal(readConfig({}).firm.isExample, true);
  const { ISSUER_NAME: _left, ...most } = FIRM_ENV;
  const { firm } = readConfig(most);
  assert.deepEqual([firm.isExample, firm.name], [true, FIRM_ENV.FIRM_NAME]);
  assert.equal(readConfig(FIRM_ENV).firm.isExample, false);
});

test('a logo stands for a name, which must be set with it', () => {
  assert.throws(
    () => readConfig({ BRAND_LOGO: LOGO }),
    /^ConfigError: BRAND_LOGO is set without BRAND_NAME: set both$/,
  );
});

test('the base URL follows the port where none is given', () => {
  assert.equal(readConfig({ PORT: '8080' }).baseUrl, 'http://localhost:8080');
});

test('all wrong variables are named at once, and no secret is repeated', () => {
  const env = {
    PORT: 'x',
    LOG_LEVEL: 'loud',
    ENCRYPTION_KEYS: 'k1:hunter2',
    BLIND_INDEX_KEY: 'hunter3',
  };
  assert.throws(
    () => readConfig(env),
    (error: Error) => {
      for (const name of Object.keys(env)) assert.match(error.message, new RegExp(`\\b${name} `));
      assert.doesNotMatch(error.message, /hunter/);
      return true;
    },
  );
});

test('the issuer is configured as a whole or not at all', () => {
  for (const name of Object.keys(ISSUER))
    assert.throws(() => readConfig({ ...ISSUER, [name]: '' }), /go together/, name);
});

test('a console that nobody could sign in to is refused', () => {
  assert.throws(
    () => readConfig({ OPERATOR_KEY_SIGN_IN: 'off' }),
    /^ConfigError: OPERATOR_KEY_SIGN_IN must not be off/,
  );
});

test('the version is that of the package', () => {
  assert.match(VERSION, /^\d+\.\d+\.\d+/);
});
