import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { agreedSchedule, limitedKey } from '../../../../test-support/agents.ts';
import { startTestService, type TestService } from '../../../../test-support/service.ts';

const MAIN = fileURLToPath(new URL('../../../main.ts', import.meta.url));

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.close());

/** Starts `recollect mcp` as an agent's program does, and connects the official client to it. */
async function startAgent(apiKey: string): Promise<{ client: Client; said: () => string }> {
  const client = new Client({ name: 'Desk agent', version: '3' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [MAIN, 'mcp', '--url', service.baseUrl],
    env: { RECOLLECT_API_KEY: apiKey, PATH: process.env.PATH ?? '' },
    stderr: 'pipe',
  });
  let said = '';
  transport.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  await client.connect(transport).catch((error: unknown) => {
    throw new Error(`it did not start: ${said}`, { cause: error });
  });
  return { client, said: () => said };
}

test('an agent on this machine has the same tools, and its acts carry the name of its handshake', async () => {
  const id = await agreedSchedule(service);
  const key = await limitedKey(service, { per_act_pence: 5_000, per_day_pence: 9_000 });
  const { client } = await startAgent(key.secret);
  const { tools } = await client.listTools();
  assert.ok(tools.some(({ name }) => name === 'commit_act'));
  const prepared = await client.callTool({
    name: 'prepare_create_payment',
    arguments: { id, body: { amount: { value: 300, currency: 'GBP' } } },
  });
  const act = prepared.structuredContent as { id: string };
  const done = await client.callTool({ name: 'commit_act', arguments: { id: act.id } });
  assert.equal((done.structuredContent as { status: string }).status, 'done');
  assert.equal((await key.get(act.id)).body.agent, 'Desk agent 3');
  await client.close();
});

test('it says in one line what is wrong with its key, and starts nothing', async () => {
  await assert.rejects(startAgent('rk_test_nobody'), /it did not start/);
});
