import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIVE } from '../../../../test-support/settings/live.ts';
import { readConfig } from '../../../platform/config/config.ts';
import { configOfEngine, waitAfter } from './engines.ts';

const CONFIG = readConfig({ ...LIVE, ENGINES: '3', HOST: '10.0.0.4', PORT: '4002' });

test('the first engine is as it is set', () => {
  assert.equal(configOfEngine(CONFIG, 1), CONFIG);
});

test('a further engine has no other role, half of the connections and the next operators’ port', () => {
  const { roles, host, port, operatorPort, databaseConnections, engines } = configOfEngine(
    CONFIG,
    3,
  );
  assert.deepEqual(
    { roles, host, port, operatorPort, databaseConnections, engines },
    {
      roles: ['engine'],
      host: '127.0.0.1',
      port: 0,
      operatorPort: 4006,
      databaseConnections: 10,
      engines: { count: 3, number: 3 },
    },
  );
  const few = configOfEngine({ ...CONFIG, databaseConnections: 4 }, 2);
  assert.equal(few.databaseConnections, 4);
});

test('an engine that ends again and again is started ever later, and at least every half minute', () => {
  assert.deepEqual(
    [1, 2, 3, 7, 8, 9, 2000].map(waitAfter),
    [250, 500, 1_000, 16_000, 30_000, 30_000, 30_000],
  );
});
