import type { FastifyReply, FastifyRequest } from 'fastify';
import { cookiesOf } from '../../../platform/http/calls/cookies.ts';
import type { Platform } from '../../../platform/platform.ts';
import { realNow } from '../../../platform/time/clock.ts';
import { ApiError } from '../../../platform/values/errors.ts';
import { hashSecret } from '../../../platform/vault/vault.ts';
import { cookiePath, SIGN_IN_PATH } from '../settings.ts';
import { consumeChallenge, insertChallenge } from './passkey-store.ts';

const LIFETIME_S = 300;
const SECRET_BYTES = 32;

/** The purpose of a challenge: a new passkey of one user, or signing in. */
export type ChallengeFor = { userId: string } | 'sign_in';

/** Challenges of passkeys: each can be answered once, within 5 minutes, by the browser that asked for it. */
export interface Challenges {
  keep(reply: FastifyReply, what: ChallengeFor, challenge: string): Promise<void>;
  /** Throws 400 `invalid_request` if the browser has none for this purpose. */
  take(request: FastifyRequest, what: ChallengeFor): Promise<string>;
}

/** Stores challenges in the table of verifications; the browser keeps the secret that finds its own. */
export function makeChallenges({ db, ids, config }: Platform): Challenges {
  const secure = config.baseUrl.startsWith('https:');
  const cookie = `${secure ? '__Secure-' : ''}recollect.passkey`;
  const path = `${cookiePath(config)}${SIGN_IN_PATH.slice('/dashboard'.length)}`;
  const attributes = `Path=${path}; Max-Age=${LIFETIME_S}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;
  return {
    async keep(reply, what, challenge) {
      const secret = ids.random(SECRET_BYTES).toString('base64url');
      const now = realNow();
      const kept = {
        id: ids.next('vrf', now),
        identifier: identifierOf(secret, what),
        value: challenge,
        expiresAt: now.add({ seconds: LIFETIME_S }),
      };
      await db.transaction((tx) => insertChallenge(tx, kept, now));
      reply.header('set-cookie', `${cookie}=${secret}; ${attributes}`);
    },
    async take(request, what) {
      const secret = cookiesOf(request).get(cookie) ?? null;
      const challenge =
        secret === null
          ? null
          : await db.transaction((tx) =>
              consumeChallenge(tx, identifierOf(secret, what), realNow()),
            );
      if (challenge === null)
        throw new ApiError('invalid_request', 'That took too long; try again.');
      return challenge;
    },
  };
}

function identifierOf(secret: string, what: ChallengeFor): string {
  const use = what === 'sign_in' ? what : what.userId;
  return `passkey-${hashSecret(`${use}:${secret}`).toString('base64url')}`;
}
