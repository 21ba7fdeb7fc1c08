import type { IncomingHttpHeaders } from 'node:http';
import { cookiesOf } from '../../platform/http/calls/cookies.ts';
import type { Platform } from '../../platform/platform.ts';
import { realNow } from '../../platform/time/clock.ts';
import { isAfter } from '../../platform/values/instants.ts';
import { isOver, USE_RECORDED_EVERY } from '../team/access.ts';
import {
  endSession,
  findLimitedSession,
  type LimitedSession,
  noteSessionUse,
} from '../team/access-store.ts';

/** Ends sessions by the limits of their users' teams. See docs/rules/access.md#sessions. */
export interface SessionGuard {
  /**
   * Ends the session of a request if it is over, so that nothing takes it for valid; else records its use, unless the page only
   * refreshed itself. Returns the session that goes on; null for a request without one.
   */
  check(headers: IncomingHttpHeaders): Promise<LimitedSession | null>;
}

/** The dashboard sends it while nobody touches the page, which goes on refreshing itself. */
const UNATTENDED = 'x-recollect-unattended';
const TOKEN = 'recollect.session_token';

/** Makes a guard over the database: whatever process a request reaches, the limits hold. */
export function makeSessionGuard({ db, config }: Platform): SessionGuard {
  const cookie = config.baseUrl.startsWith('https:') ? `__Secure-${TOKEN}` : TOKEN;
  return {
    async check(headers) {
      const token = tokenOf(headers, cookie);
      if (token === null) return null;
      const session = await db.read((tx) => findLimitedSession(tx, token));
      if (session === null) return null;
      const { sessionId, usedAt, limits } = session;
      const now = realNow();
      if (isOver(session, limits, now)) {
        await db.transaction((tx) => endSession(tx, sessionId));
        return null;
      }
      const isNoted = isAfter(usedAt.add(USE_RECORDED_EVERY), now);
      const counts = limits.sessionIdleMinutes !== null && headers[UNATTENDED] === undefined;
      if (counts && !isNoted) await db.transaction((tx) => noteSessionUse(tx, sessionId, now));
      return session;
    },
  };
}

/**
 * Returns the token in front of its signature, which the library checks, read as the library reads it: from the first cookie by
 * the one name in use, unquoted and decoded. Read otherwise, a session could escape its limits. Null: there is none.
 */
function tokenOf(headers: IncomingHttpHeaders, cookie: string): string | null {
  const value = cookiesOf({ headers }).get(cookie) ?? '';
  const signed = decoded(value.startsWith('"') ? value.slice(1, -1) : value);
  const token = signed.slice(0, Math.max(signed.lastIndexOf('.'), 0));
  return token === '' ? null : token;
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
