import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Where the facts about TrueLayer's API are, with its recorded answers and test vectors: beside the project. */
export const TRUELAYER_FACTS =
  process.env.TRUELAYER_FACTS ??
  fileURLToPath(new URL('../../../../shared/partners/truelayer', import.meta.url));

/** Why nothing can be held against the facts; false: it can. */
export const noTrueLayerFacts: string | false = existsSync(`${TRUELAYER_FACTS}/fields.json`)
  ? false
  : 'put the facts about TrueLayer where TRUELAYER_FACTS says to run this';

/** A request below `/v3` and its answer. */
export interface Exchange {
  method: string;
  path: string;
  query: URLSearchParams;
  /** Undefined: none was sent. */
  body: unknown;
  status: number;
  answer: unknown;
}

/** Reads a file of the facts. */
export const readFact = (path: string): string =>
  readFileSync(`${TRUELAYER_FACTS}/${path}`, 'utf8');

type Fields = Record<string, [type: string, required: string, ...rest: string[]]>;

/** The requests and answers of the facts, by the calls that we make. */
const PLACES: readonly [call: RegExp, request: string | null, answer: string | null][] = [
  [/^POST \/mandates$/, 'POST /v3/mandates', '201 mandate created'],
  [/^GET \/mandates\/[^/]+$/, null, '200 mandate'],
  [
    /^POST \/mandates\/[^/]+\/authorization-flow$/,
    'POST /v3/mandates/{id}/authorization-flow',
    null,
  ],
  [/^POST \/mandates\/[^/]+\/revoke$/, null, null],
  [/^GET \/mandates\/[^/]+\/funds$/, 'GET /v3/mandates/{id}/funds', '200 funds'],
  [/^POST \/payments$/, 'POST /v3/payments (on a mandate)', '201 payment created'],
  [/^GET \/payments\/[^/]+$/, null, '200 payment'],
  // The facts have its answer as a recording only.
  [/^POST \/payments-providers\/search$/, null, null],
];

/** Asserts that each request has only fields that are known, all that are required, and each answer likewise. */
export function assertConform(exchanges: readonly Exchange[]): void {
  const facts = JSON.parse(readFact('fields.json')) as Record<
    'requests' | 'responses',
    Record<string, Fields>
  >;
  assert.ok(exchanges.length > 0, 'nothing was exchanged');
  const wrong = exchanges.flatMap(({ method, path, query, body, status, answer }) => {
    const call = `${method} ${path}`;
    const place = PLACES.find(([pattern]) => pattern.test(call));
    if (place === undefined) return [`${call} is not among the facts`];
    const [, request, response] = place;
    const asked = body ?? Object.fromEntries([...query].map(([name, one]) => [`?${name}`, one]));
    const expected = status >= 400 ? 'error (RFC 7807)' : response;
    // What was refused may have been wrong on purpose.
    const sent = request === null || status >= 400 ? [] : faults(facts.requests[request], asked);
    const got = expected === null ? [] : faults(facts.responses[expected], answer);
    return [...sent, ...got].map(
      (says) => `${method} ${path.replace(/[0-9a-f-]{36}/, '…')}: ${says}`,
    );
  });
  assert.deepEqual([...new Set(wrong)], []);
}

/** Returns what does not conform to a list of fields, as sentences. */
function faults(fields: Fields | undefined, value: unknown): string[] {
  assert.ok(fields, 'the facts have no such place');
  const known = Object.entries(fields).map(([name, [type, required]]) => ({
    name,
    isRequired: required === 'req' && !name.includes('{'),
    isWhole: ['object', 'map', 'object[]', 'string[]'].includes(type),
    pattern: new RegExp(`^${escaped(name).replace('\\{period\\}', '[a-z_]+')}`),
  }));
  const found = pathsIn(value);
  const unknown = found.filter(
    (path) =>
      !known.some(({ pattern, isWhole, name }) => {
        const [begin = null] = pattern.exec(path) ?? [];
        return (
          begin === path || (begin !== null && isWhole && path[begin.length] === '.' && name !== '')
        );
      }),
  );
  const missing = known.filter(
    ({ name, isRequired }) =>
      isRequired && !found.some((path) => path === name || path.startsWith(`${name}.`)),
  );
  return [
    ...unknown.map((path) => `${path} is not known`),
    ...missing.map(({ name }) => `${name} is missing`),
  ];
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Returns the paths of all leaves. */
function pathsIn(value: unknown, at = ''): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [at];
  return Object.entries(value).flatMap(([name, one]) =>
    one === undefined ? [] : pathsIn(one, at === '' ? name : `${at}.${name}`),
  );
}
