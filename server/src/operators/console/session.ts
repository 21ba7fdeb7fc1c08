import type { FastifyReply, FastifyRequest } from 'fastify';
import { cookiesOf, setCookie } from '../../platform/http/calls/cookies.ts';
import { isFromOurPages } from '../../platform/http/calls/origin.ts';
import type { Guard } from '../../platform/http/mount.ts';
import type { Platform } from '../../platform/platform.ts';
import { realNow } from '../../platform/time/clock.ts';
import { ApiError } from '../../platform/values/errors.ts';
import { hashSecret } from '../../platform/vault/vault.ts';
import { sessionToken } from '../access/authenticate.ts';
import { deleteSession, insertSession, type SessionOrigin } from '../access/books/session-store.ts';

const COOKIE = 'recollect.operator';
const SECRET_BYTES = 32;
const SECRET = /^[\w-]{43}$/;

/**
 * A browser's session on the console: a random secret in a cookie that scripts and other sites cannot use. The database has its
 * hash, whose it is, and what opened it, so a copy of the cookie is worth nothing once the session has ended.
 */
export interface ConsoleSession {
  begin(
    request: FastifyRequest,
    reply: FastifyReply,
    operatorId: string,
    by: SessionOrigin,
  ): Promise<void>;
  end(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /**
   * A hook in front of the operators' API: where a request has no key of its own, the session's is used. Throws 403 `forbidden`
   * for a change that another website sent.
   */
  lendKey: Guard;
}

/** Makes sessions. */
export function makeConsoleSession({
  db,
  ids,
  config,
}: Pick<Platform, 'db' | 'ids' | 'config'>): ConsoleSession {
  const seconds = config.consoleSignIn.sessionMinutes * 60;
  const write = (request: FastifyRequest, reply: FastifyReply, value: string, lives: number) => {
    const secure = request.protocol === 'https';
    const options = { path: '/', seconds: lives, sameSite: 'Strict', secure } as const;
    reply.header('set-cookie', setCookie({ name: COOKIE, value, ...options }));
  };
  const secretOf = (request: FastifyRequest): string | null => {
    const secret = cookiesOf(request).get(COOKIE) ?? '';
    return SECRET.test(secret) ? secret : null;
  };
  const drop = async (request: FastifyRequest): Promise<void> => {
    const secret = secretOf(request);
    if (secret !== null) await db.transaction((tx) => deleteSession(tx, hashSecret(secret)));
  };
  return {
    async begin(request, reply, operatorId, by) {
      await drop(request);
      const secret = ids.random(SECRET_BYTES).toString('base64url');
      const begunAt = realNow();
      const secretHash = hashSecret(secret);
      const expiresAt = begunAt.add({ seconds });
      await db.transaction((tx) =>
        insertSession(tx, { secretHash, operatorId, by, begunAt, expiresAt }),
      );
      write(request, reply, secret, seconds);
    },
    async end(request, reply) {
      await drop(request);
      write(request, reply, '', 0);
    },
    async lendKey(request) {
      if (request.headers.authorization !== undefined) return;
      const secret = secretOf(request);
      if (secret === null) return;
      if (request.method !== 'GET' && !isFromOurPages(request))
        throw new ApiError('forbidden', 'Sent from another website.');
      request.headers.authorization = `Bearer ${sessionToken(secret)}`;
    },
  };
}
