import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { test } from 'node:test';
import { LIVE } from '../../../test-support/settings/live.ts';
import { readConfig } from '../../platform/config/config.ts';
import { refusePortsInUse } from './ports-in-use.ts';

async function listenOn(port: number): Promise<Server> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** Listens on a port below which one is free. Other tests take ports meanwhile: the next one is tried. */
async function listenAboveFreePort(tries = 20): Promise<Server> {
  const server = await listenOn(0);
  const { port } = server.address() as AddressInfo;
  const below = await listenOn(port - 1).catch(() => null);
  if (below === null && tries > 0) {
    server.close();
    return listenAboveFreePort(tries - 1);
  }
  below?.close();
  return server;
}

test('a start is refused where another program has the operators’ port of a further engine', async (t) => {
  const other = await listenAboveFreePort();
  t.after(() => other.close());
  const { port } = other.address() as AddressInfo;
  const env = { ...LIVE, PORT: '0', OPERATOR_PORT: String(port - 1) };
  await refusePortsInUse(readConfig({ ...env, ENGINES: '1' }));
  await assert.rejects(refusePortsInUse(readConfig({ ...env, ENGINES: '2' })), {
    name: 'ConfigError',
    message: `port ${port} is in use: stop what runs there, or set OPERATOR_PORT`,
  });
});
