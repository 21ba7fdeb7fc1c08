import type { FastifyReply, FastifyRequest } from 'fastify';
import { realNow } from '../../platform/clock.ts';
import { ApiError } from '../../platform/errors.ts';
import { cookiesOf, setCookie } from '../../platform/http/cookies.ts';
import type { Guard } from '../../platform/http/mount.ts';
import { isFromOurPages } from '../../platform/http/origin.ts';
import type { Platform } from '../../platform/platform.ts';
import { modeOfOperatorKey } from '../access/operator-key.ts';

const COOKIE = 'recollect.operator';
const CONTEXT = 'operators:console';

/**
 * A browser's session on the console: the operator's key, or what stands in for it after single sign-on, sealed in a cookie that
 * scripts and other sites cannot use.
 */
export interface ConsoleSession {
  begin(request: FastifyRequest, reply: FastifyReply, key: string): void;
  end(request: FastifyRequest, reply: FastifyReply): void;
  /**
   * A hook in front of the operators' API: where a request has no key of its own, the session's is used. Throws 403 `forbidden`
   * for a change that another website sent.
   */
  lendKey: Guard;
}

/** Makes sessions. Nothing is stored: the key itself decides with every request, so a revoked one ends its sessions at once. */
export function makeConsoleSession({
  vault,
  config,
}: Pick<Platform, 'vault' | 'config'>): ConsoleSession {
  const { byKey, sessionMinutes } = config.consoleSignIn;
  const lifetime = sessionMinutes * 60;
  const write = (request: FastifyRequest, reply: FastifyReply, value: string, seconds: number) => {
    const secure = request.protocol === 'https';
    const cookie = { name: COOKIE, value, path: '/', seconds, sameSite: 'Strict', secure } as const;
    reply.header('set-cookie', setCookie(cookie));
  };
  const keyOf = (request: FastifyRequest): string | null => {
    try {
      const [until = '', key = ''] = vault
        .open(cookiesOf(request).get(COOKIE) ?? '', CONTEXT)
        .split(' ');
      if (!byKey && modeOfOperatorKey(key) !== null) return null;
      return Number(until) > realNow().epochMilliseconds ? key : null;
    } catch {
      return null; // made up, or sealed with a key that has retired
    }
  };
  return {
    begin(request, reply, key) {
      const until = realNow().add({ seconds: lifetime }).epochMilliseconds;
      write(request, reply, vault.seal(`${until} ${key}`, CONTEXT), lifetime);
    },
    end: (request, reply) => write(request, reply, '', 0),
    async lendKey(request) {
      if (request.headers.authorization !== undefined) return;
      const key = cookiesOf(request).has(COOKIE) ? keyOf(request) : null;
      if (key === null) return;
      if (request.method !== 'GET' && !isFromOurPages(request))
        throw new ApiError('forbidden', 'Sent from another website.');
      request.headers.authorization = `Bearer ${key}`;
    },
  };
}
