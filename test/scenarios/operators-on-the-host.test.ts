import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { request } from 'undici';
import { type Operator, operatorOf } from '../../server/test-support/operator.ts';
import { startTestService, type TestService } from '../../server/test-support/service.ts';

// What commands do on the database itself: what must work where no service runs, and nobody has a key.

let s: TestService;
let robin: Operator;

before(async () => {
  s = await startTestService();
  robin = (await operatorOf(s)).with({ SUDO_USER: 'mallory' });
});

after(() => s.close());

async function me(key: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}` };
  const { statusCode, body } = await request(`${s.running.operatorUrl}/admin/v1/me`, { headers });
  await body.dump();
  return statusCode;
}

const actions = async (): Promise<string[]> =>
  (await robin.gets('activity', 'list', '--operator', 'host:mallory')).data.map(
    ({ action }: { action: string }) => action,
  );

test('the first two operators are made on the host, under its login; from then on two of them agree', async () => {
  const made = JSON.parse(await robin.does('operator', 'create', 'Kim Ash', '--roles', 'security'));
  assert.equal(made.operator.created_by, 'mallory');
  assert.equal(await me(made.secret), 200);
  assert.ok((await actions()).includes('operator_created'));
  assert.match(
    await robin.refused('operator', 'create', 'Lee Elm'),
    /Two operators can agree on it: recollect operator invite asks for it/,
  );
  assert.match(
    await robin.refused('operator', 'key', 'Kim Ash'),
    /recollect operator send-key asks for it/,
  );
});

test('a leaked key is revoked on the host, whoever is left, and whoever gets the next one there is a newcomer', async () => {
  const { id: keyId } = (await robin.gets('operator', 'keys', await idOf('Kim Ash'))).data[0];
  await robin.does('operator', 'shut-out', 'Kim Ash', keyId);
  const again = JSON.parse(await robin.does('operator', 'key', 'Kim Ash', '--name', 'next'));
  assert.equal(await me(again.secret), 200);
  assert.notEqual(again.operator.newcomer_until, null);
  const kim = robin.with({ RECOLLECT_OPERATOR_KEY: again.secret });
  assert.match(
    await kim.refused('operator', 'remove', 'Robin Fern'),
    /less than 72 hours ago/,
    'the host is no way round the rule of two',
  );
});

const idOf = async (name: string): Promise<string> =>
  (await robin.gets('operator', 'list')).data.find((one: { name: string }) => one.name === name).id;

test('one command holds everything and one releases it, but for what was held for another reason', async () => {
  const WHY = ['--reason', 'fraud alert'];
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
  const { pay_outs_held: hold } = await robin.gets('merchant', 'show', s.merchantId);
  assert.deepEqual([hold.by, hold.reason], ['host:mallory', 'restored']);
  assert.match(await robin.refused('hold', 'everything', ...restored), /held already/);

  const release = (heldFor: string): string[] => [
    ...['release', 'everything', '--held-for', heldFor, '--reason', 'the books agree'],
  ];
  assert.match(await robin.refused(...release('restore')), /nothing is held for the reason/);
  await robin.does(...release('restored'));
  assert.ok(!(await payOutsHeld()));
  assert.equal((await robin.gets('bank', 'resume', bankId, ...WHY)).stopped, null);
});
