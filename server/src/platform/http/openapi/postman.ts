import { type ExampleBody, type ExampleSchema, exampleOfBody, schemasOf } from './example.ts';
import { type ExampleChapter, type ExampleStep, type Examples, isGood } from './examples.ts';

interface Parameter {
  name: string;
  in: string;
  description?: string;
  example?: unknown;
}

interface Operation {
  operationId: string;
  summary?: string;
  description?: string;
  tags?: string[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, ExampleBody> };
  responses: Record<string, { content?: Record<string, { schema: { $ref?: string } }> }>;
}

interface Document {
  info: { title: string; version: string };
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, ExampleSchema> };
}

/** An operation, and how it is called. */
interface Call {
  path: string;
  method: string;
  operation: Operation;
}

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
const JSON_TYPE = 'application/json';

/** Skips a request whose variables no earlier request has set: it would ask for nothing that there is. */
const SKIP_UNKNOWN = [
  'const used = JSON.stringify(pm.request.toJSON()).match(/(?<={{)\\w+(?=}})/g) ?? [];',
  'const missing = used.find((name) => !pm.variables.get(name));',
  'if (missing !== undefined) {',
  "  console.log(pm.info.requestName + ' is skipped: nothing has set ' + missing);",
  '  pm.execution.skipRequest();',
  '}',
];
const skipUnless = (name: string): string[] => [
  `if (pm.variables.get('${name}') !== 'yes') {`,
  `  console.log(pm.info.requestName + ' is skipped: ${name} is not yes');`,
  '  pm.execution.skipRequest();',
  '}',
];

const script = (listen: 'prerequest' | 'test', exec: readonly string[]): object => ({
  listen,
  script: { type: 'text/javascript', exec },
});

/**
 * Returns a Postman collection of an OpenAPI document. With a life, its folders are the chapters, to be run from first to last:
 * each request checks its response, and keeps the ids that later ones use. Without one there is a folder for each tag.
 * The key is the collection's variable `api_key`.
 */
export function postmanCollection(
  document: object,
  life: Pick<Examples, 'chapters' | 'given'> | null,
): object {
  const { info, servers, paths, components } = document as Document;
  const calls = new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]): [string, Call] => [
        operation.operationId,
        { path, method: method.toUpperCase(), operation },
      ]),
    ),
  );
  const chapters = life?.chapters ?? chaptersOf(calls, components.schemas);
  const asked = chapters.flatMap(({ onlyIf }) => (onlyIf === undefined ? [] : [[onlyIf, '']]));
  const given = Object.entries({ ...life?.given, ...Object.fromEntries(asked) });
  return {
    info: { name: `${info.title} ${info.version}`, schema: SCHEMA },
    auth: {
      type: 'bearer',
      bearer: [{ key: 'token', value: '{{api_key}}', type: 'string' }],
    },
    variable: [
      { key: 'base_url', value: servers[0]?.url ?? '' },
      { key: 'api_key', value: '' },
      ...given.map(([key, value]) => ({ key, value })),
      { key: 'schemas', value: JSON.stringify(schemasOf(components.schemas)) },
    ],
    event: [script('prerequest', SKIP_UNKNOWN)],
    item: chapters.map(({ name, about, onlyIf, steps }) => ({
      name,
      description: about,
      ...(onlyIf !== undefined && { event: [script('prerequest', skipUnless(onlyIf))] }),
      item: steps.flatMap((step) => {
        const call = calls.get(step.operationId);
        return call === undefined ? [] : [itemOf(step, call)];
      }),
    })),
  };
}

/** A chapter for each tag, and a step for each operation with the example of its body. */
function chaptersOf(
  calls: ReadonlyMap<string, Call>,
  schemas: Readonly<Record<string, ExampleSchema>>,
): ExampleChapter[] {
  const byTag = Map.groupBy(calls.values(), ({ operation }) => operation.tags?.[0] ?? '');
  return [...byTag].map(([name, own]) => ({
    name,
    about: '',
    steps: own.map(({ operation: { operationId, requestBody } }) => {
      const body = requestBody?.content[JSON_TYPE];
      return {
        operationId,
        ...(body !== undefined && { body: exampleOfBody(body, schemas) }),
      };
    }),
  }));
}

/** Checks a response, and keeps what the life saves of it. */
function testsOf({ operation: { responses } }: Call, { saves = {} }: ExampleStep): string[] {
  const status = Object.keys(responses).find(isGood) ?? '200';
  const $ref = responses[status]?.content?.[JSON_TYPE]?.schema.$ref;
  return [
    `pm.test('it is a ${status}', () => pm.response.to.have.status(${status}));`,
    ...($ref === undefined
      ? []
      : [
          "const components = { schemas: JSON.parse(pm.collectionVariables.get('schemas')) };",
          `const schema = { $ref: '${$ref}', components };`,
          // Bytes in base64 have a format that Postman's validator does not know.
          "pm.test('it is what the document says', () => pm.response.to.have.jsonSchema(schema, { unknownFormats: ['byte'] }));",
        ]),
    ...Object.entries(saves).map(
      ([name, place]) =>
        `pm.collectionVariables.set('${name}', pm.response.json()${place.replaceAll(/\.?(\w+)/g, (_, key: string) => `?.${/^\d+$/.test(key) ? `[${key}]` : key}`)});`,
    ),
  ];
}

function itemOf(step: ExampleStep, call: Call): object {
  const { method, path, operation } = call;
  const { summary, description, parameters = [] } = operation;
  const headers = step.body === undefined ? [] : [{ key: 'Content-Type', value: JSON_TYPE }];
  const takesKey = parameters.some(({ name }) => name === 'Idempotency-Key');
  const key = { key: 'Idempotency-Key', value: '{{$guid}}' };
  return {
    name: step.name ?? summary,
    event: [script('test', testsOf(call, step))],
    request: {
      method,
      description,
      header: takesKey ? [...headers, key] : headers,
      url: urlOf(path, parameters, step),
      ...(step.body !== undefined && {
        body: { mode: 'raw', raw: JSON.stringify(step.body, null, 2) },
      }),
    },
  };
}

function urlOf(path: string, parameters: readonly Parameter[], step: ExampleStep): object {
  const segments = path.split('/').slice(1);
  const place = (segment: string): string => segment.replace(/^\{(\w+)\}$/, ':$1');
  const of = (where: string) => parameters.filter((parameter) => parameter.in === where);
  const { path: ids = {}, query: filters = {} } = step;
  return {
    raw: `{{base_url}}/${segments.map(place).join('/')}`,
    host: ['{{base_url}}'],
    path: segments.map(place),
    query: of('query').map(({ name, description }) => ({
      key: name,
      value: String(filters[name] ?? ''),
      description,
      disabled: !(name in filters),
    })),
    variable: of('path').map(({ name, example }) => ({
      key: name,
      value: ids[name] ?? String(example ?? ''),
    })),
  };
}
