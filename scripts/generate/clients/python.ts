import {
  type ApiDocument,
  nameOf,
  type Parameter,
  type Schema,
  typedSchemas,
  wrapped,
} from '../sdk-types.ts';
import { broken } from './broken.ts';
import type { ClientOperation, ClientResource } from './operations.ts';

const WIDTH = 100;

/** Words of Python that no name may be; of those the API has these. */
const KEYWORDS: readonly string[] = ['from', 'import'];

const HEADING = `# Written by \`npm run generate -- clients\` from the OpenAPI document of the service.
from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Dict, List, Literal, Optional, TypedDict, Union

from .paging import Page
from .transport import Transport, segment

if sys.version_info >= (3, 11):
    from typing import NotRequired
elif TYPE_CHECKING:
    from typing_extensions import NotRequired
`;

/** What is declared so far: classes and, behind them, since they are evaluated, other types. */
interface Declared {
  readonly names: ReadonlySet<string>;
  readonly classes: Map<string, string>;
  readonly aliases: Map<string, string>;
}

const capital = (name: string): string => name.replace(/^./, (letter) => letter.toUpperCase());
/** Returns a name as Python writes it. */
export const snake = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const isKeyword = (name: string): boolean => KEYWORDS.includes(name);
/** Returns a name that is no word of the language. */
export const named = (name: string): string => (isKeyword(name) ? `${name}_` : name);
const pascal = (name: string): string => name.split('_').map(capital).join('');

function literal(value: string | number | boolean): string {
  if (typeof value === 'boolean') return capital(String(value));
  return JSON.stringify(value);
}

/** Returns a docstring, with the line behind it. */
function docstring(text: string | undefined, indent: string): string {
  if (text === undefined) return '';
  const safe = text
    .replaceAll('\\', '\\\\')
    .replaceAll('"""', "'''")
    .replaceAll('\n', ' ')
    .replace(/"$/, '" ');
  const [first = '', ...rest] = wrapped(`"""${safe}"""`, WIDTH - indent.length);
  return [first, ...rest].map((line) => `${indent}${line.trimStart()}\n`).join('');
}

/** Returns what a value may be. An object that has no name of its own is declared under `name`. */
function typeOf(schema: Schema, name: string, declared: Declared): string {
  const choices = schema.oneOf ?? schema.anyOf;
  if (schema.$ref !== undefined) {
    const component = schema.$ref.split('/').at(-1) ?? '';
    return declared.names.has(component) ? nameOf(component) : 'Any';
  }
  if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`;
  if (schema.enum !== undefined) return `Literal[${schema.enum.map(literal).join(', ')}]`;
  if (choices !== undefined) return unionOf(choices, name, declared);
  switch (schema.type) {
    case 'string':
      return 'str';
    case 'integer':
      return 'int';
    case 'number':
      return 'float';
    case 'boolean':
      return 'bool';
    case 'array':
      return `List[${typeOf(schema.items ?? {}, name, declared)}]`;
    case 'object':
      return objectOf(schema, name, declared);
    default:
      return 'Any';
  }
}

function unionOf(choices: readonly Schema[], name: string, declared: Declared): string {
  const others = choices.filter(({ type }) => type !== 'null');
  const inline = others.filter(({ properties }) => properties !== undefined).length;
  const types = others.map((one) =>
    typeOf(one, inline > 1 ? `${name}${pascal(one.required?.[0] ?? '')}` : name, declared),
  );
  const union = types.length === 1 ? types[0] : `Union[${[...new Set(types)].join(', ')}]`;
  return others.length === choices.length ? `${union}` : `Optional[${union}]`;
}

function objectOf(schema: Schema, name: string, declared: Declared): string {
  if (schema.properties === undefined) {
    const values = schema.additionalProperties;
    return `Dict[str, ${typeof values === 'object' ? typeOf(values, name, declared) : 'Any'}]`;
  }
  declareClass(name, schema, declared);
  return name;
}

function declareClass(name: string, schema: Schema, declared: Declared): void {
  const { description, properties = {}, required = [] } = schema;
  if (declared.classes.has(name)) throw new Error(`Two types are called ${name}`);
  declared.classes.set(name, ''); // its place is before those that it declares
  const fields = Object.entries(properties).map(([field, of]) => {
    const type = typeOf(of, `${name}${pascal(field)}`, declared);
    return { field, type: required.includes(field) ? type : `NotRequired[${type}]`, of };
  });
  if (!fields.some(({ field }) => isKeyword(field) || !/^\w+$/.test(field))) {
    const lines = fields.map(
      ({ field, type, of }) =>
        `    ${broken(`${field}: ${type}`, '    ', WIDTH)}\n${docstring(of.description, '    ')}`,
    );
    const about = docstring(description, '    ');
    declared.classes.set(
      name,
      `class ${name}(TypedDict):\n${about}${about && '\n'}${lines.join('')}`,
    );
    return;
  }
  const lines = fields.flatMap(({ field, type, of }) => [
    ...wrapped(of.description ?? type, WIDTH - 10).map((line) => `        # ${line}\n`),
    `        ${JSON.stringify(field)}: ${JSON.stringify(type).replaceAll('\\"', "'")},\n`,
  ]);
  const text = `${name} = TypedDict(\n    "${name}",\n    {\n${lines.join('')}    },\n)\n`;
  declared.classes.set(name, `${text}${docstring(description, '')}`);
}

