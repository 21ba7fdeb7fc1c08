import type { FastifyReply, FastifyRequest } from 'fastify';
import { cookiesOf, setCookie } from '../../../platform/http/calls/cookies.ts';
import type { Platform } from '../../../platform/platform.ts';
import { hashSecret } from '../../../platform/vault/vault.ts';

/** One sign-in on its way to an identity provider and back. */
export interface SsoAttempt {
  redirectUri: string;
  state: string;
  nonce: string;
  /** Of PKCE. */
  verifier: string;
  /** The page to open afterwards. */
  next: string;
}

const SECRET_BYTES = 32;
const LIFETIME_S = 600;
/** A page of ours, never another site. */
const LOCAL_PATH = /^\/(?![/\\])[\x21-\x7e]{0,1000}$/;

/** Returns a path within our pages, whatever an address says. */
export function returnPathOf(next: unknown): string {
  return typeof next === 'string' && LOCAL_PATH.test(next) ? next : '/';
}

/** One way in through an identity provider. */
export interface SignInEntry {
  /** The address to which the provider sends browsers back; it is registered there. */
  redirectUri: string;
  /** The path of that address, as browsers see it: the trip's cookie is sent nowhere else. */
  path: string;
}

/** Trips of browsers. */
export interface SsoAttempts {
  begin(reply: FastifyReply, door: SignInEntry, next: string): SsoAttempt;
  /** Ends the trip of this browser and returns it; null if it has none through this door. */
  end(request: FastifyRequest, reply: FastifyReply, door: SignInEntry): SsoAttempt | null;
}

/**
 * Makes the trips; `secure`: our address begins with https. The browser alone keeps the secret from which state, nonce and PKCE
 * verifier derive: a response of the provider is worth nothing in any other browser, and we store nothing.
 */
export function makeSsoAttempts({ ids }: Pick<Platform, 'ids'>, secure: boolean): SsoAttempts {
  const name = `${secure ? '__Secure-' : ''}recollect.sso`;
  const cookie = ({ path }: SignInEntry, value: string, seconds: number): string =>
    setCookie({ name, value, path, seconds, sameSite: 'Lax', secure }); // it comes back from another site
  const tripOf = ({ redirectUri }: SignInEntry, secret: string, next: string): SsoAttempt => {
    const derive = (use: string): string => hashSecret(`${use}.${secret}`).toString('base64url');
    return {
      redirectUri,
      state: derive('state'),
      nonce: derive('nonce'),
      verifier: derive('verifier'),
      next,
    };
  };
  return {
    begin(reply, door, next) {
      const secret = ids.random(SECRET_BYTES).toString('base64url');
      const kept = `${secret}.${Buffer.from(next).toString('base64url')}`;
      reply.header('set-cookie', cookie(door, kept, LIFETIME_S));
      return tripOf(door, secret, next);
    },
    end(request, reply, door) {
      const [secret = '', next = ''] = (cookiesOf(request).get(name) ?? '').split('.');
      if (secret === '') return null;
      reply.header('set-cookie', cookie(door, '', 0));
      return tripOf(door, secret, returnPathOf(Buffer.from(next, 'base64url').toString()));
    },
  };
}
