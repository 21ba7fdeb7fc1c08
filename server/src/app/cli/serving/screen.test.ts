import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Config, readConfig, VERSION } from '../../../platform/config/config.ts';
import { createErrors } from '../../../schedules/request/request.ts';
import { startScreen } from './screen.ts';

const FILE = {
  base_url: 'http://localhost:4000',
  api_key: 'rk_test_abc',
  merchant_id: 'mer_0000000000000000000001',
  portal_url: 'http://localhost:4000/consent',
  dashboard_url: 'http://localhost:4000/dashboard',
  owner_email: 'owner@fernhill.example',
  owner_password: 'a password',
  owner_authenticator: 'secret',
  bank_url: 'http://localhost:4002',
  issuer_url: 'http://127.0.0.1:4003',
  operator_url: 'http://127.0.0.1:4004',
  operator_key: 'ro_test_key',
  second_operator_key: 'ro_test_second',
};
const LINK = 'http://localhost:4000/dashboard/auth/sign-in-link?token=abc';
const NOW = Temporal.Instant.from('2026-03-02T10:00:00.123Z');

/** Returns the screen of a running service with this configuration. */
function screen(config: Partial<Config> = {}): string {
  const running = {
    config: { ...readConfig({}), ...config },
    sandbox: { clock: { now: () => NOW } },
  };
  return startScreen(running as unknown as Parameters<typeof startScreen>[0], FILE, LINK);
}

test('the screen shows what runs where, the time, the merchant and its key', () => {
  const text = screen();
  const { owner_authenticator: _, ...inPlain } = FILE;
  for (const shown of [VERSION, ...Object.values(inPlain), '/docs', '2026-03-02T10:00:00Z'])
    assert.ok(text.includes(shown), shown);
  assert.match(text, /Database +embedded, in \.data/);
});

test('the link that signs the owner in stands alone on its line, and how to get another above it', () => {
  const lines = screen().split('\n');
  assert.equal(lines.filter((line) => line.trim() === LINK).length, 1);
  assert.match(screen(), /Dashboard +http:\/\/localhost:4000\/dashboard\n/);
  assert.match(screen(), /recollect -- user link owner@fernhill\.example\n/);
});

test('of a database elsewhere only the variable is named, for its address holds a password', () => {
  const text = screen({ databaseUrl: 'postgres://a:hunter2@db/x' });
  assert.match(text, /Database +DATABASE_URL/);
  assert.doesNotMatch(text, /hunter2/);
});

test('the line to copy calls this service with this key, and its body has nothing wrong', () => {
  const line = screen()
    .split('\n')
    .find((text) => text.trim().startsWith('curl'));
  assert.ok(line);
  assert.ok(line.includes(`${FILE.base_url}/api/v1/schedules`));
  assert.ok(line.includes(`Authorization: Bearer ${FILE.api_key}`));
  const body: unknown = JSON.parse(/-d '(.*)'$/.exec(line)?.[1] ?? '');
  assert.deepEqual(createErrors(body, NOW), {});
});
