import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { type ApiAnswer, makeMcpServer } from './server.ts';

const operation = (operationId: string) => ({ operationId, responses: {} });
const DOCUMENT = {
  paths: {
    '/api/v1/payments': { get: operation('listPayments') },
    '/api/v1/prepared_acts': { post: operation('prepareAct') },
    '/api/v1/prepared_acts/{id}/commit': { post: operation('commitAct') },
  },
  components: { schemas: {} },
};

/** Returns what an agent reads that calls a tool, where the API answers with this. */
async function textOf(tool: string, answer: ApiAnswer): Promise<string> {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const server = makeMcpServer({
    name: 'Recollect',
    version: '1',
    documents: () => [],
    call: async ({ path }) => (path === '/openapi.json' ? { status: 200, body: DOCUMENT } : answer),
  });
  const client = new Client({ name: 'test', version: '1' });
  await Promise.all([server.connect(ours), client.connect(theirs)]);
  const result = await client.callTool({ name: tool, arguments: { id: 'act_1' } });
  await client.close();
  assert.equal(result.isError, true);
  return (result.content as { text: string }[]).map(({ text }) => text).join();
}

const error = (status: number, code: string): ApiAnswer => ({
  status,
  body: { error: { code, message: 'Not now.' } },
});

test('a change that the service could not answer is no refusal: the agent repeats the same call', async () => {
  for (const answer of [
    error(503, 'service_unavailable'),
    error(500, 'internal_error'),
    { status: 502, body: {} },
  ]) {
    const text = await textOf('commit_act', answer);
    assert.match(text, /not known whether this happened.*the same act/);
    assert.doesNotMatch(text, /Refused/);
  }
});

test('a refusal is called one, and so is a read that failed by its code', async () => {
  assert.equal(await textOf('commit_act', error(409, 'act_over')), 'Refused (act_over): Not now.');
  const read = await textOf('list_payments', error(503, 'service_unavailable'));
  assert.equal(read, 'No answer (service_unavailable): Not now.');
});
