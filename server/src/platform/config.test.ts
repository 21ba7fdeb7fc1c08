import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Config, readConfig, VARIABLES, VERSION } from './config.ts';

const KEY = Buffer.alloc(32, 1).toString('base64');
const OTHER = Buffer.alloc(32, 2).toString('base64');
const ISSUER = {
  ISSUER_URL: 'https://issuer.example/',
  ISSUER_KEY_ID: 'key-1',
  ISSUER_SECRET: 'sssh',
  ISSUER_NOTIFICATION_SECRET: 'ssssh',
};
const LIVE = {
  ...ISSUER,
  MODE: 'live',
  BASE_URL: 'https://collect.example',
  ENCRYPTION_KEYS: `k1:${KEY}`,
  BLIND_INDEX_KEY: OTHER,
  BANKS_FILE: '/etc/recollect/banks.json',
};

type Name = keyof typeof VARIABLES;

/** Of every variable: texts that are taken, with what they become; and texts that are refused. */
const CASES: Record<
  Name,
  { set?: object; good: [string, unknown, (c: Config) => unknown][]; bad: string[] }
> = {
  MODE: { good: [['sandbox', 'sandbox', (c) => c.mode]], bad: ['production', 'Live'] },
  ROLES: {
    good: [
      ['engine', ['engine'], (c) => c.roles],
      ['api, portal', ['api', 'portal'], (c) => c.roles],
    ],
    bad: ['worker', 'api,', 'api;engine'],
  },
  HOST: { good: [['0.0.0.0', '0.0.0.0', (c) => c.host]], bad: [] },
  PORT: {
    good: [
      ['8080', 8080, (c) => c.port],
      ['0', 0, (c) => c.port],
    ],
    bad: ['65536', '-1', '80.5', 'http'],
  },
  TRUST_PROXY: {
    good: [
      ['10.0.0.1', ['10.0.0.1'], (c) => c.trustProxy],
      ['10.0.0.0/8, ::1', ['10.0.0.0/8', '::1'], (c) => c.trustProxy],
    ],
    bad: ['proxy.example', '10.0.0.0/x', '10.0.0.0/8/8', 'true'],
  },
  BASE_URL: {
    good: [['https://pay.example/', 'https://pay.example', (c) => c.baseUrl]],
    bad: ['pay.example', 'ftp://pay.example'],
  },
  DATA_DIR: { good: [['/var/lib/recollect', '/var/lib/recollect', (c) => c.dataDir]], bad: [] },
  DATABASE_URL: {
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
  ENCRYPTION_KEYS: {
    good: [
      [`k2:${OTHER},k1:${KEY}`, ['k2', 'k1'], (c) => [...(c.encryptionKeys?.keys() ?? [])]],
      [`k1:${KEY}`, KEY, (c) => c.encryptionKeys?.get('k1')?.toString('base64')],
    ],
    bad: [KEY, 'k1:short', `k 1:${KEY}`, `k1:${KEY}:x`, `k1:${KEY},`, `k1:${KEY},k1:${OTHER}`],
  },
  BLIND_INDEX_KEY: {
    good: [[KEY, KEY, (c) => c.blindIndexKey?.toString('base64')]],
    bad: ['short', `${KEY}${KEY}`],
  },
  BANKS_FILE: { good: [['banks.json', 'banks.json', (c) => c.banksFile]], bad: [] },
  ISSUER_URL: {
    set: ISSUER,
    good: [['https://i.example/v', 'https://i.example/v', (c) => c.issuer?.url]],
    bad: ['i'],
  },
  ISSUER_KEY_ID: { set: ISSUER, good: [['me', 'me', (c) => c.issuer?.keyId]], bad: [] },
  ISSUER_SECRET: { set: ISSUER, good: [['s', 's', (c) => c.issuer?.secret]], bad: [] },
  ISSUER_NOTIFICATION_SECRET: {
    set: ISSUER,
    good: [['n', 'n', (c) => c.issuer?.notificationSecret]],
    bad: [],
  },
  VRP_TYPE: { good: [['Sweeping', 'Sweeping', (c) => c.vrpType]], bad: ['sweeping', 'CVRP9'] },
  LINK_LIFETIME: {
    good: [
      ['P7D', 'P7D', (c) => c.linkLifetime.toString()],
      ['PT30M', 'PT30M', (c) => c.linkLifetime.toString()],
    ],
    bad: ['7 days', 'P', '-P7D', 'PT0S'],
  },
  WEBHOOK_TIMEOUT_MS: { good: [['5000', 5000, (c) => c.webhookTimeoutMs]], bad: ['99', '60001'] },
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

test('a live service is given its keys, its banks, its issuer and an https address', () => {
  assert.equal(readConfig(LIVE).mode, 'live');
  for (const name of ['ENCRYPTION_KEYS', 'BLIND_INDEX_KEY', 'BANKS_FILE', 'BASE_URL'])
    assert.throws(() => readConfig({ ...LIVE, [name]: '' }), new RegExp(`needs ${name}`), name);
  assert.throws(() => readConfig({ ...LIVE, BASE_URL: 'http://collect.example' }), /https/);
  assert.throws(
    () => readConfig({ MODE: 'live' }),
    /needs ENCRYPTION_KEYS, BLIND_INDEX_KEY, BANKS_FILE, ISSUER_URL, BASE_URL \(https\)/,
  );
});

test('the version is that of the package', () => {
  assert.match(VERSION, /^\d+\.\d+\.\d+/);
});
