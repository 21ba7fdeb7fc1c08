import { routeOf, type SdkMethod } from '../../../sdk/test-support/methods.ts';
import {
  type ApiDocument,
  isEmpty,
  nameOf,
  type Operation,
  type Parameter,
  parametersOf,
  type Schema,
} from '../sdk-types.ts';

/** A call of the API as the clients have it: named as in the SDK, typed as in the document. */
export interface ClientOperation {
  readonly method: string;
  /** `GET`. */
  readonly verb: string;
  readonly path: string;
  /** The names in the path, in its order. */
  readonly places: readonly string[];
  readonly query: readonly Parameter[];
  /** The response is a page of a list; `response` is then what it lists. */
  readonly isList: boolean;
  /** Null: nothing is sent. */
  readonly body: { readonly name: string; readonly isOptional: boolean } | null;
  /** Null: there is no header for an `Idempotency-Key`. */
  readonly takesKey: boolean;
  /** A POST or PUT without a key: it is not repeated where it may have taken effect. */
  readonly isOnlyOnce: boolean;
  /** The time-out of one attempt, in seconds; null: the client's. */
  readonly timeout: number | null;
  readonly response: Schema;
  readonly description: string;
}

/** The operations of one resource. */
export interface ClientResource {
  /** The property of the client, as in the SDK: `webhookEndpoints`. */
  readonly name: string;
  readonly className: string;
  readonly operations: readonly ClientOperation[];
}

/** What takes longer than a client waits otherwise, in seconds; as in the SDK. */
const TIMEOUTS: Readonly<Record<string, number>> = { advanceSandboxClock: 600 };

const schemaOf = (content: Operation['requestBody']): Schema | undefined =>
  content?.content?.['application/json']?.schema;

const componentOf = (document: ApiDocument, schema: Schema): [string, Schema] => {
  const name = schema.$ref?.split('/').at(-1) ?? '';
  return [name, document.components.schemas[name] ?? schema];
};

function bodyOf(document: ApiDocument, verb: string, { requestBody }: Operation) {
  const schema = schemaOf(requestBody);
  if (schema === undefined) return null;
  const [name, component] = componentOf(document, schema);
  if (isEmpty(component)) return null;
  const { required = [], oneOf } = component;
  const isOptional = verb === 'POST' && required.length === 0 && oneOf === undefined;
  return { name: nameOf(name), isOptional };
}

function operationOf(
  document: ApiDocument,
  [verb, path]: readonly [string, string],
  operation: Operation,
  method: string,
): ClientOperation {
  const { operationId, summary = '', description, parameters = [] } = operation;
  const response = schemaOf(operation.responses['200']) ?? {};
  const [query, isList] = parametersOf(operation);
  const takesKey = parameters.some(({ name }) => name === 'Idempotency-Key');
  return {
    method,
    verb,
    path,
    places: Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name),
    query,
    isList,
    body: bodyOf(document, verb, operation),
    takesKey,
    isOnlyOnce: !takesKey && (verb === 'POST' || verb === 'PUT'),
    timeout: TIMEOUTS[operationId] ?? null,
    response: isList
      ? (componentOf(document, response)[1].properties?.data?.items ?? {})
      : response,
    description: [`${summary}.`, ...(description === undefined ? [] : [description])].join(' '),
  };
}

/**
 * Returns the operations of a document by the resources of the SDK, in its order. A route that several methods call has the first
 * one's name: the others are shorthands. Throws for a route that no method calls.
 */
export function resourcesOf(
  document: ApiDocument,
  methods: readonly SdkMethod[],
): ClientResource[] {
  const found = new Map<SdkMethod, ClientOperation>();
  for (const [path, operations] of Object.entries(document.paths))
    for (const [verb, operation] of Object.entries(operations)) {
      const route = routeOf(verb, path);
      const method = methods.find((one) => one.route === route);
      if (method === undefined) throw new Error(`The SDK has no method for ${route}`);
      const call = [verb.toUpperCase(), path] as const;
      found.set(method, operationOf(document, call, operation, method.method));
    }
  const byResource = Map.groupBy(methods, ({ resource }) => resource);
  return [...byResource].map(([name, own]) => ({
    name,
    className: own[0]?.className ?? name,
    operations: own.flatMap((method) => found.get(method) ?? []),
  }));
}