function declare(component: string, schema: Schema, declared: Declared): void {
  const name = nameOf(component);
  if (schema.properties !== undefined && schema.oneOf === undefined) {
    declareClass(name, schema, declared);
    return;
  }
  const text = `${name} = ${typeOf(schema, name, declared)}`;
  declared.aliases.set(name, `${broken(text, '', WIDTH)}\n${docstring(schema.description, '')}`);
}

/** A parameter of a method: its name, its type, and what it is if it is left out. */
const optional = (name: string, type: string): string => `${name}: Optional[${type}] = None`;

function queryParameter({ name, required, schema }: Parameter, declared: Declared): string {
  const type = typeOf(schema, '', declared);
  return required ? `${named(name)}: ${type}` : optional(named(name), type);
}

function signature(operation: ClientOperation, declared: Declared): string {
  const { method, places, query, isList, body, takesKey, response } = operation;
  const positional = places.map((place) => `${place}: str`);
  if (body !== null)
    positional.push(body.isOptional ? optional('body', body.name) : `body: ${body.name}`);
  const keywords = query.map((parameter) => queryParameter(parameter, declared));
  if (takesKey) keywords.push(optional('idempotency_key', 'str'));
  const parameters = ['self', ...positional, ...(keywords.length === 0 ? [] : ['*', ...keywords])];
  const type = typeOf(response, '', declared);
  const returned = isList ? `Page[${type}]` : type;
  return `def ${named(snake(method))}(${parameters.join(', ')}) -> ${returned}:`;
}

function callOf(operation: ClientOperation): string {
  const { verb, path, places, query, isList, body, takesKey, isOnlyOnce, timeout } = operation;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `{segment(${name})}`);
  const url = `${places.length > 0 ? 'f' : ''}"${filled}"`;
  const sent = query.map(({ name }) => `"${name}": ${named(name)}`);
  const pairs = `{${sent.join(', ')}}`;
  if (isList) return `return self._transport.list(${url}, ${pairs})`;
  const options = [
    ...(sent.length > 0 ? [`query=${pairs}`] : []),
    ...(body === null ? [] : ['body=body']),
    ...(takesKey ? ['idempotency_key=idempotency_key'] : []),
    ...(isOnlyOnce ? ['only_once=True'] : []),
    ...(timeout === null ? [] : [`timeout=${timeout}`]),
  ];
  return `return self._transport.send(${[`"${verb}"`, url, ...options].join(', ')})`;
}

function methodOf(operation: ClientOperation, declared: Declared): string {
  const [indent, inner] = ['    ', '        '];
  return [
    `${indent}${broken(signature(operation, declared), indent, WIDTH)}\n`,
    docstring(operation.description, inner),
    `${inner}${broken(callOf(operation), inner, WIDTH)}\n`,
  ].join('');
}

function resourceOf({ className, operations }: ClientResource, declared: Declared): string {
  const init = `    def __init__(self, transport: Transport) -> None:\n        self._transport = transport\n`;
  const methods = operations.map((operation) => methodOf(operation, declared));
  return `class ${className}:\n${[init, ...methods].join('\n')}`;
}

/** Returns the module of the Python client: its version, a type for each schema, and the methods of each resource. */
export function pythonClient(
  document: ApiDocument,
  resources: readonly ClientResource[],
  version: string,
): string {
  const schemas = typedSchemas(document);
  const declared: Declared = {
    names: new Set(schemas.map(([name]) => name)),
    classes: new Map(),
    aliases: new Map(),
  };
  for (const [name, schema] of schemas) declare(name, schema, declared);
  const events = schemas.filter(([, { properties }]) => properties?.event?.const !== undefined);
  const union = `WebhookEvent = Union[${events.map(([name]) => nameOf(name)).join(', ')}]`;
  const properties = resources.map(
    ({ name, className }) => `        self.${snake(name)} = ${className}(transport)\n`,
  );
  const classes = resources.map((resource) => resourceOf(resource, declared));
  const all = [
    ...declared.classes.values(),
    ...declared.aliases.values(),
    `${broken(union, '', WIDTH)}\n"""The body of a webhook."""\n`,
    ...classes,
    `class Resources:\n    """Every resource of the API."""\n\n    def __init__(self, transport: Transport) -> None:\n${properties.join('')}`,
  ];
  return [HEADING, `VERSION = "${version}"\n`, ...all.map((one) => `\n${one}`)].join('\n');
}
