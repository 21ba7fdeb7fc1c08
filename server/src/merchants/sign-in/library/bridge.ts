import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../../platform/values/errors.ts';
import type { SignInDeps } from '../deps.ts';
import { ADDRESS_HEADER } from '../settings.ts';
import type { Library } from './library.ts';

/** The request headers that the library sees; it gets the address from us only. */
const FORWARDED_HEADERS = [
  'cookie',
  'origin',
  'user-agent',
  'sec-fetch-site',
  'sec-fetch-mode',
  'sec-fetch-dest',
];
const LOCKED_S = 900;
const REFUSED = 429;
const SERVER_ERROR = 500;

/** Returns the headers of a request that the library reads. */
export function headersFor(
  library: Library,
  headers: IncomingHttpHeaders,
  address?: string,
): Headers {
  const shown = new Headers();
  for (const name of FORWARDED_HEADERS) {
    const value = headers[name];
    if (typeof value === 'string') shown.set(name, value);
  }
  if (headers.cookie !== undefined) shown.set('cookie', library.readable(headers.cookie));
  if (address !== undefined) shown.set(ADDRESS_HEADER, address);
  return shown;
}

/**
 * Forwards a request to the library, with this body, and its response back. Calls `entered` with the user whom the response signs
 * in, before it is sent.
 */
export async function passOn(
  { library, platform }: SignInDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  body: object | null,
  entered: (email: string) => void = () => undefined,
): Promise<FastifyReply> {
  const loaded = await library();
  const headers = headersFor(loaded, request.headers, request.ip);
  if (body !== null) headers.set('content-type', 'application/json');
  const response = await loaded.handler(
    new Request(`${platform.config.baseUrl}${request.url}`, {
      method: request.method,
      headers,
      ...(body === null ? {} : { body: JSON.stringify(body) }),
    }),
  );
  if (response.status >= SERVER_ERROR)
    throw new ApiError('internal_error', 'Something went wrong on our side.');
  if (response.status === REFUSED) reply.header('retry-after', String(LOCKED_S));
  const text = await response.text();
  copyCookies(reply, response.headers)
    .code(response.status)
    .type(response.headers.get('content-type') ?? 'application/json');
  const email = signedInBy(response, text);
  if (email !== null) entered(email);
  return reply.send(text);
}

const SESSION_OPENED = /^(__Secure-)?recollect\.session_token=[^;]/;

/** Returns the user who gets a session from the library's response; null: none. */
function signedInBy({ ok, headers }: Response, text: string): string | null {
  if (!ok || !headers.getSetCookie().some((line) => SESSION_OPENED.test(line))) return null;
  const { user } = Object(JSON.parse(text)) as { user?: { email?: unknown } };
  return typeof user?.email === 'string' ? user.email : null;
}

/** Copies the library's cookies to the reply. */
function copyCookies(reply: FastifyReply, headers: Headers): FastifyReply {
  const cookies = headers.getSetCookie();
  return cookies.length === 0 ? reply : reply.header('set-cookie', cookies);
}

/**
 * Opens a session for a user who has proved their identity; replies with its cookie. `ssoMerchantId`: the team by whose identity
 * provider, for which alone it acts.
 */
export async function openSession(
  library: Library,
  request: FastifyRequest,
  reply: FastifyReply,
  userId: string,
  ssoMerchantId: string | null = null,
): Promise<void> {
  const response = await library.api.openSession({
    body: { userId, ssoMerchantId },
    headers: headersFor(library, request.headers, request.ip),
    asResponse: true,
  });
  copyCookies(reply, response.headers);
}

/** Whether this is the password of the user whose session the request carries. */
export async function isPassword(
  library: Library,
  request: FastifyRequest,
  password: string,
): Promise<boolean> {
  const { ok } = await library.api.verifyPassword({
    body: { password },
    headers: headersFor(library, request.headers, request.ip),
    asResponse: true,
  });
  return ok;
}

/** Whether this is a current authenticator code of the user whose session the request carries. Wrong ones are counted. */
export async function isCode(
  library: Library,
  request: FastifyRequest,
  code: string,
): Promise<boolean> {
  const { ok } = await library.api.verifyTOTP({
    body: { code },
    headers: headersFor(library, request.headers, request.ip),
    asResponse: true,
  });
  return ok;
}

/** Whether this is one of the user's backup codes. It is used up. */
export async function isBackupCode(
  library: Library,
  request: FastifyRequest,
  code: string,
): Promise<boolean> {
  const { ok } = await library.api.verifyBackupCode({
    body: { code },
    headers: headersFor(library, request.headers, request.ip),
    asResponse: true,
  });
  return ok;
}

/** The result of signing in with a password. `twoFactor`: a second factor is required, and there is no session yet. */
export interface Entered {
  twoFactor: boolean;
}

/** Signs in with a password, as the sign-in page does. Returns null if it is wrong, or no user has this address. */
export async function enterWithPassword(
  library: Library,
  request: FastifyRequest,
  reply: FastifyReply,
  email: string,
  password: string,
): Promise<Entered | null> {
  const response = await library.api.signInEmail({
    body: { email, password },
    headers: headersFor(library, request.headers, request.ip),
    asResponse: true,
  });
  if (!response.ok) return null;
  copyCookies(reply, response.headers);
  const answer: unknown = await response.json();
  return {
    twoFactor: typeof answer === 'object' && answer !== null && 'twoFactorRedirect' in answer,
  };
}
