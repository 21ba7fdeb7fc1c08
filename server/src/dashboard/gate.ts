import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { may, type Role } from '../merchants/role.ts';
import { requireProof } from '../merchants/scope.ts';
import { callerOf } from '../platform/http/calls/auth.ts';
import { isFromOurPages } from '../platform/http/calls/origin.ts';
import type { Route } from '../platform/http/calls/route.ts';
import type { Guard } from '../platform/http/mount.ts';
import { ApiError } from '../platform/values/errors.ts';

/** A merchant that a user works for. */
export interface Membership {
  merchantId: string;
  role: Role;
  /** Whether the user does not have the second factor that they need to come in by password. */
  lacksSecondFactor: boolean;
  /** Whether the team requires single sign-on of the user. */
  mustUseSso: boolean;
}

/** The gate's dependencies: who is signed in, and which merchants they work for. */
export interface GateDeps {
  /**
   * `cookies`: `Set-Cookie` lines for the response. `ssoMerchantId`: the merchant by whose identity provider they came in, and
   * for which alone they may act; null: by what is their own.
   */
  who(headers: IncomingHttpHeaders): Promise<{
    userId: string;
    sessionId: string;
    cookies: readonly string[];
    ssoMerchantId: string | null;
  } | null>;
  membershipsOf(userId: string): Promise<readonly Membership[]>;
  /** Whether the browser has just proved who is in front of it. */
  isProved(headers: IncomingHttpHeaders, session: { sessionId: string }): boolean;
}

/** Returns the guards of an operation. */
export type Guards = (operation: Guarded) => Guard[];

/** What the gate has to know of an operation. */
export type Guarded = Pick<Route, 'operationId' | 'method' | 'permission' | 'proof'>;

const MERCHANT_HEADER = 'x-recollect-merchant';

/** Returns the guards of an operation: our own pages, a session, a membership, its role's permission, a proof if it wants one. */
export function gate(deps: GateDeps): Guards {
  const enter = enterWith(deps);
  return ({ operationId, permission, proof }) => {
    if (permission === null) throw new Error(`no member of a team may call ${operationId}`);
    return [
      refuseOtherSites,
      async (request, reply) => {
        const role = await enter(request, reply);
        if (!may(role, permission))
          throw new ApiError('forbidden', `Your role does not allow this (${permission}).`);
        if (proof === 'always') requireProof(callerOf(request));
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
  isProved,
}: GateDeps): (request: FastifyRequest, reply: FastifyReply) => Promise<Role> {
  return async (request, reply) => {
    const user = await who(request.headers);
    if (user === null) throw new ApiError('unauthorized', 'Sign in to the dashboard.');
    if (user.cookies.length > 0) reply.header('set-cookie', user.cookies);
    const memberships = await membershipsOf(user.userId);
    const wanted = requestedMerchant(request) ?? user.ssoMerchantId;
    const membership =
      wanted === null ? memberships[0] : memberships.find((m) => m.merchantId === wanted);
    if (membership === undefined)
      throw new ApiError('forbidden', 'You are not a member of this merchant’s team.');
    const { merchantId, role } = membership;
    const usesSso = user.ssoMerchantId !== null;
    if (usesSso) refuseOtherTeam(user.ssoMerchantId, merchantId);
    else refuseUnproved(membership);
    const maySeeLinks = may(role, 'manage_schedules');
    const hasProved = isProved(request.headers, user);
    request.caller = { merchantId, actorId: user.userId, maySeeLinks, usesSso, hasProved };
    return role;
  };
}

/** Throws 403 `forbidden` where a team's identity provider has no say: it knows who is who on that team alone. */
function refuseOtherTeam(ssoMerchantId: string | null, merchantId: string): void {
  if (ssoMerchantId !== merchantId)
    throw new ApiError(
      'forbidden',
      'You signed in through another team’s identity provider. Sign in with your password for this team.',
    );
}

/** Throws 403 where the team wants more than a session of the user's own: docs/rules/access.md#single-sign-on. */
function refuseUnproved({ merchantId, mustUseSso, lacksSecondFactor }: Membership): void {
  if (mustUseSso)
    throw new ApiError('sso_required', 'This team requires single sign-on.', { team: merchantId });
  if (lacksSecondFactor)
    throw new ApiError(
      'second_factor_required',
      'This team requires a second factor. Set one up to continue.',
    );
}

/**
 * Returns the merchant that a request names: pages use a header, download links the query. Users with a single merchant may omit
 * it.
 */
function requestedMerchant({ headers, query }: FastifyRequest): string | null {
  const header = headers[MERCHANT_HEADER];
  if (typeof header === 'string') return header;
  const { merchant } = Object(query) as { merchant?: unknown };
  return typeof merchant === 'string' ? merchant : null;
}
