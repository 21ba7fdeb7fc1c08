/** A JSON schema, as far as the tools read it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly [keyword: string]: unknown;
}

/** One endpoint of the OpenAPI document. */
export interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  /** The scope that a key needs; `any`: none; absent: it is no endpoint for keys alone. */
  readonly 'x-scope'?: string;
  readonly parameters?: readonly {
    name: string;
    in: string;
    required?: boolean;
    description?: string;
    schema: Schema;
  }[];
  readonly requestBody?: { content: Readonly<Record<string, { schema: Schema }>> };
  readonly responses: Readonly<
    Record<string, { content?: Readonly<Record<string, { schema: Schema }>> }>
  >;
}

/** What the tools read of the OpenAPI document: the routes' own schemas, written there once. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** An endpoint with where it is. */
export interface Endpoint extends Operation {
  readonly method: string;
  readonly path: string;
}

/** Returns every endpoint of a document. */
export const endpointsOf = ({ paths }: ApiDocument): Endpoint[] =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
  );

const REF = '#/components/schemas/';
/** What is of use in a document, and not to whoever fills in a tool. */
const LEFT_OUT = /^(x-|discriminator$|title$|examples$)/;

/**
 * Returns a schema in which nothing is referred to: a tool's schema stands alone. A schema that holds itself is anything where it
 * does so the second time.
 */
export function inlined(
  document: ApiDocument,
  schema: Schema,
  within: readonly string[] = [],
): Schema {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.slice(REF.length);
    const target = document.components.schemas[name];
    if (target === undefined || within.includes(name)) return {};
    const { $ref: _ref, ...beside } = schema;
    return { ...inlined(document, target, [...within, name]), ...beside };
  }
  const inner = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inner);
    return typeof value === 'object' && value !== null
      ? inlined(document, value as Schema, within)
      : value;
  };
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([keyword]) => !LEFT_OUT.test(keyword))
      .map(([keyword, value]) => [
        keyword,
        keyword === 'properties' ? inlinedEach(document, value as object, within) : inner(value),
      ]),
  );
}

/** Names of properties are free: one may be called `title`. */
const inlinedEach = (
  document: ApiDocument,
  properties: object,
  within: readonly string[],
): Record<string, Schema> =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      inlined(document, schema as Schema, within),
    ]),
  );

/** Returns the schema of a body of a request or a response. */
export const bodySchema = (
  part: { content?: Readonly<Record<string, { schema: Schema }>> } | undefined,
): Schema | null => part?.content?.['application/json']?.schema ?? null;
