import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { FAKE_KEY, FakeModulr } from '../../../test-support/modulr/fake-modulr.ts';
import { openTrueLayerBench } from '../../../test-support/truelayer/bench.ts';
import type { ModulrConfig } from '../../banks/modulr/config.ts';
import { realNow } from '../../platform/time/clock.ts';
import { checkModulr, checkTrueLayer } from './check-aggregator.ts';

const fake = new FakeModulr(realNow);
let config: ModulrConfig;

before(async () => {
  config = {
    ...FAKE_KEY,
    bankId: 'modulr',
    baseUrl: await fake.start(),
    vrpType: 'UK.OBIE.VRPType.CVRP1',
    merchantCategoryCode: '4899',
    confirmsFunds: true,
    requests: 8000,
    sandbox: true,
  };
});
after(() => fake.close());

test('a good connection names the banks that can be chosen, and makes nothing', async () => {
  assert.deepEqual(await checkModulr(config), [
    { bank: 'modulr', check: 'banks', level: 'good', says: '2 banks: Alder Bank, Sandbox Bank' },
    {
      bank: 'modulr',
      check: 'consents',
      level: 'good',
      says: 'a consent that does not exist is not found',
    },
  ]);
  assert.ok(fake.exchanges.every(({ method }) => method === 'GET'));
});

test('a type of VRP that no bank is enabled for is a problem', async () => {
  const [banks] = await checkModulr({ ...config, vrpType: 'UK.OBIE.VRPType.Sweeping' });
  assert.equal(banks?.level, 'problem');
  assert.match(banks.says, /none of \d banks is enabled for this type of VRP/);
});

test('a wrong secret, and a Modulr that does not answer, say what to look at', async () => {
  const refused = await checkModulr({ ...config, secret: 'another' });
  fake.isDown = () => true;
  const silent = await checkModulr(config);
  fake.isDown = () => false;
  for (const { level, says } of [...refused, ...silent]) {
    assert.equal(level, 'problem');
    assert.match(says, /look at base_url, key_id, secret_file/);
  }
});

test('TrueLayer is checked likewise, with a signed call that makes nothing', async (t) => {
  const { fake: atTrueLayer, config: good, close } = await openTrueLayerBench(realNow);
  t.after(close);
  const lines = await checkTrueLayer(good);
  assert.deepEqual(
    lines.map(({ check, level, says }) => `${check} ${level}: ${says}`),
    [
      'banks good: 2 banks: Alder Bank, Rowan Bank',
      'consents good: a consent that does not exist is not found',
    ],
  );
  assert.equal(atTrueLayer.vrp.mandates.size, 0);
  const wrong = [{ clientSecret: 'another' }, { signingKid: 'another' }, { useCase: 'government' }];
  for (const changes of wrong) {
    const [banks] = await checkTrueLayer({ ...good, ...changes });
    assert.equal(banks?.level, 'problem', JSON.stringify(changes));
  }
});
