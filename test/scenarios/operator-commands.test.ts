import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { request } from 'undici';
import { type Operator, operatorOf } from '../../server/test-support/operator.ts';
import { startTestService, type TestService } from '../../server/test-support/service.ts';

let s: TestService;
let robin: Operator;

before(async () => {
  s = await startTestService();
  robin = await operatorOf(s);
});

after(() => s.close());

const WHY = ['--reason', 'fraud alert'];

async function me(key: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}` };
  const { statusCode, body } = await request(`${s.running.operatorUrl}/admin/v1/me`, { headers });
  await body.dump();
  return statusCode;
}

test('an operator made on the command line calls the running service, until the key is revoked', async () => {
  const made = JSON.parse(await robin.does('operator', 'create', 'Sam Oak'));
  assert.equal(made.operator.created_by, 'Robin Fern');
  assert.equal(await me(made.secret), 200);
  await robin.does('operator', 'revoke', 'Sam Oak', made.key.id);
  assert.equal(await me(made.secret), 401);
});

test('a merchant suspended on the command line gets 409 from the running service, and sees since when', async () => {
  assert.match(await robin.does('merchant', 'suspend', s.merchantId, ...WHY), /is suspended/);
  assert.match(await robin.refused('merchant', 'suspend', s.merchantId, ...WHY), /already/);
  const body = {
    amount: { value: 100, currency: 'GBP' },
    frequency: 'monthly',
    customer: { phone: '+447700900123' },
    description: 'Gym',
  };
  const refused = await s.api<{ error: { code: string } }>('POST', '/api/v1/schedules', body);
  assert.deepEqual([refused.status, refused.body.error.code], [409, 'merchant_suspended']);
  const { body: merchant } = await s.api('GET', '/api/v1/merchant');
  assert.match(String(merchant.suspended_since), /^2026-01-05T/);
  assert.equal(merchant.pay_outs_held_since, null);
  await robin.does('merchant', 'resume', s.merchantId, ...WHY);
  assert.equal((await s.api('POST', '/api/v1/schedules', body)).status, 200);
});

test('pay-outs are held and a bank is stopped by commands, and an unknown one is refused', async () => {
  assert.match(await robin.does('merchant', 'hold', s.merchantId, ...WHY), /pay-outs held/);
  assert.match(await robin.does('merchant', 'release', s.merchantId, ...WHY), /released/);
  assert.match(
    await robin.refused('merchant', 'release', s.merchantId, ...WHY),
    /no pay-outs held/,
  );
  assert.match((await robin.run('bank', 'stop', 'nobank', ...WHY)).err, /No such bank/);
});

test('one command holds everything and one releases it, but for what was held for another reason', async () => {
  const bankId = 'northbank';
  const { body: schedule } = await s.api('POST', '/api/v1/schedules', {
    amount: { value: 100, currency: 'GBP' },
    frequency: 'monthly',
    customer: { phone: '+447700900124' },
    description: 'Gym',
  });
  await s.api('POST', `/sandbox/schedules/${schedule.id}/consent`, { decision: 'grant' });
  const payOutsHeld = async (): Promise<boolean> =>
    (await s.api('GET', '/api/v1/merchant')).body.pay_outs_held_since !== null;
  await robin.does('bank', 'stop', bankId, ...WHY);
  const restored = ['--reason', 'restored'];
  const held = await robin.does('hold', 'everything', ...restored);
  assert.match(held, /pay-outs of 1 merchant held/);
  assert.ok(!held.includes(bankId), held);
  assert.ok(await payOutsHeld());
  assert.match(await robin.refused('hold', 'everything', ...restored), /held already/);

  const release = (heldFor: string): string[] => [
    'release',
    'everything',
    '--held-for',
    heldFor,
    '--reason',
    'the books agree',
  ];
  assert.match(await robin.refused(...release('restore')), /nothing is held for the reason/);
  await robin.does(...release('restored'));
  assert.ok(!(await payOutsHeld()));
  assert.match(await robin.does('bank', 'resume', bankId, ...WHY), /resumed/);
});
