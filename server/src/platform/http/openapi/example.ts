/** What an example is made from: a schema of the OpenAPI document. */
export interface ExampleSchema {
  $ref?: string;
  type?: string;
  const?: unknown;
  enum?: unknown[];
  examples?: unknown[];
  oneOf?: ExampleSchema[];
  anyOf?: ExampleSchema[];
  properties?: Record<string, ExampleSchema>;
  required?: string[];
  items?: ExampleSchema;
  minimum?: number;
  format?: string;
}

/** The body of a request in the document: its schema, and an example where the schema alone leads to none. */
export interface ExampleBody {
  schema: ExampleSchema;
  example?: unknown;
}

const WORDS: Readonly<Record<string, unknown>> = {
  string: 'text',
  boolean: true,
  null: null,
  array: [],
  object: {},
};

/** Returns an example of the body of a request. */
export function exampleOfBody(
  { schema, example }: ExampleBody,
  schemas: Readonly<Record<string, ExampleSchema>>,
): unknown {
  return example ?? exampleOf(schema, schemas);
}

/** Returns the schema behind a reference of the document. */
function resolve(
  schema: ExampleSchema,
  schemas: Readonly<Record<string, ExampleSchema>>,
): ExampleSchema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : (schemas[name] ?? {});
}

/**
 * Returns an example of a schema: its own where it has one, else the smallest value that fits. Of an object it has the required
 * fields, or the first where none is.
 */
export function exampleOf(
  shown: ExampleSchema,
  schemas: Readonly<Record<string, ExampleSchema>>,
): unknown {
  const schema = resolve(shown, schemas);
  if (schema.examples?.[0] !== undefined) return schema.examples[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const [first] = schema.oneOf ?? schema.anyOf ?? [];
  if (first !== undefined) return exampleOf(first, schemas);
  if (schema.properties !== undefined) return exampleOfObject(schema, schemas);
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 1;
  if (schema.type === 'array' && schema.items !== undefined)
    return [exampleOf(schema.items, schemas)];
  return WORDS[schema.type ?? ''];
}

function exampleOfObject(
  schema: ExampleSchema,
  schemas: Readonly<Record<string, ExampleSchema>>,
): object {
  const fields = Object.entries(schema.properties ?? {});
  const needed = fields.filter(([name]) => schema.required?.includes(name));
  const shown = needed.length > 0 ? needed : fields.slice(0, 1);
  return Object.fromEntries(shown.map(([name, field]) => [name, exampleOf(field, schemas)]));
}

// What only people read, and what the validator of Postman does not know.
const LEFT_OUT: ReadonlySet<string> = new Set(['description', 'examples', 'discriminator']);

/** Returns schemas as a validator needs them. */
export function schemasOf(schemas: object): object {
  const plain = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(plain);
    if (typeof node !== 'object' || node === null) return node;
    const { properties, ...rest } = node as { properties?: object };
    const own = Object.entries(rest).filter(([key]) => !LEFT_OUT.has(key));
    // A property may have the name of a keyword.
    const fields = properties && Object.entries(properties).map(([key, one]) => [key, plain(one)]);
    return {
      ...Object.fromEntries(own.map(([key, one]) => [key, plain(one)])),
      ...(fields && { properties: Object.fromEntries(fields) }),
    };
  };
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, plain(schema)]));
}
