import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { readConfig } from '../../../platform/config/config.ts';
import { callSandbox } from './sandbox.ts';

/** Returns what a command says when the sandbox refuses its call with this error; null: it breaks the connection off. */
async function said(t: TestContext, error: object | null): Promise<string> {
  const server = createServer((incoming, response) => {
    if (error === null) return void incoming.socket.destroy();
    response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
  }).listen(0);
  t.after(() => server.close());
  const dataDir = mkdtempSync(join(tmpdir(), 'recollect-cli-'));
  t.after(() => rmSync(dataDir, { recursive: true, force: true }));
  const { port } = server.address() as AddressInfo;
  const file = { base_url: `http://localhost:${port}`, api_key: 'rk_test_1' };
  writeFileSync(join(dataDir, 'sandbox.json'), JSON.stringify(file));
  const config = { ...readConfig({}), dataDir };
  try {
    await callSandbox(config, (client) => client.sandbox.clock());
  } catch (thrown) {
    return (thrown as Error).message;
  }
  throw new Error('the call was not refused');
}

test('a command says what the sandbox refused once, and every wrong field', async (t) => {
  const one = {
    code: 'invalid_request',
    message: 'to: must be later',
    details: { to: 'must be later' },
  };
  assert.equal(await said(t, one), 'to: must be later');
  const two = {
    ...one,
    message: '2 fields are invalid',
    details: { to: 'is bad', by: 'is worse' },
  };
  assert.equal(await said(t, two), '2 fields are invalid. to: is bad. by: is worse');
});

test('an answer that is lost is not called a service that does not run', async (t) => {
  assert.match(
    await said(t, null),
    /^No answer to GET http:.*\/sandbox\/clock: .+\. A change may have been made: look before you ask again$/,
  );
});
