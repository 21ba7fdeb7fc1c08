import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { Settings } from 'typebox/system';
import { explain } from './explain.ts';

/** Dotted field path → what is wrong with it: docs/rules/api.md#errors. */
export type Details = Record<string, string>;

/**
 * A checked part of a request: the value typed by its schema, or the wrong fields. `details` is null only if the schema takes the
 * value: that is the verdict, whatever number of fields is named.
 */
export type Checked<T> = { value: T; details: null } | { value: null; details: Details };

// The library stops at 8 problems unless told otherwise. It stops here too, so the number of problems says nothing.
Settings.Set({ maxErrors: 256 });

const MAX_DEPTH = 32;

/**
 * Returns the fields that cannot be stored: text with NUL characters or lone surrogates, and values nested so deeply that
 * later work would overflow the stack.
 */
export function unstorable(value: unknown, path = '', depth = 0): Details {
  if (typeof value === 'string') {
    const fine = value.isWellFormed() && !value.includes('\u0000');
    return fine ? {} : { [path]: 'holds characters that cannot be stored' };
  }
  if (typeof value !== 'object' || value === null) return {};
  if (depth >= MAX_DEPTH) return { [path]: `is nested more than ${MAX_DEPTH} levels deep` };
  const details: Details = Object.create(null);
  for (const [key, inner] of Object.entries(value)) {
    const at = path === '' ? key : `${path}.${key}`;
    Object.assign(details, unstorable(key, at, depth + 1), unstorable(inner, at, depth + 1));
  }
  return { ...details };
}

/**
 * Returns a function that checks a part of a request against its schema, without changing it. `whole` names the part itself. The
 * schema is compiled for the first request: most routes are not called for a while, and a service starts without them.
 */
export function checker<T extends TSchema>(
  schema: T,
  whole: string,
): (value: unknown) => Checked<Static<T>> {
  let compiled: ReturnType<typeof Compile<T>> | undefined;
  return (value) => {
    compiled ??= Compile(schema);
    if (compiled.Check(value)) return { value, details: null };
    return { value: null, details: explain(compiled.Errors(value), whole) };
  };
}

interface Property {
  type?: unknown;
  default?: unknown;
}

function propertiesOf(schema: TSchema): Record<string, Property> {
  return 'properties' in schema ? (schema.properties as Record<string, Property>) : {};
}

function fromText(text: unknown, type: unknown): unknown {
  if (typeof text !== 'string') return text;
  if (type === 'integer' && /^-?\d{1,16}$/.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

function ownType(properties: Record<string, Property>, name: string): unknown {
  return Object.hasOwn(properties, name) ? properties[name]?.type : undefined;
}

/** Returns a function that reads a query string by its schema: parses integers and booleans, and fills in defaults. */
export function queryReader(schema: TSchema): (query: object) => object {
  const properties = propertiesOf(schema);
  return (query) => {
    const values: Record<string, unknown> = Object.create(null);
    for (const [name, property] of Object.entries(properties))
      if (property.default !== undefined) values[name] = property.default;
    for (const [name, text] of Object.entries(query))
      values[name] = fromText(text, ownType(properties, name));
    return { ...values };
  };
}
