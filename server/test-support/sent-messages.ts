import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { existsSync } from 'node:fs';
import { BARCLAYS, publishedSchemas, SPECS, strictSchemas } from './published-schemas.ts';

/** A message of ours to a bank. */
export interface SentMessage {
  method: string;
  path: string;
  headers: ReadonlyMap<string, string>;
  body: string;
}

/** A published contract of the messages that we send. */
interface Contract {
  name: string;
  file: string;
  schemas: (file: string) => (name: string) => { (body: unknown): boolean; errors?: unknown };
  /** The schemas of a consent, a payment and a question for funds. */
  names: readonly [consent: string, payment: string, funds: string];
  /** Changes what is another's in the contract: ids, and the kinds of VRP of another scheme. */
  adapt: (body: string) => string;
}

const STANDARD_NAMES = [
  'OBDomesticVRPConsentRequest',
  'OBDomesticVRPRequest',
  'OBVRPFundsConfirmationRequest',
] as const;
/** Commercial VRP has a document of its own: of the others' only the kinds differ. */
const asSweeping = (body: string): string =>
  body.replaceAll(/VRPType\.CVRP\d/g, 'VRPType.Sweeping');

const CONTRACTS: readonly Contract[] = [
  {
    name: 'commercial VRP 4.0.0',
    file: `${SPECS}/cvrp-openapi.v4.0.0.json`,
    schemas: publishedSchemas,
    names: STANDARD_NAMES,
    adapt: (body) => body,
  },
  {
    name: 'VRP 4.0.0',
    file: `${SPECS}/vrp-openapi.v4.0.0-Update-4.json`,
    schemas: publishedSchemas,
    names: STANDARD_NAMES,
    adapt: asSweeping,
  },
  {
    name: 'VRP 4.0.1',
    file: `${SPECS}/vrp-openapi.v4.0.1.yaml`,
    schemas: publishedSchemas,
    names: STANDARD_NAMES,
    adapt: asSweeping,
  },
  {
    name: 'Barclays',
    file: BARCLAYS,
    schemas: strictSchemas,
    names: ['ConsentRequest', 'PaymentRequest', 'FundsRequest'],
    adapt: (body) =>
      asSweeping(body).replaceAll(
        /"ConsentId":"[^"]+"/g,
        '"ConsentId":"BARCLAYS-S-00000000000001"',
      ),
  },
];

const PATHS = [/\/domestic-vrp-consents$/, /\/domestic-vrps$/, /\/funds-confirmation$/];
/** As the strictest contract has them; a key belongs to consents and payments alone. */
const HEADERS: readonly [name: string, form: RegExp][] = [
  ['x-idempotency-key', /^(?!\s)[a-zA-Z0-9-. '()@#£%{}=":_]{1,40}$/],
  ['x-jws-signature', /^[A-Za-z0-9-_="/.]{1,8192}$/],
  [
    'x-fapi-interaction-id',
    /^[A-Fa-f0-9]{8}-?[A-Fa-f0-9]{4}-?[1-5][A-Fa-f0-9]{3}-?[89ab][A-Fa-f0-9]{3}-?[A-Fa-f0-9]{12}$/,
  ],
  ['x-customer-user-agent', /^.{1,500}$/],
];

/** The contracts that are there: we may not distribute them. */
const published = CONTRACTS.filter(({ file }) => existsSync(file));
const compiled = new Map<string, ReturnType<ReturnType<Contract['schemas']>>>();

/** Returns what the published contracts find wrong with a message of ours. */
export function problemsOf({ method, path, headers, body }: SentMessage): string[] {
  const wrong = HEADERS.flatMap(([name, form]) => {
    const value = headers.get(name);
    return value === undefined || form.test(value) ? [] : [`${method} ${path}: ${name} ${value}`];
  });
  const kind = method === 'POST' ? PATHS.findIndex((ending) => ending.test(path)) : -1;
  if (kind < 0) return body === '' ? wrong : [...wrong, `${method} ${path} has a body: ${body}`];
  if (headers.has('x-idempotency-key') !== kind < 2) wrong.push(`${path}: a key or none`);
  for (const contract of published) {
    const { name, file, schemas, names, adapt } = contract;
    const schema = names[kind] ?? '';
    const validate = compiled.get(`${name} ${schema}`) ?? schemas(file)(schema);
    compiled.set(`${name} ${schema}`, validate);
    if (!validate(JSON.parse(adapt(body))))
      wrong.push(`${name}, ${schema}: ${JSON.stringify(validate.errors)}\n${body}`);
  }
  return wrong;
}

/**
 * Holds every message that this process sends to banks against the published contracts, where they are beside the project. Its
 * end throws if one of them is not valid.
 */
export function watchMessages(): { end(): void } {
  if (published.length === 0) return { end: () => undefined };
  const problems: string[] = [];
  const note = (message: unknown): void => {
    const { request } = message as { request: UndiciRequest };
    const [, path] = /\/open-banking\/v4[^/]*\/pisp(\/.*)$/.exec(request.path) ?? [];
    if (path === undefined) return;
    const { method, body } = request;
    const sent = { method, path, headers: headersOf(request), body: String(body ?? '') };
    problems.push(...problemsOf(sent));
  };
  subscribe('undici:request:create', note);
  return {
    end: () => {
      unsubscribe('undici:request:create', note);
      if (problems.length > 0)
        throw new Error(`${problems.length} messages to banks are not valid:\n${problems[0]}`);
    },
  };
}

interface UndiciRequest {
  method: string;
  path: string;
  body: unknown;
  /** Names and values, one after the other. */
  headers: readonly string[];
}

function headersOf({ headers }: UndiciRequest): Map<string, string> {
  const pairs = new Map<string, string>();
  for (let at = 0; at < headers.length; at += 2)
    pairs.set(String(headers[at]).toLowerCase(), String(headers[at + 1]));
  return pairs;
}
