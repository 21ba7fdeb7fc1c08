import type { FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';
import type { Caller } from './route.ts';

/** Finds who holds an API key; null where nobody does, or no longer. */
export type Authenticate = (token: string) => Promise<Caller | null>;

declare module 'fastify' {
  interface FastifyRequest {
    /** Null: no valid API key. Set on the API's routes only. */
    caller: Caller | null;
  }
}

const BEARER = /^Bearer +([\x21-\x7e]{1,255})$/i;

/** A hook that notes who calls, and refuses nobody: the rate limit stands between it and `callerOf`. */
export function identify(authenticate: Authenticate): (request: FastifyRequest) => Promise<void> {
  return async (request) => {
    const token = BEARER.exec(request.headers.authorization ?? '')?.[1];
    request.caller = token === undefined ? null : await authenticate(token);
  };
}

/** The caller. Throws 401 `unauthorized` where the request carries no valid key. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller !== null) return request.caller;
  const given = request.headers.authorization !== undefined;
  throw new ApiError(
    'unauthorized',
    given ? 'The API key is not valid.' : 'Send an API key: Authorization: Bearer <key>.',
  );
}

/** A hook that throws 401 where the request carries no valid key. */
export async function refuseStrangers(request: FastifyRequest): Promise<void> {
  callerOf(request);
}
