import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTestService, type TestService } from '../../server/test-support/service.ts';
import { signIn } from './signed-in.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ env: { TRUST_PROXY: '127.0.0.1' } });
});
after(() => service.close());

test('behind a proxy the address that it names counts, and a refusal is in the request log', async () => {
  const body = { name: 'Bound', scopes: ['schedules'], allowed_ips: ['203.0.113.9'] };
  const { cookie } = await signIn(service, service.merchantId, 'owner', 'kim@fernhill.example');
  const ask = async (method: string, path: string, sent?: object) => {
    const response = await fetch(`${service.baseUrl}/dashboard${path}`, {
      method,
      headers: { cookie, origin: service.baseUrl, 'content-type': 'application/json' },
      ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
    });
    return (await response.json()) as { key: string; data: { error_code: string }[] };
  };
  const { key } = await ask('POST', '/api/v1/api_keys', body);
  const from = async (forwarded: string | null): Promise<number> => {
    const headers: Record<string, string> = { authorization: `Bearer ${key}` };
    if (forwarded !== null) headers['x-forwarded-for'] = forwarded;
    return (await service.api('GET', '/api/v1/schedules', undefined, headers)).status;
  };
  assert.equal(await from('203.0.113.9'), 200);
  assert.equal(await from('198.51.100.7, 203.0.113.9'), 200, 'the proxy adds the last one');
  assert.equal(await from('203.0.113.9, 198.51.100.7'), 403, 'the first one is the caller’s word');
  assert.equal(await from(null), 403);
  const refused = async () => (await ask('GET', '/api/requests?outcome=errors')).data;
  let data = await refused();
  for (let tries = 0; tries < 600 && data.length < 2; tries++) {
    await sleep(100); // the log of requests is written after the response
    data = await refused();
  }
  assert.deepEqual(
    data.map((one) => one.error_code),
    ['address_not_allowed', 'address_not_allowed'],
  );
});
