import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { exampleOf } from '../../server/src/platform/http/openapi/example.ts';
import { startTestService, type TestService } from '../../server/test-support/service.ts';
import type { Document, Operation } from './tools.ts';

let service: TestService;
let document: Document;
let ajv: Ajv2020;
/** Ids by the collections of the paths. */
let all: Record<string, string>;

before(async () => {
  service = await startTestService();
  ({ body: document } = await service.api<Document>('GET', '/openapi.json'));
  ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, 'openapi');
  all = await makeAll();
});
after(() => service.close());

const JSON_TYPE = 'application/json';

interface Call {
  method: string;
  path: string;
  operation: Operation;
}

const calls = (): Call[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );

const nameOf = ({ method, path }: Call): string => `${method.toUpperCase()} ${path}`;

/** Checks a body against the schema that the document has for it. */
function problemsOf(body: unknown, $ref: string | undefined): string {
  const validate: ValidateFunction = ajv.compile({ $ref: `openapi${$ref}` });
  return validate(body) ? '' : ajv.errorsText(validate.errors);
}

async function send(call: Call, ids: Record<string, string>, headers?: Record<string, string>) {
  const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? 'none');
  const schema = call.operation.requestBody?.content[JSON_TYPE]?.schema;
  const body = schema === undefined ? undefined : exampleOf(schema, document.components.schemas);
  const method = call.method.toUpperCase() as 'GET';
  return service.api(method, path, body, headers);
}

/** Checks that an answer has a status and a body that the document names. */
function assertDocumented(call: Call, { status, body }: { status: number; body: unknown }): void {
  const answer = call.operation.responses[String(status)];
  assert.ok(answer !== undefined, `${nameOf(call)}: ${status} ${JSON.stringify(body)}`);
  const schema = answer.content?.[JSON_TYPE]?.schema;
  assert.equal(problemsOf(body, schema?.$ref), '', `${nameOf(call)}: ${status}`);
}

/** Makes one of everything, and returns its ids by the collections of the paths. */
async function makeAll(): Promise<Record<string, string>> {
  const { body } = await service.api<{ id: string; customer: { id: string } }>(
    'POST',
    '/api/v1/schedules',
    {
      amount: { value: 4999, currency: 'GBP' },
      frequency: 'daily',
      customer: { phone: '+447700900123' },
      description: 'Contract',
      metadata: { contract: 'C-1042', parts: [1, null], of: { a: true } },
    },
  );
  await service.grant(body.id);
  await service.advance('P5D');
  const first = async (path: string) =>
    (await service.api<{ data: { id: string }[] }>('GET', path)).body.data[0]?.id ?? 'none';
  return {
    schedules: body.id,
    customers: body.customer.id,
    payments: await first('/api/v1/payments'),
    settlements: await first('/api/v1/settlements'),
    webhook_endpoints: service.endpointId,
    events: await first('/api/v1/events'),
    api_keys: 'none',
  };
}

/** Gives each place of a path the id of its collection. */
function idsFor({ path }: Call): Record<string, string> {
  const places = path.matchAll(/([a-z_]+)\/\{(\w+)\}/g);
  return Object.fromEntries(Array.from(places, ([, of = '', name]) => [name, all[of] ?? 'none']));
}

test('every read answers as the document says, with real objects and with ids of nothing', async () => {
  const reads = calls().filter(({ method }) => method === 'get');
  assert.ok(reads.length > 15);
  for (const call of reads) {
    assertDocumented(call, await send(call, idsFor(call)));
    assertDocumented(call, await send(call, {}));
  }
});

test('every change answers to the example of its request as the document says', async () => {
  // What ends others' objects comes last; a reset would take everything away, and a month takes a while.
  const left = ['resetSandbox', 'advanceSandboxClock'];
  const changes = calls().filter(
    ({ method, operation }) => method !== 'get' && !left.includes(operation.operationId),
  );
  changes.sort((a, b) => Number(a.method === 'delete') - Number(b.method === 'delete'));
  const done: string[] = [];
  for (const call of changes) {
    const answer = await send(call, idsFor(call));
    assertDocumented(call, answer);
    if (answer.status === 200) done.push(call.operation.operationId);
  }
  for (const id of ['createSchedule', 'updateSchedule', 'createWebhookEndpoint', 'updateMerchant'])
    assert.ok(done.includes(id), `${id} did not succeed; ${done.join(', ')} did`);
});

test('no call without a key is answered otherwise than 401, in the form of the document', async () => {
  for (const call of calls()) {
    const answer = await send(call, {}, { authorization: '' });
    assert.equal(answer.status, 401, nameOf(call));
    assertDocumented(call, answer);
  }
});

test('the examples of requests fit their own schemas', () => {
  for (const call of calls()) {
    const schema = call.operation.requestBody?.content[JSON_TYPE]?.schema;
    if (schema === undefined) continue;
    const example = exampleOf(schema, document.components.schemas);
    assert.equal(problemsOf(example, schema.$ref), '', nameOf(call));
  }
});
