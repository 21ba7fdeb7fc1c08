import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';
import type { LookUp } from './look-ups.ts';
import type { Caller } from './route.ts';

/**
 * Finds who holds an API key; null where nobody does, or no longer. Calls `lookUp.begin` before it asks the database
 * about a key that it knows nothing of, and lets what that throws pass.
 */
export type Authenticate = (token: string, lookUp?: LookUp) => Promise<Caller | null>;

declare module 'fastify' {
  interface FastifyRequest {
    /** Null: no valid API key. Set on the API's routes only. */
    caller: Caller | null;
  }
}

const BEARER = /^Bearer +([\x21-\x7e]{1,255})$/i;

/**
 * A hook that notes who calls: the rate limit stands between it and `callerOf`. It refuses only whoever sends so many
 * made-up keys that the database would be busy with them.
 */
export function identify(
  authenticate: Authenticate,
): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  return async (request, reply) => {
    const token = BEARER.exec(request.headers.authorization ?? '')?.[1];
    const lookUp = request.server.rateLimits.lookUp(request, reply);
    request.caller = token === undefined ? null : await authenticate(token, lookUp);
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
