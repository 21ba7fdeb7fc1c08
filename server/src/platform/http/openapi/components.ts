import { Described, OWN_DESCRIPTION } from '../schemas/schemas.ts';

/** A keyword for the OpenAPI document alone; validators ignore it. */
const SHOWN_AS = 'x-shown-as';

type Node = Record<string, unknown>;

// What stands below these keywords is data and no schema.
const DATA: ReadonlySet<string> = new Set(['default', 'const', 'enum', 'example', 'examples']);

/**
 * Returns a keyword that shows another schema in the document than the one that validates: for a part of a request whose own
 * check has better messages than a schema.
 */
export function shownAs(shown: object): Record<string, object> {
  return { [SHOWN_AS]: shown };
}

/** Returns where the document keeps a named schema. */
export function schemaPath(name: string): string {
  return `#/components/schemas/${name}`;
}

/**
 * Returns the OpenAPI document with every schema that has a `title` moved to the components under that name, and one component
 * for each response header. A title that two different schemas claim stays with the first; the second is left in place.
 */
export function withComponents(document: object): object {
  const { info, components, ...rest } = document as Node & { components?: Node };
  const schemas: Record<string, Node> = {};
  const headers: Record<string, unknown> = {};
  const moved = hoist(rest, { schemas, headers }) as Node;
  const own = hoist(components ?? {}, { schemas, headers }) as Node;
  return {
    ...moved,
    info,
    components: { ...own, headers, schemas: { ...(own.schemas as Node), ...sorted(schemas) } },
  };
}

interface Found {
  schemas: Record<string, Node>;
  headers: Record<string, unknown>;
}

function sorted(schemas: Record<string, Node>): Record<string, Node> {
  return Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function hoist(node: unknown, found: Found): unknown {
  if (Array.isArray(node)) return node.map((one) => hoist(one, found));
  if (typeof node !== 'object' || node === null) return node;
  const { [SHOWN_AS]: shown, ...own } = node as Node;
  const { description } = own;
  if (typeof shown === 'object' && shown !== null)
    return hoist(typeof description === 'string' ? Described(shown, description) : shown, found);
  const parts = Object.fromEntries(
    Object.entries(withoutDefaults(own)).map(([key, part]) => [
      key,
      DATA.has(key) ? part : hoist(part, found),
    ]),
  );
  if (typeof parts.title === 'string') return asReference(parts.title, parts, found.schemas);
  delete parts[OWN_DESCRIPTION];
  return isResponse(parts) ? { ...parts, headers: shareHeaders(parts.headers, found) } : parts;
}

/**
 * Moves the defaults of optional fields into their descriptions: generators of clients take a field with a default for one that
 * is always there, and would want it in every request.
 */
function withoutDefaults(schema: Node): Node {
  const { properties } = schema as { properties?: Record<string, Node> };
  if (typeof properties !== 'object') return schema;
  const fields = Object.entries(properties).map(([name, { default: value, ...field }]) => {
    const description = [field.description, `Default: ${JSON.stringify(value)}.`].join(' ').trim();
    return [name, value === undefined ? field : { ...field, description }];
  });
  return { ...schema, properties: Object.fromEntries(fields) };
}

/** A description of its own stays beside the reference. */
function asReference(name: string, schema: Node, schemas: Record<string, Node>): Node {
  const { [OWN_DESCRIPTION]: own, ...here } = schema;
  const { title: _, description, ...rest } = here;
  const kept = OWN_DESCRIPTION in schema ? own : description;
  schemas[name] ??= kept === undefined ? rest : { description: kept, ...rest };
  const { description: known, ...first } = schemas[name];
  if (JSON.stringify(first) !== JSON.stringify(rest)) return here;
  const reference = { $ref: schemaPath(name) };
  return description === undefined || description === known
    ? reference
    : { ...reference, description };
}

function isResponse(node: Node): node is Node & { headers: Node } {
  return typeof node.headers === 'object' && 'content' in node && 'description' in node;
}

function shareHeaders(headers: Node, found: Found): Node {
  return Object.fromEntries(
    Object.entries(headers).map(([name, header]) => {
      found.headers[name] ??= header;
      const isSame = JSON.stringify(found.headers[name]) === JSON.stringify(header);
      return [name, isSame ? { $ref: `#/components/headers/${name}` } : header];
    }),
  );
}
