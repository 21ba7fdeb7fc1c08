import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAloneSettings } from './settings.ts';

test('without a setting everything has its default, and one that is set replaces it', () => {
  const { bank_port, pages_port, public_host } = readAloneSettings({ bank_port: 5011 });
  assert.deepEqual([bank_port, pages_port, public_host], [5011, 4002, 'localhost']);
});

test('a setting that is unknown or wrong is refused by its name', () => {
  for (const [settings, problem] of [
    [{ port: 1 }, /There is no setting port$/],
    [{ constructor: 1 }, /There is no setting constructor$/],
    [{ bank_port: '4011' }, /bank_port must be a port$/],
    [{ host: 'localhost' }, /host must be an IP address$/],
    [{ redirect_uris: [] }, /redirect_uris must be a list of URLs$/],
    [{ issuer_notification_url: 'here' }, /issuer_notification_url must be a URL$/],
    [{ latency_ms: -1 }, /latency_ms must be milliseconds$/],
    [{ issuer_modes: ['odd'] }, /There is no mode "odd"/],
    [[], /not a JSON object$/],
  ] as const)
    assert.throws(() => readAloneSettings(settings), { message: problem });
});
