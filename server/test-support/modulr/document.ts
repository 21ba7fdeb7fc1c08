import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** Where Modulr's OpenAPI document is: beside the project, because we may not distribute it. */
const MODULR_DOCUMENT =
  process.env.MODULR_OPENAPI ??
  fileURLToPath(new URL('../../../../shared/partners/modulr/openapi.json', import.meta.url));

/** Why requests and answers cannot be held against the document; false: they can. */
export const noModulrDocument: string | false = existsSync(MODULR_DOCUMENT)
  ? false
  : 'put openapi.json of Modulr where MODULR_OPENAPI says to run this';

/** Returns the values of an enumeration in the document. */
export function documentedEnum(schema: string, member: string): string[] {
  const document = JSON.parse(readFileSync(MODULR_DOCUMENT, 'utf8')) as {
    components: { schemas: Record<string, { properties: Record<string, { enum: string[] }> }> };
  };
  return document.components.schemas[schema]?.properties[member]?.enum ?? [];
}

/** A request and its answer. */
export interface Exchange {
  method: string;
  path: string;
  query: URLSearchParams;
  /** Undefined: none was sent. */
  body: unknown;
  status: number;
  answer: unknown;
}

interface Operation {
  parameters?: { name: string; in: string; required?: boolean; schema: object }[];
  requestBody?: { content: Record<string, { schema: object }>; required?: boolean };
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
}

type Paths = Record<string, Record<string, Operation>>;

/** Holds exchanges against Modulr's document. Returns what does not conform, as sentences. */
export function modulrConformance(): (exchange: Exchange) => string[] {
  const document = JSON.parse(readFileSync(MODULR_DOCUMENT, 'utf8')) as { paths: Paths };
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    unicodeRegExp: false,
    coerceTypes: 'array',
  });
  addFormats.default(ajv);
  ajv.addFormat('int32', true).addFormat('int64', true);
  ajv.addSchema(document, 'modulr');
  const compiled = new Map<string, ValidateFunction>();
  const validate = (pointer: string): ValidateFunction => {
    const found = compiled.get(pointer) ?? ajv.compile({ $ref: `modulr#${pointer}` });
    compiled.set(pointer, found);
    return found;
  };
  return (exchange) => {
    const place = placeOf(document.paths, exchange);
    if (place === null) return [`${exchange.method} ${exchange.path} is not in the document`];
    const problems = partsOf(exchange, place).flatMap(({ what, pointer, value }) => {
      const check = validate(pointer);
      if (check(value)) return [];
      const wrong = ajv.errorsText(check.errors, { dataVar: what });
      return [`${exchange.method} ${place.template}: ${wrong}`];
    });
    return [...problems, ...unknownParts(exchange, place)];
  };
}

interface Place {
  template: string;
  operation: Operation;
}

function placeOf(paths: Paths, { method, path }: Exchange): Place | null {
  for (const [template, operations] of Object.entries(paths)) {
    const pattern = new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
    const operation = operations[method.toLowerCase()];
    if (pattern.test(path) && operation !== undefined) return { template, operation };
  }
  return null;
}

function partsOf(exchange: Exchange, { template, operation }: Place) {
  const escaped = template.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('{', '%7B');
  const root = `/paths/${escaped.replaceAll('}', '%7D')}/${exchange.method.toLowerCase()}`;
  const parts = (operation.parameters ?? []).flatMap((parameter, n) => {
    const all = exchange.query.getAll(parameter.name);
    if (parameter.in !== 'query' || all.length === 0) return [];
    const value = all.length === 1 ? all[0] : all;
    const pointer = `${root}/parameters/${n}/schema`;
    return [{ what: parameter.name, pointer, value: { value }.value as unknown }];
  });
  if (exchange.body !== undefined)
    parts.push({
      what: 'body',
      pointer: `${root}/requestBody/content/application~1json/schema`,
      value: structuredClone(exchange.body),
    });
  const content = operation.responses[String(exchange.status)]?.content ?? {};
  for (const type of Object.keys(content))
    parts.push({
      what: 'answer',
      pointer: `${root}/responses/${exchange.status}/content/${type.replaceAll('/', '~1').replaceAll('*', '%2A')}/schema`,
      value: structuredClone(exchange.answer),
    });
  return parts;
}

/** Names what the document does not know, or wants and lacks: query parameters, members of the body, the status. */
function unknownParts(exchange: Exchange, { template, operation }: Place): string[] {
  const names = (operation.parameters ?? []).filter((one) => one.in === 'query');
  const unknown = [...new Set(exchange.query.keys())].filter(
    (name) => !names.some((one) => one.name === name),
  );
  const missing = names.filter((one) => one.required === true && !exchange.query.has(one.name));
  const hasBody = operation.requestBody !== undefined;
  return [
    ...unknown.map((name) => `${template}: no query parameter ${name}`),
    ...missing.map((one) => `${template}: the query parameter ${one.name} is missing`),
    ...(hasBody === (exchange.body !== undefined) ? [] : [`${template}: body or none`]),
    ...(String(exchange.status) in operation.responses
      ? []
      : [`${template}: no answer ${exchange.status}`]),
  ];
}

/** Asserts that all exchanges conform. */
export function assertConform(exchanges: readonly Exchange[]): void {
  const check = modulrConformance();
  assert.ok(exchanges.length > 0, 'nothing was exchanged');
  assert.deepEqual([...new Set(exchanges.flatMap(check))], []);
}
