import { type ApiDocument, nameOf, type Schema, typedSchemas, wrapped } from '../sdk-types.ts';
import { broken } from './broken.ts';
import type { ClientOperation, ClientResource } from './operations.ts';

const WIDTH = 110;

const literal = (value: string | number | boolean): string =>
  typeof value === 'string' ? `'${value}'` : String(value);

/** Returns what a value may be, as PHPStan and editors read it; `names`: the components that have a type. */
function typeOf(schema: Schema, indent: string, names: ReadonlySet<string>): string {
  const choices = schema.oneOf ?? schema.anyOf;
  if (schema.$ref !== undefined) {
    const component = schema.$ref.split('/').at(-1) ?? '';
    return names.has(component) ? nameOf(component) : 'mixed';
  }
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum !== undefined) return schema.enum.map(literal).join('|');
  if (choices !== undefined)
    return [...new Set(choices.map((one) => typeOf(one, indent, names)))].join('|');
  switch (schema.type) {
    case 'integer':
      return 'int';
    case 'number':
      return 'int|float';
    case 'boolean':
      return 'bool';
    case 'array':
      return `list<${typeOf(schema.items ?? {}, indent, names)}>`;
    case 'object':
      return objectOf(schema, indent, names);
    default:
      return schema.type ?? 'mixed';
  }
}

function objectOf(schema: Schema, indent: string, names: ReadonlySet<string>): string {
  const { properties, required = [], additionalProperties: values } = schema;
  if (properties === undefined)
    return `array<string, ${typeof values === 'object' ? typeOf(values, indent, names) : 'mixed'}>`;
  const fields = Object.entries(properties).map(([name, of]) => [
    `${/^\w+$/.test(name) ? name : `'${name}'`}${required.includes(name) ? '' : '?'}`,
    typeOf(of, `${indent}  `, names),
  ]);
  return shapeOf(fields, indent);
}

/** Returns an array shape, with one key on each line of the comment. */
const shapeOf = (fields: readonly (readonly string[])[], indent: string): string =>
  `array{\n${fields.map(([key, type]) => ` *${indent}   ${key}: ${type},\n`).join('')} *${indent} }`;

/** Returns a comment of a class or method; a text wraps, the lines of a type stay as they are. */
function comment(text: string, lines: readonly string[], indent: string): string {
  const about =
    text === ''
      ? []
      : wrapped(text.replaceAll('\n', ' ').replaceAll('*/', '*'), WIDTH - indent.length - 3);
  const all = [
    ...about.map((line) => line.trim()),
    ...(lines.length > 0 && about.length > 0 ? [''] : []),
    ...lines,
  ];
  const body = all
    .join('\n')
    .split('\n')
    .map((line) => (line.startsWith(' *') ? `${indent}${line}` : `${indent} * ${line}`.trimEnd()));
  return `${indent}/**\n${body.join('\n')}\n${indent} */\n`;
}

const queryType = ({ query }: ClientOperation, names: ReadonlySet<string>): string =>
  shapeOf(
    query.map(({ name, required, schema }) => [
      `${name}${required ? '' : '?'}`,
      typeOf(schema, '  ', names),
    ]),
    '',
  );

function parametersOf(operation: ClientOperation): string {
  const { places, body, query, takesKey } = operation;
  return [
    ...places.map((place) => `string $${place}`),
    ...(body === null ? [] : [body.isOptional ? 'array $body = []' : 'array $body']),
    ...(query.length === 0
      ? []
      : [query.some(({ required }) => required) ? 'array $query' : 'array $query = []']),
    ...(takesKey ? ['?string $idempotencyKey = null'] : []),
  ].join(', ');
}

function callOf(operation: ClientOperation): string {
  const { verb, path, query, isList, body, takesKey, isOnlyOnce, timeout } = operation;
  const filled = `'${path.replaceAll(/\{(\w+)\}/g, "' . Transport::segment($$$1) . '")}'`;
  const url = filled.replaceAll(" . ''", '');
  if (isList) return `return $this->transport->list(${url}, $query);`;
  const options = [
    ...(query.length > 0 ? ['query: $query'] : []),
    ...(body === null ? [] : ['body: $body']),
    ...(takesKey ? ['idempotencyKey: $idempotencyKey'] : []),
    ...(isOnlyOnce ? ['onlyOnce: true'] : []),
    ...(timeout === null ? [] : [`timeout: ${timeout}`]),
  ];
  return `return $this->transport->send(${[`'${verb}'`, url, ...options].join(', ')});`;
}

function methodOf(operation: ClientOperation, names: ReadonlySet<string>): string {
  const { method, isList, body, query, response, description } = operation;
  const [indent, inner] = ['    ', '        '];
  const type = typeOf(response, '', names);
  const lines = [
    ...(body === null ? [] : [`@param ${body.name} $body`]),
    ...(query.length === 0 ? [] : [`@param ${queryType(operation, names)} $query`]),
    `@return ${isList ? `Page<${type}>` : type}`,
  ];
  const head = `public function ${method}(${parametersOf(operation)}): ${isList ? 'Page' : 'array'}`;
  return [
    comment(description, lines, indent),
    `${indent}${broken(head, indent, WIDTH)}\n${indent}{\n`,
    `${inner}${broken(callOf(operation), inner, WIDTH)}\n${indent}}\n`,
  ].join('');
}

/** Returns the names of the types that the methods of a resource take and return. */
function importsOf({ operations }: ClientResource, names: ReadonlySet<string>): string[] {
  const used = operations.flatMap((operation) => {
    const types = `${typeOf(operation.response, '', names)} ${queryType(operation, names)}`;
    const known = types.match(/\b[A-Z]\w+/g) ?? [];
    return operation.body === null ? known : [...known, operation.body.name];
  });
  return [...new Set(used)].sort();
}

function resourceOf(resource: ClientResource, names: ReadonlySet<string>): string {
  const { className, operations } = resource;
  const imports = importsOf(resource, names).map(
    (name) => `@phpstan-import-type ${name} from Types`,
  );
  const methods = operations.map((operation) => methodOf(operation, names));
  const init = `    public function __construct(private readonly Transport $transport)\n    {\n    }\n`;
  return `${comment('', imports, '')}final class ${className}\n{\n${[init, ...methods].join('\n')}}\n`;
}

/** Returns the file of the PHP client: its version, a type for each schema, and the methods of each resource. */
export function phpClient(
  document: ApiDocument,
  resources: readonly ClientResource[],
  version: string,
): string {
  const schemas = typedSchemas(document);
  const names = new Set(schemas.map(([name]) => name));
  const types = schemas.map(
    ([name, schema]) => `@phpstan-type ${nameOf(name)} ${typeOf(schema, '', names)}`,
  );
  const fields = resources.map(
    ({ name, className }) => `    public readonly ${className} $${name};\n`,
  );
  const made = resources.map(
    ({ name, className }) => `        $this->${name} = new ${className}($transport);\n`,
  );
  const parts = [
    '<?php\n\n// Written by `npm run generate -- clients` from the OpenAPI document of the service.\n\ndeclare(strict_types=1);\n\nnamespace Recollect;\n',
    `${comment('The types of what is sent and returned, for PHPStan and editors.', types, '')}final class Types\n{\n}\n`,
    ...resources.map((resource) => resourceOf(resource, names)),
    `/**\n * Every resource of the API.\n */\nclass Resources\n{\n    public const VERSION = '${version}';\n\n${fields.join('')}\n    public function __construct(Transport $transport)\n    {\n${made.join('')}    }\n}\n`,
  ];
  return parts.join('\n');
}
