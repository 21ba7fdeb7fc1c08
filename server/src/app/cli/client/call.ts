import { request } from 'undici';
import { ADMIN } from '../../../operators/admin/route.ts';
import { ConfigError } from '../../../platform/config/config.ts';
import type { Env } from '../../../platform/config/readers.ts';
import { errorCode, errorMessage } from '../../../platform/values/thrown.ts';
import { operatorKey, serviceUrl } from './access.ts';
import type { AdminDocument, ApiCommand, ApiOption } from './document.ts';

/** The longest that an answer may take: a reconciliation asks the issuer for all its wallets. */
const ANSWER_WITHIN_MS = 600_000;
const OK = 200;
/** Errors before anything was sent. */
const NEVER_ARRIVED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);

type Options = NonNullable<Parameters<typeof request>[1]>;

/** What the service refused: a line for the message, one for each wrong option, and one for the page of the error. */
export class ServiceRefusal extends Error {
  readonly lines: readonly string[];
  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
    this.lines = lines;
  }
}

/** The values that were given for a command, by its options. */
export type Given = ReadonlyMap<ApiOption, unknown>;

/** Returns the document of the service. Throws ConfigError if nothing answers. */
export async function readDocument(env: Env): Promise<AdminDocument> {
  const url = `${serviceUrl(env)}${ADMIN}/openapi.json`;
  const { status, text } = await send(url, { method: 'GET' });
  const document = status === OK ? readJson(text) : null;
  if (document === null)
    throw new ConfigError(
      `${url} answers ${status}, and not with its document: it is no operators’ port`,
    );
  return document as AdminDocument;
}

/** A command that somebody runs: the values of its arguments, in order, and of its options, and where their key is. */
export interface Asked {
  env: Env;
  keyFile: string | undefined;
  args: readonly string[];
  given: Given;
}

/** Calls the endpoint of a command as the operator of the key; returns the body. Throws ServiceRefusal, ConfigError. */
export async function callOperation(
  document: AdminDocument,
  command: ApiCommand,
  { env, keyFile, args, given }: Asked,
): Promise<unknown> {
  const url = new URL(serviceUrl(env) + pathOf(command, args));
  const body: Record<string, unknown> = {};
  for (const [{ place, path }, value] of given)
    if (place === 'query') url.searchParams.set(path.join(), String(value));
    else put(body, path, value);
  const hasBody = command.method === 'POST' || command.method === 'PUT';
  const { status, text } = await send(url.href, {
    method: command.method,
    headers: {
      authorization: `Bearer ${operatorKey(env, keyFile)}`,
      ...(hasBody && { 'content-type': 'application/json' }),
    },
    ...(hasBody && { body: JSON.stringify(body) }),
  });
  const json = readJson(text);
  if (status === OK) return json;
  throw new ServiceRefusal(linesOf(json, status, command, document));
}

function pathOf({ path, args: names }: ApiCommand, args: readonly string[]): string {
  return names.reduce(
    (text, { name }, n) => text.replace(`{${name}}`, encodeURIComponent(args[n] ?? '')),
    path,
  );
}

function put(
  body: Record<string, unknown>,
  [name = '', ...rest]: readonly string[],
  value: unknown,
) {
  if (rest.length === 0) {
    body[name] = value;
    return;
  }
  const inner = (body[name] ?? {}) as Record<string, unknown>;
  put(inner, rest, value);
  body[name] = inner;
}

interface Answer {
  status: number;
  text: string;
}

/**
 * Sends a request, and follows no redirect, which could take the key elsewhere. Throws ConfigError if nothing answers, and
 * ServiceRefusal if a change may have been made.
 */
async function send(
  url: string,
  options: Pick<Options, 'method' | 'headers' | 'body'>,
): Promise<Answer> {
  try {
    const answer = await request(url, { ...options, headersTimeout: ANSWER_WITHIN_MS });
    return { status: answer.statusCode, text: await answer.body.text() };
  } catch (error) {
    const why = errorCode(error) || errorMessage(error);
    if (options.method !== 'GET' && !NEVER_ARRIVED.has(errorCode(error)))
      throw new ServiceRefusal([
        `no answer came from ${new URL(url).origin} (${why}): it may have been done. Look before you ask again`,
      ]);
    throw new ConfigError(
      `nothing answers at ${new URL(url).origin} (${why}): this command calls the running service; RECOLLECT_OPERATOR_URL says where it is`,
    );
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

interface ErrorBody {
  error?: { code: string; message: string; details?: Record<string, string> };
}

function linesOf(
  body: unknown,
  status: number,
  { args, options }: ApiCommand,
  { externalDocs }: AdminDocument,
): string[] {
  const { error } = (body ?? {}) as ErrorBody;
  if (error === undefined) return [`the service answers ${status}`];
  const details = Object.entries(error.details ?? {});
  const shownAs = (field: string): string => {
    const option = options.find(({ path }) => `${field}.`.startsWith(`${path.join('.')}.`));
    const arg = args.find(({ name }) => name === field);
    return option === undefined ? (arg?.shown ?? field) : `--${option.flag}`;
  };
  // With wrong fields the message only repeats them.
  const said =
    details.length === 0
      ? [error.message]
      : details.map(([field, why]) => `${shownAs(field)}: ${why}`);
  const page = externalDocs && `see ${externalDocs.url}/errors/${error.code}`;
  return [...said, ...(page ? [page] : [])];
}
