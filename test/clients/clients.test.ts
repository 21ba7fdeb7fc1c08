import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../server/test-support/service.ts';
import {
  type Document,
  lint,
  lintBySpectral,
  type Operation,
  type Schema,
  typescriptClient,
  typesIn,
} from './tools.ts';

let service: TestService;
let document: Document;

before(async () => {
  service = await startTestService();
  ({ body: document } = await service.api<Document>('GET', '/openapi.json'));
});
after(() => service.close());

const PROGRAM = `
import type { components, operations } from './api.ts';
type Create = operations['createSchedule']['requestBody']['content']['application/json'];
type Schedule = components['schemas']['Schedule'];
const rest = { amount: { value: 4999, currency: 'GBP' }, description: 'Broadband' };
export const sent: Create[] = [
  { ...rest, frequency: { type: 'weekly', day: 5 }, customer: { type: 'phone', value: '+447700900123' } },
  { ...rest, frequency: { type: 'daily' }, customer: { type: 'bank_account', sort_code: '089999', account_number: '66374958' } },
  // @ts-expect-error -- a bank account has no value
  { ...rest, frequency: { type: 'daily' }, customer: { type: 'bank_account', value: '66374958' } },
  // @ts-expect-error -- a daily frequency has no day
  { ...rest, frequency: { type: 'daily', day: 1 }, customer: { type: 'user_id', value: 'cus_1' } },
];
export function read({ customer, consented }: Schedule): string {
  if (customer.type === 'bank_account') return customer.sort_code;
  return customer.value + (consented === null ? '' : consented.frequency.type);
}
`;

test('the linters find nothing to say by their recommended rules, of which none is off', async () => {
  // A sandbox runs on localhost, which no published document may name.
  const published = { ...document, servers: [{ url: 'https://api.fernhill.example' }] };
  assert.deepEqual([...(await lint(published)), ...(await lintBySpectral(published))], []);
  const broken = { ...published, servers: [] };
  assert.equal((await lint(broken)).length, 1);
  assert.match((await lintBySpectral(broken)).join(), /oas3-api-servers/);
});

test('the TypeScript client knows the type of everything, and which customer has which fields', () => {
  const types = typescriptClient(document, PROGRAM);
  // The generator leaves response headers open, whatever the document says.
  const lines = types.split('\n').filter((line) => !/\[name: string\]: unknown;/.test(line));
  const code = lines.filter((line) => !/^\s*(\*|\/\*\*)/.test(line));
  assert.deepEqual(
    code.filter((line) => /\b(unknown|any)\b/.test(line)).map((line) => line.trim()),
    ['[key: string]: unknown;'], // the body of a prepared act
  );
});

/** What a prepared act is asked with: the body of whichever endpoint does it. */
const BODY_OF_ACT = /\b[Bb]ody\b/;

/** A field in each language, and what its type is called where nothing is known of it. */
const FIELDS = {
  go: [/^\t\w+ .*`json:/, /interface\{\}|\bany\b/],
  java: [/^ {4}private .*;$/, /\bObject\b/],
  csharp: [/\{ get; set; \}$/, /\b(object|dynamic)\b.*(?<! Metadata) \{/],
} as const;

for (const [language, [field, unknown]] of Object.entries(FIELDS))
  test(`the types for ${language} know the type of every field`, async () => {
    const lines = (await typesIn(language, document)).split('\n');
    assert.ok(lines.some((line) => /\b(type|class) Schedule\b/.test(line)));
    const fields = lines.filter((line) => field.test(line));
    assert.ok(fields.length > 600, `${fields.length} fields`);
    assert.deepEqual(
      fields.filter((line) => unknown.test(line) && !BODY_OF_ACT.test(line)),
      [],
    );
  });

test('customer and frequency are one of several forms, told apart by their type', () => {
  const { schemas } = document.components;
  for (const name of ['CustomerInput', 'FrequencyInput', 'Customer']) {
    const { oneOf = [], discriminator } = schemas[name] ?? {};
    assert.equal(discriminator?.propertyName, 'type', name);
    const forms = Object.values(discriminator.mapping);
    assert.deepEqual(
      oneOf.map(({ $ref }) => $ref),
      forms,
    );
    assert.ok(forms.length >= 3, name);
  }
});

const operations = (): Operation[] =>
  [...Object.values(document.paths), ...Object.values(document.webhooks)].flatMap((of) =>
    Object.values(of),
  );

test('every body is a named component, and no two components claim one name', () => {
  const unnamed = operations().flatMap(({ operationId, requestBody, responses }) =>
    [requestBody, ...Object.values(responses)]
      .flatMap((part) => Object.values(part?.content ?? {}))
      .filter(({ schema }) => schema.$ref === undefined)
      .map(() => operationId),
  );
  assert.deepEqual(unnamed, []);
  assert.deepEqual(JSON.stringify(document.components).match(/"title":"\w+"/g), null);
});

test('every id has a real one as its example', () => {
  const isId = (name: string) =>
    /^(id|\w+_id)$/.test(name) && !/^(bank|object|subject|bank_payment)_id$/.test(name);
  const without = (owner: string, fields: [string, Schema][]) =>
    fields
      .filter(([name, { type }]) => isId(name) && type === 'string')
      .filter(([, { examples }]) => !/^[a-z]{3}_\w{22}$/.test(String(examples?.[0])))
      .map(([name]) => `${owner}.${name}`);
  const inSchemas = Object.entries(document.components.schemas)
    .filter(([name]) => !name.endsWith('Bank')) // a bank's id is its name
    .flatMap(([name, { properties }]) => without(name, Object.entries(properties ?? {})));
  const inPaths = operations().flatMap(({ operationId, parameters = [] }) =>
    without(
      operationId,
      parameters
        .filter((p) => p.in === 'path')
        .map((p) => [p.name, { ...p.schema, examples: [p.example] }]),
    ),
  );
  assert.deepEqual([...inSchemas, ...inPaths], []);
});
