import type { FastifyReply, FastifyRequest } from 'fastify';
import { cookiesOf, setCookie } from '../../../platform/http/cookies.ts';
import type { Platform } from '../../../platform/platform.ts';
import { hashSecret } from '../../../platform/vault.ts';
import { cookiePath } from '../settings.ts';

/** One sign-in on its way to an identity provider and back. */
export interface Trip {
  /** Each team has its own, so that no provider can pass on what is meant for another. */
  redirectUri: string;
  state: string;
  nonce: string;
  /** Of PKCE. */
  verifier: string;
  /** The page of the dashboard to open afterwards. */
  next: string;
}

const SECRET_BYTES = 32;
const LIFETIME_S = 600;
/** A page of the dashboard, never another site. */
const PLACE = /^\/(?![/\\])[\x21-\x7e]{0,1000}$/;

/** Returns a path within the dashboard, whatever an address says. */
export function placeOf(next: unknown): string {
  return typeof next === 'string' && PLACE.test(next) ? next : '/';
}

/** Returns the path of a team's sign-in below the dashboard's address. */
function ssoPath(merchantId: string): string {
  return `/auth/sso/${merchantId}`;
}

/** Returns the address to which a team's provider sends browsers back; it is registered there. */
export function redirectUriOf(config: Platform['config'], merchantId: string): string {
  return `${config.baseUrl}/dashboard${ssoPath(merchantId)}/return`;
}

/** Trips of browsers. */
export interface Trips {
  begin(reply: FastifyReply, merchantId: string, next: string): Trip;
  /** Ends the trip of this browser and returns it; null if it has none to this team's provider. */
  end(request: FastifyRequest, reply: FastifyReply, merchantId: string): Trip | null;
}

/**
 * Makes the trips. The browser alone keeps the secret from which state, nonce and PKCE verifier derive: a response of the
 * provider is worth nothing in any other browser, and we store nothing.
 */
export function makeTrips({ config, ids }: Pick<Platform, 'config' | 'ids'>): Trips {
  const secure = config.baseUrl.startsWith('https:');
  const name = `${secure ? '__Secure-' : ''}recollect.sso`;
  const cookie = (merchantId: string, value: string, seconds: number): string =>
    setCookie({
      name,
      value,
      path: `${cookiePath(config)}${ssoPath(merchantId)}`,
      seconds,
      sameSite: 'Lax', // it comes back from another site
      secure,
    });
  const tripOf = (merchantId: string, secret: string, next: string): Trip => {
    const derive = (use: string): string => hashSecret(`${use}.${secret}`).toString('base64url');
    return {
      redirectUri: redirectUriOf(config, merchantId),
      state: derive('state'),
      nonce: derive('nonce'),
      verifier: derive('verifier'),
      next,
    };
  };
  return {
    begin(reply, merchantId, next) {
      const secret = ids.random(SECRET_BYTES).toString('base64url');
      const kept = `${secret}.${Buffer.from(next).toString('base64url')}`;
      reply.header('set-cookie', cookie(merchantId, kept, LIFETIME_S));
      return tripOf(merchantId, secret, next);
    },
    end(request, reply, merchantId) {
      const [secret = '', next = ''] = (cookiesOf(request).get(name) ?? '').split('.');
      if (secret === '') return null;
      reply.header('set-cookie', cookie(merchantId, '', 0));
      return tripOf(merchantId, secret, placeOf(Buffer.from(next, 'base64url').toString()));
    },
  };
}
