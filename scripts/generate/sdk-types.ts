import { startTestService } from '../../server/test-support/service.ts';

/** A schema of the document, as far as it is read. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly description?: string;
  readonly format?: string;
  readonly const?: string | number | boolean;
  readonly enum?: readonly (string | number)[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
}

/** A schema, or the query of a list: then without what every list takes. */
type Query = Schema & { readonly isList?: boolean };

/** A parameter of an operation. */
export interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

interface Content {
  readonly content?: Readonly<
    Record<string, { readonly schema: Schema; readonly example?: unknown }>
  >;
}

/** A call of the API. */
export interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

/** What is read of the OpenAPI document of the merchants’ API. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** What the SDK calls a schema, or the query of an operation, whose name in the document says less in a program. */
const NAMES: Readonly<Record<string, string>> = {
  Error: 'ErrorBody',
  Event: 'RecollectEvent',
  EventDetail: 'RecollectEventDetail',
  PaymentAttempt: 'Attempt',
  CustomerInput: 'CustomerFields',
  FrequencyInput: 'FrequencyFields',
  CreatePaymentRequest: 'NewPayment',
  CreateRefundRequest: 'NewRefund',
  CreateDisputeRequest: 'NewDispute',
  RefundDisputeRequest: 'DisputeRefund',
  RejectDisputeRequest: 'DisputeRejection',
  PrepareActRequest: 'ActToPrepare',
  CreateWebhookEndpointRequest: 'NewWebhookEndpoint',
  UpdateWebhookEndpointRequest: 'WebhookEndpointChanges',
  UpdateCustomerRequest: 'CustomerChanges',
  UpdateMerchantRequest: 'MerchantChanges',
  EraseCustomerRequest: 'CustomerErasure',
  ReplayEventsRequest: 'Replay',
  ReplayEventsResponse: 'Replayed',
  AdvanceSandboxClockResponse: 'SandboxMoved',
  DecideSandboxConsentRequest: 'SandboxDecision',
  DecideSandboxConsentResponse: 'SandboxDecided',
  ListSchedulesQuery: 'ScheduleQuery',
  ListPaymentsQuery: 'PaymentQuery',
  ListCustomersQuery: 'CustomerQuery',
  ListRefundsQuery: 'RefundQuery',
  ListDisputesQuery: 'DisputeQuery',
  ListSettlementsQuery: 'SettlementQuery',
  ListEventsQuery: 'EventQuery',
  ListPreparedActsQuery: 'PreparedActQuery',
};

/** Schemas that the document cuts short, since many generators cannot take a type that holds itself. */
const WHOLE: Readonly<Record<string, string>> = { MetadataValue: 'unknown' };

/** What every list takes: the SDK's `ListQuery`. */
const PAGE_FIELDS: readonly string[] = ['limit', 'offset', 'after'];

/** Any other text than the words beside it. */
const OPEN = '(string & {})';

const WIDTH = 100;
const COMMENT_WIDTH = 120;

const capital = (name: string): string => name.replace(/^./, (letter) => letter.toUpperCase());
/** Returns what the SDK calls a schema of the document. */
export const nameOf = (name: string): string => NAMES[name] ?? name;
const typeNamed = (name: string): string => WHOLE[name] ?? nameOf(name);
const literal = (value: string | number | boolean): string =>
  typeof value === 'string' ? `'${value}'` : String(value);

/** Returns the OpenAPI document of a service of this code. */
export async function apiDocument(): Promise<ApiDocument> {
  const service = await startTestService();
  try {
    return (await service.api<ApiDocument>('GET', '/openapi.json')).body;
  } finally {
    await service.close();
  }
}

/** Returns the schemas that clients have a type for: without pages, bodies in which nothing is sent, and what is cut short. */
export const typedSchemas = ({ components }: ApiDocument): [string, Schema][] =>
  Object.entries(components.schemas).filter(
    ([name, schema]) => !(name in WHOLE || isPage(schema) || isEmpty(schema)),
  );

/** Returns the types of the SDK as they follow from the document: a type for each schema, list query and webhook. */
export function sdkTypes(document: ApiDocument): string {
  const { paths, components } = document;
  const schemas = typedSchemas(document);
  const queries = Object.values(paths).flatMap((operations) => Object.values(operations));
  const parts = [
    '// Written by `npm run generate -- sdk-types` from the OpenAPI document of the service.',
    "import type { ListQuery } from './paging.ts';\n",
    ...schemas.map(([name, schema]) => declared(nameOf(name), schema)),
    ...queries.flatMap(queryOf).map(([name, schema]) => declared(nameOf(name), schema)),
    declared('WebhookData', webhookData(components.schemas)),
  ];
  return parts.join('\n');
}

/** A page of a list; the SDK has one type for all of them, `List`. */
const isPage = ({ properties = {} }: Schema): boolean =>
  'data' in properties && 'total' in properties;

/** Whether nothing is sent in a body. */
export const isEmpty = ({ properties, oneOf }: Schema): boolean =>
  properties !== undefined && oneOf === undefined && Object.keys(properties).length === 0;

