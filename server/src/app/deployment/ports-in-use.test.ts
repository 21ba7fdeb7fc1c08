import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { LIVE } from '../../../test-support/settings/live.ts';
import { readConfig } from '../../platform/config/config.ts';
import { refusePortsInUse } from './ports-in-use.ts';

test('a start is refused where another program has the operators’ port of a further engine', async (t) => {
  const other = createServer().listen(0, '127.0.0.1');
  t.after(() => other.close());
  await once(other, 'listening');
  const { port } = other.address() as { port: number };
  const env = { ...LIVE, PORT: '0', OPERATOR_PORT: String(port - 1) };
  await refusePortsInUse(readConfig({ ...env, ENGINES: '1' }));
  await assert.rejects(refusePortsInUse(readConfig({ ...env, ENGINES: '2' })), {
    name: 'ConfigError',
    message: `port ${port} is in use: stop what runs there, or set OPERATOR_PORT`,
  });
});
