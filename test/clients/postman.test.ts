import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { createKey } from '../../server/src/merchants/keys/key-service.ts';
import { SCOPES } from '../../server/src/platform/http/calls/access.ts';
import { startTestService, type TestService } from '../../server/test-support/service.ts';
import type { Document } from './tools.ts';

interface Variable {
  key: string;
  value: string;
}

interface Item {
  name: string;
  item?: Item[];
}

interface Collection {
  variable: Variable[];
  item: Item[];
}

interface Execution {
  item: { name: string };
  response?: { code: number };
  assertions?: { assertion: string; error?: { message: string } }[];
  requestError?: Error;
}

interface Newman {
  run(
    options: { collection: object },
    done: (error: Error | null, summary: { run: { executions: Execution[] } }) => void,
  ): void;
}

const require = createRequire(import.meta.url);
const newman = require('newman') as Newman;

let service: TestService;
let collection: Collection;

before(async () => {
  // The day on which people send it, and not that of a test.
  const start = Temporal.Now.instant().toString();
  service = await startTestService({ start, env: { ROLES: 'api,portal,engine' } });
  ({ body: collection } = await service.api<Collection>('GET', '/postman.json'));
});
after(() => service.close());

/** A key that may do everything, for a merchant of the service. */
async function keyWithEveryScope(): Promise<string> {
  const { merchantId, running } = service;
  const { platform } = running;
  const grant = { scopes: SCOPES, madeBy: null, allowedIps: null };
  const { secret } = await platform.db.transaction((tx) =>
    createKey(platform, { tx, now: platform.clock.now(), merchantId }, 'Postman', 'a test', grant),
  );
  return secret;
}

/** Runs the collection from its first request to its last, with these values of its variables. */
async function run(values: Record<string, string>): Promise<Execution[]> {
  const variable = collection.variable.map(({ key, value }) => ({
    key,
    value: values[key] ?? value,
  }));
  const { promise, resolve, reject } = Promise.withResolvers<Execution[]>();
  newman.run({ collection: { ...collection, variable } }, (error, summary) =>
    error === null ? resolve(summary.run.executions) : reject(error),
  );
  return promise;
}

const failuresIn = (executions: readonly Execution[]): string[] =>
  executions.flatMap(({ item, response, assertions = [], requestError }) => [
    ...(requestError === undefined ? [] : [`${item.name}: ${requestError.message}`]),
    ...assertions
      .filter(({ error }) => error !== undefined)
      .map(
        ({ assertion, error }) =>
          `${item.name} (${response?.code}): ${assertion}: ${error?.message}`,
      ),
  ]);

const requests = (): string[] =>
  collection.item.flatMap(({ item = [] }) => item.map(({ name }) => name));

test('it has a request for every operation, in the order of a life', async () => {
  const { body } = await service.api<Document>('GET', '/openapi.json');
  const summaries = Object.values(body.paths).flatMap((operations) =>
    Object.values(operations).map((operation) => (operation as { summary?: string }).summary ?? ''),
  );
  const names = requests();
  assert.deepEqual(
    summaries.filter((summary) => !names.includes(summary)),
    [],
  );
  assert.equal(new Set(names).size, names.length, 'no two requests have one name');
});

test('for somebody who shares the sandbox it skips what changes it for everybody, and fails nowhere', async () => {
  const { baseUrl: base_url, receiver } = service;
  const before = service.now();
  const executions = await run({
    base_url,
    api_key: service.apiKey,
    webhook_url: receiver.url,
  });
  assert.deepEqual(failuresIn(executions), []);
  const sent = executions.filter(({ response }) => response !== undefined);
  assert.ok(sent.length > 40, `${sent.length} sent`);
  assert.ok(service.now().since(before).total('minutes') < 30, 'the clock was not moved');
});

test('for somebody whose sandbox it is, every request works, from the first to the last', async () => {
  const { baseUrl: base_url, receiver } = service;
  const executions = await run({
    base_url,
    api_key: await keyWithEveryScope(),
    webhook_url: receiver.url,
    sandbox_is_mine: 'yes',
    key_has_keys: 'yes',
  });
  assert.deepEqual(failuresIn(executions), []);
  assert.deepEqual(
    executions.filter(({ response }) => response !== undefined).map(({ item }) => item.name),
    requests(),
  );
});

test('a response that is not as the document says fails its test', async () => {
  const [first] = collection.item;
  const schemas = JSON.stringify({ Merchant: { type: 'object', required: ['no_such_field'] } });
  const variable = [
    ...collection.variable.filter(({ key }) => key !== 'schemas'),
    { key: 'schemas', value: schemas },
  ];
  const whole = collection;
  collection = { ...whole, variable, item: first === undefined ? [] : [first] };
  const executions = await run({ base_url: service.baseUrl, api_key: service.apiKey });
  collection = whole;
  assert.match(failuresIn(executions).join('\n'), /what the document says: [\s\S]*no_such_field/);
});
