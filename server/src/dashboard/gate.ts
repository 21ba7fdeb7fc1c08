import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { may, type Role } from '../merchants/role.ts';
import { ApiError } from '../platform/errors.ts';
import type { Guard } from '../platform/http/mount.ts';
import { isFromOurPages } from '../platform/http/origin.ts';
import { permissionFor } from './permissions.ts';

/** A merchant that a user works for. */
export interface Membership {
  merchantId: string;
  role: Role;
  /** Whether the team requires a second factor that the user does not have. */
  lacksSecondFactor: boolean;
}

/** The gate's dependencies: who is signed in, and which merchants they work for. */
export interface GateDeps {
  /** `cookies`: `Set-Cookie` lines for the response. */
  who(headers: IncomingHttpHeaders): Promise<{ userId: string; cookies: readonly string[] } | null>;
  membershipsOf(userId: string): Promise<readonly Membership[]>;
}

const MERCHANT_HEADER = 'x-recollect-merchant';

/** Returns the guards of an operation: our own pages only, a session, a membership, and its role's permission. */
export function gate(deps: GateDeps): (operationId: string) => Guard[] {
  const enter = enterWith(deps);
  return (operationId) => {
    const permission = permissionFor(operationId);
    return [
      refuseOtherSites,
      async (request, reply) => {
        const role = await enter(request, reply);
        if (!may(role, permission))
          throw new ApiError('forbidden', `Your role does not allow this (${permission}).`);
      },
    ];
  };
}

async function refuseOtherSites(request: FastifyRequest): Promise<void> {
  if (request.method !== 'GET' && !isFromOurPages(request))
    throw new ApiError('forbidden', 'Sent from another website.');
}

/** Sets the request's caller and merchant; returns the caller's role there. Throws 401 and 403. */
function enterWith({
  who,
  membershipsOf,
}: GateDeps): (request: FastifyRequest, reply: FastifyReply) => Promise<Role> {
  return async (request, reply) => {
    const user = await who(request.headers);
    if (user === null) throw new ApiError('unauthorized', 'Sign in to the dashboard.');
    if (user.cookies.length > 0) reply.header('set-cookie', user.cookies);
    const memberships = await membershipsOf(user.userId);
    const wanted = wantedMerchant(request);
    const membership =
      wanted === null ? memberships[0] : memberships.find((m) => m.merchantId === wanted);
    if (membership === undefined)
      throw new ApiError('forbidden', 'You are not a member of this merchant’s team.');
    const { merchantId, role } = membership;
    if (membership.lacksSecondFactor)
      throw new ApiError(
        'second_factor_required',
        'This team requires a second factor. Set one up to continue.',
      );
    const maySeeLinks = may(role, 'manage_schedules');
    request.caller = { merchantId, actorId: user.userId, maySeeLinks };
    return role;
  };
}

/**
 * Returns the merchant that a request names: pages use a header, download links the query. Users with a single merchant may omit
 * it.
 */
function wantedMerchant({ headers, query }: FastifyRequest): string | null {
  const header = headers[MERCHANT_HEADER];
  if (typeof header === 'string') return header;
  const { merchant } = Object(query) as { merchant?: unknown };
  return typeof merchant === 'string' ? merchant : null;
}
