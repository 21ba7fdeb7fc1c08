import { type ExampleBody, type ExampleSchema, exampleOfBody } from './example.ts';

interface Parameter {
  name: string;
  in: string;
  description?: string;
  example?: unknown;
}

interface Operation {
  summary?: string;
  description?: string;
  tags?: string[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, ExampleBody> };
}

interface Document {
  info: { title: string; version: string };
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, ExampleSchema> };
}

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
const JSON_TYPE = 'application/json';

/**
 * Returns a Postman collection of an OpenAPI document: a folder for each tag, and a request with an example body for each
 * operation. The key is the collection's variable `api_key`.
 */
export function postmanCollection(document: object): object {
  const { info, servers, paths, components } = document as Document;
  const requests = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      tag: operation.tags?.[0] ?? '',
      item: requestItem(path, method, operation, components.schemas),
    })),
  );
  const folders = Map.groupBy(requests, ({ tag }) => tag);
  return {
    info: { name: `${info.title} ${info.version}`, schema: SCHEMA },
    auth: {
      type: 'bearer',
      bearer: [{ key: 'token', value: '{{api_key}}', type: 'string' }],
    },
    variable: [
      { key: 'base_url', value: servers[0]?.url ?? '' },
      { key: 'api_key', value: '' },
    ],
    item: [...folders].map(([name, own]) => ({ name, item: own.map(({ item }) => item) })),
  };
}

function requestItem(
  path: string,
  method: string,
  { summary, description, parameters = [], requestBody }: Operation,
  schemas: Readonly<Record<string, ExampleSchema>>,
): object {
  const body = requestBody?.content[JSON_TYPE];
  const headers = body === undefined ? [] : [{ key: 'Content-Type', value: JSON_TYPE }];
  const takesKey = parameters.some(({ name }) => name === 'Idempotency-Key');
  const key = { key: 'Idempotency-Key', value: '{{$guid}}' };
  return {
    name: summary,
    request: {
      method: method.toUpperCase(),
      description,
      header: takesKey ? [...headers, key] : headers,
      url: urlOf(path, parameters),
      ...(body === undefined
        ? {}
        : { body: { mode: 'raw', raw: JSON.stringify(exampleOfBody(body, schemas), null, 2) } }),
    },
  };
}

function urlOf(path: string, parameters: readonly Parameter[]): object {
  const segments = path.split('/').slice(1);
  const place = (segment: string): string => segment.replace(/^\{(\w+)\}$/, ':$1');
  const of = (where: string) => parameters.filter((parameter) => parameter.in === where);
  return {
    raw: `{{base_url}}/${segments.map(place).join('/')}`,
    host: ['{{base_url}}'],
    path: segments.map(place),
    query: of('query').map(({ name, description }) => ({
      key: name,
      value: '',
      description,
      disabled: true,
    })),
    variable: of('path').map(({ name, example }) => ({ key: name, value: String(example ?? '') })),
  };
}
