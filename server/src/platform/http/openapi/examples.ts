import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A request in the life that examples are taken from; a text `{{name}}` stands for a variable. */
export interface ExampleStep {
  readonly operationId: string;
  /** What the Postman collection calls it; absent: the operation's summary. */
  readonly name?: string;
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: unknown;
  /** Variables that the response sets, each with where it stands in it: `data.0.id`. */
  readonly saves?: Readonly<Record<string, string>>;
}

/** Some steps of the life that belong together, in their order. */
export interface ExampleChapter {
  readonly name: string;
  readonly about: string;
  /** A variable that has to be `yes`, or the Postman collection skips it: not everybody may, or wants to. */
  readonly onlyIf?: string;
  readonly steps: readonly ExampleStep[];
}

/** A program that sends a request. */
export interface CodeSample {
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}

/** What the sandbox has answered, and how it was asked: written by `npm run generate -- examples`. */
export interface Examples {
  readonly chapters: readonly ExampleChapter[];
  /** What is set before the first step of the life. */
  readonly given: Readonly<Record<string, string>>;
  readonly variables: Readonly<Record<string, string>>;
  /** The first response to each operation. */
  readonly responses: Readonly<Record<string, unknown>>;
  /** The body of a delivery of each kind of event. */
  readonly webhooks: Readonly<Record<string, unknown>>;
  readonly samples: Readonly<Record<string, readonly CodeSample[]>>;
}

const FILE = join(import.meta.dirname, 'examples.json');

/** Reads the examples of the merchants' API. */
export function readExamples(): Examples {
  return JSON.parse(readFileSync(FILE, 'utf8')) as Examples;
}

/** Puts the values of variables into the texts of a value. Throws for a variable that is not set. */
export function filled<T>(value: T, variables: Readonly<Record<string, string>>): T {
  if (typeof value === 'string')
    return value.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
      const known = variables[name];
      if (known === undefined) throw new Error(`No step before this one saves {{${name}}}`);
      return known;
    }) as T;
  if (Array.isArray(value)) return value.map((one) => filled(one, variables)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, one]) => [key, filled(one, variables)]);
  return Object.fromEntries(entries) as T;
}

/** Returns the first step of each operation, by its id. */
export function firstSteps({ chapters }: Pick<Examples, 'chapters'>): Map<string, ExampleStep> {
  const steps = chapters.flatMap((chapter) => chapter.steps);
  return new Map(steps.toReversed().map((step) => [step.operationId, step]));
}

interface Body {
  content?: Record<string, object>;
}

interface Operation {
  operationId: string;
  parameters?: { name: string; in: string }[];
  requestBody?: Body;
  responses: Record<string, Body>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, { post: Operation }>;
}

const JSON_TYPE = 'application/json';

/** Whether a status of the document is that of an answer, and not of a refusal. */
export const isGood = (status: string): boolean => status.startsWith('2');

function withExample<B extends Body>(body: B, example: unknown): B {
  const content = body.content?.[JSON_TYPE];
  if (content === undefined || example === undefined) return body;
  return { ...body, content: { ...body.content, [JSON_TYPE]: { ...content, example } } };
}

/** Returns a document whose operations and webhooks show their examples, and programs that send their requests. */
export function withExamples<D extends object>(document: D, examples: Examples): D {
  const { variables, responses, samples, webhooks: sent } = examples;
  const steps = firstSteps(examples);
  const { paths, webhooks = {} } = document as D & Document;
  const shown = (operation: Operation): Operation => {
    const { operationId, parameters, requestBody, responses: own } = operation;
    const step = steps.get(operationId);
    if (step === undefined) return operation;
    const values: Record<string, unknown> = { ...filled(step.path, variables), ...step.query };
    return {
      ...operation,
      ...(parameters && {
        parameters: parameters.map((one) =>
          one.name in values && one.in !== 'header' ? { ...one, example: values[one.name] } : one,
        ),
      }),
      ...(requestBody && { requestBody: withExample(requestBody, filled(step.body, variables)) }),
      responses: mapped(own, (response, status) =>
        isGood(status) ? withExample(response, responses[operationId]) : response,
      ),
      ...(samples[operationId] && { 'x-codeSamples': samples[operationId] }),
    };
  };
  const told = Object.entries(webhooks).map(([kind, { post }]) => {
    const requestBody = post.requestBody && withExample(post.requestBody, sent[kind]);
    return [kind, { post: { ...post, ...(requestBody && { requestBody }) } }];
  });
  return {
    ...document,
    paths: mapped(paths, (operations) => mapped(operations, shown)),
    webhooks: Object.fromEntries(told),
  };
}

function mapped<T, R>(
  record: Record<string, T>,
  of: (value: T, key: string) => R,
): Record<string, R> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, of(value, key)]));
}
