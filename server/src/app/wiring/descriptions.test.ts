import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../../test-support/service.ts';
import { Instant, InstantInput } from '../../platform/http/schemas/schemas.ts';

interface Schema {
  $ref?: string;
  type?: string;
  description?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  additionalProperties?: boolean | Schema;
}

interface Operation {
  operationId: string;
  description?: string;
  parameters?: { name: string; description?: string }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

let service: TestService;
let document: Document;
before(async () => {
  service = await startTestService();
  document = (await service.api<Document>('GET', '/openapi.json')).body;
});
after(() => service.close());

/** They say what a value is, and not what it is for. */
const GENERAL_TEXTS: readonly unknown[] = [Instant, InstantInput].map(
  (schema) => 'description' in schema && schema.description,
);
const GENERAL_COMPONENTS = /Amount|^Failure$|^PayingAccount$|^MaskedAccount$/;

const SCOPE_SENTENCE = /A key needs the scope `\w+`\.$/;

const nameIn = ({ $ref = '' }: Schema): string => $ref.split('/').at(-1) ?? '';

/** Returns what a property says of itself, where it is or in the component that it names. */
function textOf(property: Schema): string {
  const name = nameIn(property);
  const general = GENERAL_COMPONENTS.test(name);
  const text =
    property.description ?? (general ? '' : document.components.schemas[name]?.description);
  return GENERAL_TEXTS.includes(text) ? '' : (text ?? '');
}

const mayBeNull = ({ anyOf = [] }: Schema): boolean => anyOf.some(({ type }) => type === 'null');

/** Returns the properties in a schema and below it that lack a description, or do not say what null means in them. */
function undescribed(path: string, schema: Schema): string[] {
  const { properties = {}, items, anyOf = [], oneOf = [], additionalProperties: values } = schema;
  const own = Object.entries(properties).flatMap(([name, property]) => {
    const text = textOf(property);
    const isVague = text === '' || (mayBeNull(property) && !/\bnull\b/i.test(text));
    return [...(isVague ? [`${path}.${name}`] : []), ...undescribed(`${path}.${name}`, property)];
  });
  const inside = [...anyOf, ...oneOf, ...(items ? [items] : [])];
  if (typeof values === 'object') inside.push(values);
  return [...own, ...inside.flatMap((one) => undescribed(path, one))];
}

const operations = (): Operation[] =>
  [document.paths, document.webhooks].flatMap((all) =>
    Object.values(all).flatMap((methods) => Object.values(methods)),
  );

test('every property says what it is, and what null means in it', () => {
  const bodies = operations().flatMap(({ operationId, requestBody, responses }) =>
    [requestBody, ...Object.values(responses)].flatMap((body) =>
      Object.values(body?.content ?? {}).map(({ schema }): [string, Schema] => [
        operationId,
        schema,
      ]),
    ),
  );
  const schemas = [...Object.entries(document.components.schemas), ...bodies];
  assert.ok(schemas.length > 100);
  const vague = schemas.flatMap(([name, schema]) => undescribed(name, schema));
  assert.deepEqual(vague, [], vague.join('\n'));
});

test('every operation says what it does beyond its summary, and every parameter what it is', () => {
  const all = operations();
  assert.ok(all.length > 50);
  const silent = all.flatMap(({ operationId, description = '', parameters = [] }) => [
    ...(description.replace(SCOPE_SENTENCE, '').trim() === '' ? [operationId] : []),
    ...parameters.filter((one) => !one.description).map(({ name }) => `${operationId} ${name}`),
  ]);
  assert.deepEqual(silent, [], silent.join('\n'));
});
