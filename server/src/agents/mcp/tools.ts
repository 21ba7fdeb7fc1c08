import { MONEY_ACTS } from '../acts/money-act.ts';
import {
  type ApiDocument,
  bodySchema,
  type Endpoint,
  endpointsOf,
  inlined,
  type Schema,
} from './document.ts';

/** A request to the API. */
export interface ApiRequest {
  method: string;
  path: string;
  query?: Readonly<Record<string, string>>;
  body?: unknown;
}

/** A tool, and the request that a call of it is. */
export interface Tool {
  name: string;
  title: string;
  description: string;
  inputSchema: { type: 'object'; [keyword: string]: unknown };
  annotations: {
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint: boolean;
    openWorldHint: false;
  };
  /** What its response may hold. */
  response: Schema;
  /** The scope that a key needs for it; null: any key may call it. */
  scope: string | null;
  request(given: Readonly<Record<string, unknown>>): ApiRequest;
}

/** Reading tools that no agent gets: all that is held of a person at once, and other keys. */
const NO_TOOLS: ReadonlySet<string> = new Set(['exportCustomer', 'getCaseFile', 'listApiKeys']);

const snake = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const titleOf = (name: string): string =>
  name.replace(/^./, (letter) => letter.toUpperCase()).replaceAll('_', ' ');

const ID_SCHEMA = { type: 'string', description: 'The id of the prepared act: `act_…`.' };
const PURPOSE = {
  type: 'string',
  minLength: 1,
  maxLength: 200,
  description:
    'What it is for, in a few words that you would use again if you forgot everything, such as the number of an invoice. One ' +
    'purpose for one schedule or payment is one act: prepared again, it is the same act, also when it is done.',
};
const SECOND_STEP =
  'This changes nothing yet. It returns the id of a prepared act, what will happen, the amount, and who else ' +
  'is asked. Show that ' +
  'to the person you work for, then call commit_act with the id.';

const made = new WeakMap<ApiDocument, readonly Tool[]>();

/** Returns the tools that a document of the API gives: those that read, and those that prepare and commit. */
export function toolsOf(document: ApiDocument): readonly Tool[] {
  const known = made.get(document);
  if (known !== undefined) return known;
  const tools = makeTools(document);
  made.set(document, tools);
  return tools;
}

function makeTools(document: ApiDocument): Tool[] {
  const endpoints = endpointsOf(document);
  const reading = endpoints.filter(
    ({ method, path, operationId }) =>
      method === 'GET' && path.startsWith('/api/v1/') && !NO_TOOLS.has(operationId),
  );
  const money = endpoints.filter(({ operationId }) => Object.hasOwn(MONEY_ACTS, operationId));
  const preparing = endpoints.find(({ operationId }) => operationId === 'prepareAct');
  const committing = endpoints.find(({ operationId }) => operationId === 'commitAct');
  if (preparing === undefined || committing === undefined)
    throw new Error('the document of the API has no prepared acts');
  return [
    ...reading.map((endpoint) => readingTool(document, endpoint)),
    ...money.map((endpoint) => preparingTool(document, endpoint, preparing)),
    committingTool(document, committing),
  ];
}

const scopeOf = (endpoint: Endpoint): string | null => {
  const scope = endpoint['x-scope'] ?? null;
  return scope === 'any' ? null : scope;
};

const responseOf = (document: ApiDocument, { responses }: Endpoint): Schema =>
  inlined(document, bodySchema(responses['200']) ?? {});

const parametersOf = (document: ApiDocument, { parameters = [] }: Endpoint, place: string) =>
  parameters
    .filter((parameter) => parameter.in === place)
    .map(({ name, required, description, schema }) => ({
      name,
      isRequired: required === true,
      schema: {
        ...inlined(document, schema),
        ...(description === undefined ? {} : { description }),
      },
    }));

/** Puts the ids into a path. */
const pathWith = (path: string, given: Readonly<Record<string, unknown>>): string =>
  path.replace(/\{(\w+)\}/g, (_place, name: string) =>
    encodeURIComponent(String(given[name] ?? '')),
  );

function readingTool(document: ApiDocument, endpoint: Endpoint): Tool {
  const { operationId, summary = '', description = '', method, path } = endpoint;
  const places = parametersOf(document, endpoint, 'path');
  const query = parametersOf(document, endpoint, 'query');
  const name = snake(operationId);
  return {
    name,
    title: titleOf(name),
    description: `${summary}. ${description}`,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(
        [...places, ...query].map((one): [string, Schema] => [one.name, one.schema]),
      ),
      required: [...places, ...query].filter((one) => one.isRequired).map((one) => one.name),
      additionalProperties: false,
    },
    annotations: {
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
    response: responseOf(document, endpoint),
    scope: scopeOf(endpoint),
    request(given) {
      const rest = Object.entries(given).filter(
        ([key, value]) => !places.some((place) => place.name === key) && value !== undefined,
      );
      const asked = Object.fromEntries(rest.map(([key, value]) => [key, String(value)]));
      return { method, path: pathWith(path, given), query: asked };
    },
  };
}

function preparingTool(document: ApiDocument, endpoint: Endpoint, preparing: Endpoint): Tool {
  const { operationId, summary = '', description = '' } = endpoint;
  const places = parametersOf(document, endpoint, 'path');
  const body = bodySchema(endpoint.requestBody);
  const hasBody = body !== null && operationId !== 'retryPayment';
  const name = `prepare_${snake(operationId)}`;
  return {
    name,
    title: titleOf(name),
    description: `${SECOND_STEP} What it prepares: ${summary}. ${description}`,
    inputSchema: {
      type: 'object',
      properties: {
        ...Object.fromEntries(places.map((one): [string, Schema] => [one.name, one.schema])),
        ...(hasBody ? { body: inlined(document, body) } : {}),
        purpose: PURPOSE,
      },
      required: [...places.map((one) => one.name), ...(hasBody ? ['body'] : [])],
      additionalProperties: false,
    },
    annotations: {
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
    response: responseOf(document, preparing),
    scope: scopeOf(endpoint),
    request({ body: fields, purpose, ...params }) {
      return {
        method: preparing.method,
        path: preparing.path,
        body: {
          operation: operationId,
          params,
          body: fields ?? {},
          ...(purpose === undefined ? {} : { purpose }),
        },
      };
    },
  };
}

function committingTool(document: ApiDocument, endpoint: Endpoint): Tool {
  const { method, path, summary = '', description = '' } = endpoint;
  return {
    name: 'commit_act',
    title: 'Commit act',
    description: `${summary}. ${description}`,
    inputSchema: {
      type: 'object',
      properties: { id: ID_SCHEMA },
      required: ['id'],
      additionalProperties: false,
    },
    annotations: {
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: true,
      openWorldHint: false,
    },
    response: responseOf(document, endpoint),
    scope: scopeOf(endpoint),
    request: (given) => ({ method, path: pathWith(path, given), body: {} }),
  };
}