/** Returns the query of an operation, and whether it is that of a list. */
export function parametersOf({ parameters = [] }: Operation): [Parameter[], boolean] {
  const all = parameters.filter((parameter) => parameter.in === 'query');
  return [all, PAGE_FIELDS.every((field) => all.some(({ name }) => name === field))];
}

/** The query of a list, without the fields that every list has. */
function queryOf(operation: Operation): [string, Query][] {
  const { operationId } = operation;
  const [all, isList] = parametersOf(operation);
  const own = isList ? all.filter(({ name }) => !PAGE_FIELDS.includes(name)) : all;
  if (own.length === 0) return [];
  const properties = own.map(({ name, description, schema }): [string, Schema] => [
    name,
    description === undefined ? schema : { ...schema, description },
  ]);
  const required = own.filter((parameter) => parameter.required).map(({ name }) => name);
  return [
    [
      `${capital(operationId)}Query`,
      { isList, properties: Object.fromEntries(properties), required },
    ],
  ];
}

/** The data of each kind of event, by kind. */
function webhookData(schemas: Readonly<Record<string, Schema>>): Schema {
  const kinds = Object.values(schemas).flatMap(({ properties, description }) => {
    const kind = properties?.event?.const;
    const data = properties?.data;
    return typeof kind === 'string' && data ? [[kind, { ...data, description }]] : [];
  });
  const properties = Object.fromEntries(kinds) as Record<string, Schema>;
  return {
    description: 'What each kind of event carries.',
    type: 'object',
    properties,
    required: Object.keys(properties),
  };
}

function declared(name: string, schema: Query): string {
  const comment = commented(schema.description, '');
  const base = schema.isList ? ' extends ListQuery' : '';
  if (schema.properties !== undefined && schema.oneOf === undefined)
    return `${comment}export interface ${name}${base} ${fieldsOf(schema, '')}\n`;
  return `${comment}${line(`export type ${name} = `, schema, '')}\n`;
}

function fieldsOf({ properties = {}, required = [] }: Schema, indent: string): string {
  const inner = `${indent}  `;
  const fields = Object.entries(properties).map(([name, schema]) => {
    const key = /^\w+$/.test(name) ? name : `'${name}'`;
    const start = `${inner}${key}${required.includes(name) ? '' : '?'}: `;
    return `${commented(schema.description, inner)}${line(start, schema, inner)}\n`;
  });
  return `{\n${fields.join('')}${indent}}`;
}

/** Returns a field or a type, on one line where it fits. */
function line(start: string, schema: Schema, indent: string): string {
  const short = `${start}${union(typesOf(schema, indent))};`;
  if (short.length <= WIDTH || short.includes('{')) return short;
  const [item, end] =
    schema.items === undefined ? [schema, ';'] : [schema.items, `\n${indent})[];`];
  const types = typesOf(item, indent).map((type) => `\n${indent}  | ${type}`);
  return `${start.trimEnd()}${end === ';' ? '' : ' ('}${types.join('')}${end}`;
}

const union = (types: readonly string[]): string => types.join(' | ');

/** Returns what a value may be, each as one type. */
function typesOf(schema: Schema, indent: string): readonly string[] {
  const choices = schema.oneOf ?? schema.anyOf;
  if (schema.$ref !== undefined) return [typeNamed(schema.$ref.split('/').at(-1) ?? '')];
  if (schema.const !== undefined) return [literal(schema.const)];
  if (schema.enum !== undefined) return schema.enum.map(literal);
  if (choices !== undefined) {
    const types = [...new Set(choices.flatMap((one) => typesOf(one, indent)))];
    // Beside words `string` would swallow them, and an editor would offer none.
    const isOpen = choices.some((one) => one.enum ?? one.$ref) && types.includes('string');
    return isOpen ? types.map((type) => (type === 'string' ? OPEN : type)) : types;
  }
  switch (schema.type) {
    case 'integer':
    case 'number':
      return ['number'];
    case 'array':
      return [arrayOf(typesOf(schema.items ?? {}, indent))];
    case 'object':
      return [objectOf(schema, indent)];
    default:
      return [schema.type ?? 'unknown'];
  }
}

const arrayOf = (types: readonly string[]): string =>
  types.length > 1 ? `(${union(types)})[]` : `${types[0]}[]`;

function objectOf(schema: Schema, indent: string): string {
  if (schema.properties !== undefined) return fieldsOf(schema, indent);
  const values = schema.additionalProperties;
  return `Record<string, ${typeof values === 'object' ? union(typesOf(values, indent)) : 'unknown'}>`;
}

function commented(text: string | undefined, indent: string): string {
  if (text === undefined) return '';
  const line = text.replaceAll('\n', ' ');
  if (indent.length + line.length + 7 <= COMMENT_WIDTH) return `${indent}/** ${line} */\n`;
  const lines = wrapped(line, COMMENT_WIDTH - indent.length - 3);
  return `${indent}/**\n${lines.map((one) => `${indent} * ${one}\n`).join('')}${indent} */\n`;
}

/** Breaks a text into lines of at most so many columns. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1) ?? ''} ${word}`;
    if (lines.length === 0 || longer.length > width) lines.push(word);
    else lines.splice(-1, 1, longer);
  }
  return lines;
}
