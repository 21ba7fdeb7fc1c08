import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { NoAnswer } from '../../../agents/mcp/server.ts';
import { apiCaller } from './mcp-work.ts';

const COMMIT = { method: 'POST', path: '/api/v1/prepared_acts/act_1/commit', body: {} };

/** Starts a service that answers the first call with the status `first` (null: drops it), and each later one with `then`. */
async function caller(t: TestContext, first: number | null, then: number) {
  let calls = 0;
  const server = createServer((request, response) => {
    calls++;
    const status = calls === 1 ? first : then;
    if (status === null) return void request.socket.destroy();
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return apiCaller({ apiKey: 'k', baseUrl }, { agent: () => 'a', pauseMs: 1 });
}

test('a refusal that says nothing of an earlier try without an answer is no refusal', async (t) => {
  for (const status of [401, 403, 429]) {
    const call = await caller(t, null, status);
    await assert.rejects(call(COMMIT), NoAnswer);
  }
});

test('what settles the call, and what a read gets, is returned', async (t) => {
  assert.equal((await (await caller(t, null, 200))(COMMIT)).status, 200);
  assert.equal((await (await caller(t, null, 409))(COMMIT)).status, 409);
  assert.equal((await (await caller(t, 403, 403))(COMMIT)).status, 403);
  const read = { method: 'GET', path: '/api/v1/payments' };
  assert.equal((await (await caller(t, null, 429))(read)).status, 429);
});
