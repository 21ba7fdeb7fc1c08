import type { FastifyReply, FastifyRequest } from 'fastify';
import { agentName } from '../../state/actor.ts';
import { ApiError } from '../../values/errors.ts';
import type { LookUp } from '../admission/look-ups.ts';
import type { Caller } from './route.ts';

/**
 * Finds the holder of an API key that is used from an address; returns null if the key is unknown or no longer valid. Calls
 * `lookUp.begin` before it queries the database for a key it does not know, and passes its errors on.
 */
export type Authenticate = (
  token: string,
  lookUp?: LookUp,
  address?: string,
) => Promise<Caller | null>;

declare module 'fastify' {
  interface FastifyRequest {
    /** Null: no valid API key. Set on the API's routes only. */
    caller: Caller | null;
  }
}

/** The header by which the program behind a key says its name, for the audit trail. */
export const AGENT_HEADER = 'recollect-agent';

const BEARER = /^Bearer +([\x21-\x7e]{1,255})$/i;

/**
 * A hook that records the caller; the rate limit runs between it and `callerOf`. It rejects only callers who send so many
 * made-up keys that the database would be busy with them.
 */
export function identify(
  authenticate: Authenticate,
): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  return async (request, reply) => {
    const token = BEARER.exec(request.headers.authorization ?? '')?.[1];
    const lookUp = request.server.rateLimits.lookUp(request, reply);
    const caller = token === undefined ? null : await authenticate(token, lookUp, request.ip);
    const agent = request.headers[AGENT_HEADER];
    request.caller =
      caller !== null && typeof agent === 'string'
        ? { ...caller, agent: agentName(agent) }
        : caller;
  };
}

/** Returns the caller. Throws 401 `unauthorized` without a valid key, 403 `address_not_allowed` from where it may not be used. */
export function callerOf(request: FastifyRequest): Caller {
  const { caller } = request;
  if (caller !== null) {
    refuseElsewhere(caller);
    return caller;
  }
  const given = request.headers.authorization !== undefined;
  throw new ApiError(
    'unauthorized',
    given ? 'The API key is not valid.' : 'Send an API key: Authorization: Bearer <key>.',
  );
}

/** Throws 403 `address_not_allowed` if the caller's key may not be used from where the request came. */
export function refuseElsewhere({ refusedFrom }: Caller): void {
  if (refusedFrom !== undefined)
    throw new ApiError('address_not_allowed', `This API key may not be used from ${refusedFrom}.`);
}

/** A hook that throws 401 if the request has no valid key, 403 if the key may not be used from there. */
export async function refuseStrangers(request: FastifyRequest): Promise<void> {
  callerOf(request);
}
