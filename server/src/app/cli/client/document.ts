import type { Method } from '../../../platform/http/calls/route.ts';

/** What the command line reads of a JSON schema. */
export interface Schema {
  $ref?: string;
  type?: string;
  description?: string;
  enum?: readonly string[];
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  items?: Schema;
  anyOf?: readonly Schema[];
}

interface Parameter {
  in: string;
  name: string;
  required?: boolean;
  description?: string;
  schema: Schema;
}

interface Operation {
  summary: string;
  description?: string;
  tags: readonly string[];
  'x-cli'?: string;
  parameters?: readonly Parameter[];
  requestBody?: { content: { 'application/json': { schema: Schema } } };
}

/** What the command line reads of the operators' OpenAPI document. */
export interface AdminDocument {
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  components: { schemas: Readonly<Record<string, Schema>> };
  externalDocs?: { url: string };
}

/** An option of a command: a field of the query or of the body. */
export interface ApiOption {
  place: 'query' | 'body';
  /** Where its value stands: `['settlement_account', 'sort_code']`. */
  path: readonly string[];
  /** Without its dashes: `settlement-account-sort-code`. */
  flag: string;
  about: string;
  isRequired: boolean;
  kind: 'text' | 'number' | 'switch' | 'list';
  choices: readonly string[] | null;
  /** Whether the word `none` empties the field. */
  takesNone: boolean;
}

/** A command that calls one endpoint. */
export interface ApiCommand {
  /** The noun, which search lacks, and the verb. */
  words: readonly string[];
  method: Method;
  path: string;
  summary: string;
  about: string;
  tag: string;
  /** The parameters of the path in its order, and what the command calls them. */
  args: readonly { name: string; shown: string }[];
  options: readonly ApiOption[];
}

/** Returns the commands of a document, in its order: an endpoint without `x-cli` has none. */
export function commandsOf(document: AdminDocument): ApiCommand[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const { 'x-cli': words, summary, description = '', tags, parameters = [] } = operation;
      if (words === undefined) return [];
      const body = operation.requestBody?.content['application/json'].schema;
      return [
        {
          words: words.split(' '),
          method: method.toUpperCase() as Method,
          path,
          summary,
          about: description,
          tag: tags.join(', '),
          args: argsOf(path),
          options: [
            ...parameters.filter((one) => one.in === 'query').map(ofQuery),
            ...(body === undefined ? [] : ofBody(document, body, [], true)),
          ],
        },
      ];
    }),
  );
}

/** Names the parameters of a path: the `{id}` of `/merchants/{id}` is a `merchant_id`. */
function argsOf(path: string): ApiCommand['args'] {
  return Array.from(path.matchAll(/(?:([a-z_]+)\/)?\{(\w+)\}/g), ([, before, name = '']) => ({
    name,
    shown: name === 'id' && before !== undefined ? `${before.replace(/s$/, '')}_id` : name,
  }));
}

function ofQuery({ name, description, required = false, schema }: Parameter): ApiOption {
  const described = description === undefined ? schema : { ...schema, description };
  return optionOf(described, 'query', [name], required);
}

/** Returns the options of an object of the body: a field of an object within it has the names of both. */
function ofBody(
  document: AdminDocument,
  given: Schema,
  path: readonly string[],
  isRequired: boolean,
): ApiOption[] {
  const schema = resolved(document, given);
  if (schema.type !== 'object') return [optionOf(schema, 'body', path, isRequired)];
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const isNeeded = isRequired && (schema.required?.includes(name) ?? false);
    return ofBody(document, field, [...path, name], isNeeded);
  });
}

function resolved({ components }: AdminDocument, schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : { ...components.schemas[name], ...schema };
}

const KINDS: Readonly<Record<string, ApiOption['kind']>> = {
  integer: 'number',
  boolean: 'switch',
  array: 'list',
};

function optionOf(
  given: Schema,
  place: ApiOption['place'],
  path: readonly string[],
  isRequired: boolean,
): ApiOption {
  const takesNone = given.anyOf?.some(({ type }) => type === 'null') ?? false;
  const schema = given.anyOf?.find(({ type }) => type !== 'null') ?? given;
  const about = given.description ?? schema.description ?? '';
  return {
    place,
    path,
    flag: flagOf(path),
    about: takesNone ? `${about} none: empties it.`.trim() : about,
    isRequired,
    kind: KINDS[schema.type ?? ''] ?? 'text',
    choices: schema.enum ?? schema.items?.enum ?? null,
    takesNone,
  };
}

/** Names a field as an option. A word that two names share is said once: `settlement-account-number`. */
function flagOf(path: readonly string[]): string {
  const words = path.flatMap((name) => name.split('_'));
  return words.filter((word, n) => word !== words[n - 1]).join('-');
}
