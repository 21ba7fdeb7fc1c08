import { timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BankTraits } from '../banks/bank.ts';
import { cookiesOf, setCookie } from '../platform/http/calls/cookies.ts';
import type { Platform } from '../platform/platform.ts';
import { realNow } from '../platform/time/clock.ts';
import { hashSecret } from '../platform/vault/vault.ts';
import type { Paths } from './paths.ts';

/**
 * Binds a bank's response to the browser that left for the bank, by one cookie per journey, so that two tabs do not interfere.
 */
export interface Journeys {
  /** Marks the browser that leaves with this state. From a bank that returns nothing, it can come back without it. */
  leave(reply: FastifyReply, state: string, returns: BankTraits['returns']): void;
  /** Returns what a browser brings back that left, last, for a bank that returns nothing; null: it did not. */
  ownAnswer(request: FastifyRequest): string | null;
  /** Whether this browser left with it. */
  isOwn(request: FastifyRequest, state: string): boolean;
  /** Ends the journey. */
  end(reply: FastifyReply, state: string): void;
  /**
   * Stores a response that came in a different browser, bound to that browser, until the customer confirms it. Returns the sealed
   * text for the page's form.
   */
  hold(reply: FastifyReply, state: string, answer: string): string;
  /** Returns the stored response; null if it is not this browser's. `isLate` if it was stored too long ago. */
  held(request: FastifyRequest, sealed: string): Held | null;
}

/** `isLate`: it may be dropped, but no longer accepted. */
export interface Held {
  answer: string;
  isLate: boolean;
}

/** Long enough for a bank's app with its own second factor. After that, customers are asked whether they started this. */
const JOURNEY_S = 3600;
/** Banks' codes expire by then. */
const ANSWER_S = 600;
const CONTEXT = 'consent:pending-answer';
const MARK = 'consent:journey';
const NAME_DIGITS = 16;
const LEFT_FOR_BANK = 'recollect_away';
const JOURNEY_CONTEXT = 'consent:away';

/** Uses cookies for the callback alone; `Lax`, because the bank's redirect back is a link from another site. */
export function makeJourneys({ vault, ids, config }: Platform, paths: Paths): Journeys {
  const nameOf = (kind: 'journey' | 'answer', state: string): string =>
    `recollect_${kind}_${hashSecret(state).toString('hex').slice(0, NAME_DIGITS)}`;
  const markOf = (state: string): string => vault.sign(state, MARK).toString('base64url');
  const put = (reply: FastifyReply, name: string, value: string, seconds: number): void => {
    const secure = config.baseUrl.startsWith('https:');
    const cookie = { name, value, seconds, path: paths.callback, sameSite: 'Lax', secure } as const;
    reply.header('set-cookie', setCookie(cookie));
  };
  return {
    leave(reply, state, returns) {
      put(reply, nameOf('journey', state), markOf(state), JOURNEY_S);
      if (returns === 'nothing')
        put(reply, LEFT_FOR_BANK, vault.seal(state, JOURNEY_CONTEXT), JOURNEY_S);
    },
    ownAnswer(request) {
      const state = openJourney(vault, cookiesOf(request).get(LEFT_FOR_BANK));
      return state === null ? null : new URLSearchParams({ state }).toString();
    },
    isOwn(request, state) {
      const given = cookiesOf(request).get(nameOf('journey', state));
      return given !== undefined && vault.isSigned(Buffer.from(given, 'base64url'), state, MARK);
    },
    end(reply, state) {
      put(reply, nameOf('journey', state), '', 0);
      put(reply, nameOf('answer', state), '', 0);
    },
    hold(reply, state, answer) {
      const browser = ids.random(32).toString('base64url');
      put(reply, nameOf('answer', state), browser, ANSWER_S);
      const until = realNow().add({ seconds: ANSWER_S }).epochMilliseconds;
      return vault.seal(JSON.stringify({ answer, browser, until }), CONTEXT);
    },
    held(request, sealed) {
      const kept = open(vault, sealed);
      if (kept === null) return null;
      const state = new URLSearchParams(kept.answer).get('state') ?? '';
      const given = cookiesOf(request).get(nameOf('answer', state));
      if (given === undefined || !isSame(given, kept.browser)) return null;
      return { answer: kept.answer, isLate: realNow().epochMilliseconds > kept.until };
    },
  };
}

function open(
  vault: Platform['vault'],
  sealed: string,
): { answer: string; browser: string; until: number } | null {
  try {
    return JSON.parse(vault.open(sealed, CONTEXT)) as ReturnType<typeof open>;
  } catch {
    return null; // not sealed by us, or not complete
  }
}

function openJourney(vault: Platform['vault'], sealed: string | undefined): string | null {
  try {
    return sealed === undefined ? null : vault.open(sealed, JOURNEY_CONTEXT);
  } catch {
    return null; // not sealed by us, or under a key that is gone
  }
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
