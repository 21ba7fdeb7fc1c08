import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { isGood } from '../../../server/src/platform/http/openapi/examples.ts';
import { startTestService, type TestService } from '../../../server/test-support/service.ts';
import type { ApiDocument, Operation } from '../sdk-types.ts';
import { EXAMPLES, exampleFile, unwalked, withoutStep } from './examples.ts';
import { settled } from './settle.ts';

let service: TestService;
let document: ApiDocument & { webhooks: ApiDocument['paths'] };
let ajv: Ajv2020;

before(async () => {
  service = await startTestService();
  ({ body: document } = await service.api<typeof document>('GET', '/openapi.json'));
  ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, 'openapi');
});
after(() => service.close());

const all = (paths: ApiDocument['paths']): Operation[] =>
  Object.values(paths).flatMap((operations) => Object.values(operations));

/** Says what is wrong with the example of a body: that it has none, or where it does not fit. */
function problemOf(name: string, body: Operation['requestBody'], isNeeded: boolean): string[] {
  const { schema, example } = body?.content?.['application/json'] ?? {};
  if (schema === undefined) return [];
  if (example === undefined) return isNeeded ? [`${name} has no example`] : [];
  const validate = ajv.compile({ $ref: `openapi${schema.$ref}` });
  return validate(example) ? [] : [`${name}: ${ajv.errorsText(validate.errors)}`];
}

test('every operation has a step in the life, or its name and the place for one are said', () => {
  const missing = unwalked(document);
  assert.deepEqual(missing, [], withoutStep(missing));
  const paths = { '/api/v1/new': { get: { operationId: 'getNew', responses: {} } } };
  assert.match(withoutStep(unwalked({ ...document, paths })), /life-\*\.ts sends getNew\. Add one/);
});

test('every response and every webhook has an example, and each fits what the document says', () => {
  const operations = all(document.paths);
  assert.ok(operations.length > 50);
  const problems = [
    ...operations.flatMap(({ operationId, requestBody, responses }) => [
      ...problemOf(`the request of ${operationId}`, requestBody, false),
      ...Object.entries(responses)
        .filter(([status]) => isGood(status))
        .flatMap(([, body]) => problemOf(`the response of ${operationId}`, body, true)),
    ]),
    ...all(document.webhooks).flatMap(({ operationId, requestBody }) =>
      problemOf(`the webhook ${operationId}`, requestBody, true),
    ),
  ];
  assert.deepEqual(problems, []);
});

test('the examples are what the sandbox answers today', async () => {
  const written = readFileSync(new URL(`../../../${EXAMPLES}`, import.meta.url), 'utf8');
  const lines = written.split('\n');
  const differs = (await exampleFile(document))
    .split('\n')
    .flatMap((line, at) => (line === lines[at] ? [] : [`${at + 1}: ${lines[at]} is now ${line}`]));
  assert.deepEqual(differs.slice(0, 5), [], 'npm run generate -- examples');
});

test('what differs from walk to walk is replaced, the same by the same, and long lists are cut', () => {
  const from = Temporal.Instant.from('2031-03-03T09:30:00Z');
  const at = (baseUrl: string) => ({ baseUrl, webhookUrl: 'http://127.0.0.1:1/hooks', from });
  const walked = (id: string, second: string) => ({
    id: `pay_${id.repeat(22)}`,
    url: `http://localhost:${second}00/consent/${id.repeat(50)}`,
    at: `2031-03-03T09:31:${second}.123Z`,
    past: '2026-11-30T04:56:32.694Z',
    again: [1, 2, 3].map((number) => ({ number, id: `pay_${id.repeat(22)}` })),
    words: ['a', 'b', 'c'],
  });
  const one = settled(walked('a', '10'), at('http://localhost:1000/'));
  assert.deepEqual(one, settled(walked('b', '47'), at('http://localhost:4700/')));
  assert.equal(one.at, '2031-03-03T09:30:00.000Z');
  assert.equal(one.past, one.at);
  assert.match(one.url, /^https:\/\/recollect\.example\/consent\/Example/);
  assert.deepEqual(
    one.again.map(({ id }) => id),
    [one.id, one.id],
  );
  assert.deepEqual(one.words, ['a', 'b', 'c']);
});
