import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Open Banking Limited's test cases for banks ("manifests"): what each requests, and what the response must be. We may not
 * distribute the cases: they are read if they are beside the project, and never changed.
 */
const FOLDER =
  process.env.OPEN_BANKING_CASES ??
  fileURLToPath(new URL('../../shared/conformance', import.meta.url));
const CASES = 'ob_4.0_variable_recurring_payments.json';

/** One case, as published. */
export interface PublishedCase {
  id: string;
  description: string;
  uri: string;
  method: 'get' | 'post' | 'delete';
  parameters: Record<string, string>;
  headers?: Record<string, string>;
  body?: string;
  asserts?: string[];
  asserts_one_of?: string[];
  keepContextOnSuccess?: { name: string; value: string };
  schemaCheck: boolean;
  validateSignature?: boolean;
}

interface Match {
  header?: string;
  'header-present'?: string;
  JSON?: string;
  'JSON-NOT-PRESENT'?: string;
  value?: string;
  Value?: string;
  detail: string;
}

interface Assertion {
  expect: { 'status-code'?: number; matches?: Match[]; detail?: string };
}

export interface CaseAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: unknown;
}

/** Returns the published cases, or null if they are not beside the project. */
export function publishedCases(): PublishedCase[] | null {
  if (!existsSync(`${FOLDER}/${CASES}`)) return null;
  return (read(CASES) as { scripts: PublishedCase[] }).scripts;
}

/** The values known to the cases: the tester's own settings, the published bodies, and what earlier cases stored. */
export class Context {
  readonly #values: Map<string, unknown>;

  constructor(settings: Record<string, string>) {
    this.#values = new Map(Object.entries(settings));
    const bodies = read('data.json') as { references: Record<string, { body: unknown }> };
    for (const [name, { body }] of Object.entries(bodies.references)) this.#values.set(name, body);
  }

  /** Takes the parameters of a case: a function is called once, everything else is resolved on use. */
  take({ parameters }: PublishedCase): void {
    for (const [name, value] of Object.entries(parameters)) {
      if (value === `$${name}`) continue; // keeps its value
      this.#values.set(name, /^\$fn:/.test(value) ? callFunction(value) : value);
    }
    // A name kept for later cases keeps its value from this one.
    for (const name of Object.keys(parameters)) {
      if (/^OB-/.test(name)) this.#values.set(name, this.#resolve(`$${name}`));
    }
  }

  /** Stores the value that a case keeps for later ones. */
  keep({ keepContextOnSuccess: kept }: PublishedCase, answer: CaseAnswer): void {
    if (kept) this.#values.set(kept.name, at(answer.body, kept.value));
  }

  uri({ uri }: PublishedCase): string {
    return uri.replace(/\$([\w-]+)/g, (name) => String(this.#resolve(name)));
  }

  body({ body }: PublishedCase): object | null {
    return body === undefined ? null : (this.#resolve(body) as object);
  }

  #resolve(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((one) => this.#resolve(one));
    if (value && typeof value === 'object') {
      return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, this.#resolve(v)]));
    }
    if (typeof value !== 'string' || !value.startsWith('$')) return value;
    const name = value.slice(1);
    assert.ok(this.#values.has(name), `the cases use ${value}, which nothing sets`);
    return this.#resolve(this.#values.get(name));
  }
}

/** Throws unless the response meets the case's demands: all of `asserts`, and one of `asserts_one_of`. */
export function assertAnswer(one: PublishedCase, answer: CaseAnswer): void {
  const { references } = read('assertions.json') as { references: Record<string, Assertion> };
  const problems = (name: string): string[] => {
    const assertion = references[name];
    assert.ok(assertion, `no assertion is named ${name}`);
    return problemsOf(assertion, answer).map((problem) => `${name}: ${problem}`);
  };
  assert.deepEqual((one.asserts ?? []).flatMap(problems), [], JSON.stringify(answer.body));
  const choices = (one.asserts_one_of ?? []).map(problems);
  assert.ok(
    choices.length === 0 || choices.some((found) => found.length === 0),
    `${choices.flat().join('; ')} ${JSON.stringify(answer.body)}`,
  );
}

function problemsOf({ expect }: Assertion, answer: CaseAnswer): string[] {
  const status = expect['status-code'];
  const wrongStatus =
    status !== undefined && status !== answer.status ? [`status ${answer.status}`] : [];
  const failed = (expect.matches ?? []).filter((match) => !holds(match, answer));
  return [...wrongStatus, ...failed.map(({ detail }) => detail)];
}

function holds(match: Match, { headers, body }: CaseAnswer): boolean {
  const wanted = match.value ?? match.Value;
  const header = match.header ?? match['header-present'];
  if (header !== undefined) return isWanted(headers[header], wanted);
  if (match['JSON-NOT-PRESENT'] !== undefined)
    return at(body, match['JSON-NOT-PRESENT']) === undefined;
  if (match.JSON !== undefined) return isWanted(at(body, match.JSON), wanted);
  throw new Error(`a kind of match that this runner does not know: ${JSON.stringify(match)}`);
}

function isWanted(value: unknown, wanted: string | undefined): boolean {
  return value !== undefined && (wanted === undefined || String(value) === wanted);
}

function at(body: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce((value, name) => (value as Record<string, unknown> | undefined)?.[name], body);
}

function callFunction(value: string): string {
  assert.equal(value, '$fn:instructionIdentificationID()', 'the cases call another function');
  return randomUUID().replaceAll('-', '');
}

function read(name: string): unknown {
  return JSON.parse(readFileSync(`${FOLDER}/${name}`, 'utf8'));
}
