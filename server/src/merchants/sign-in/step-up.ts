import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { cookiesOf, setCookie } from '../../platform/http/calls/cookies.ts';
import { Fields } from '../../platform/http/schemas/schemas.ts';
import type { Platform } from '../../platform/platform.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { realNow } from '../../platform/time/clock.ts';
import type { SignedIn } from './deps.ts';
import { reader } from './fields.ts';
import { cookiePath } from './settings.ts';

/** What a user enters to prove their identity. */
export interface Proof {
  password: string;
  code?: string;
}

/** Browsers that have proved within the last minutes who is in front of them. */
export interface StepUp {
  /** Whether this browser proved, for this session and within the last five minutes, who is in front of it. */
  isProved(headers: { cookie?: string | undefined }, session: Pick<SignedIn, 'sessionId'>): boolean;
  /** Sets the cookie that says so. Returns until when it holds, in real time. */
  remember(reply: FastifyReply, session: Pick<SignedIn, 'sessionId'>): Temporal.Instant;
}

const NAME = 'recollect.proved';
const CONTEXT = 'sign-in:proved';
const LASTS = Temporal.Duration.from({ minutes: 5 });

const readProof = reader(
  Fields({
    password: Type.String({ minLength: 1, maxLength: 128 }),
    code: Type.Optional(Type.String({ maxLength: 64 })),
  }),
);

/**
 * Recognises them by a cookie with our keyed hash of session and moment: a session's cookie that was stolen proves nothing, not
 * even while its owner has just proved who they are.
 */
export function makeStepUp({ vault, config }: Pick<Platform, 'vault' | 'config'>): StepUp {
  const textOf = (sessionId: string, until: string): string => `${sessionId}.${until}`;
  return {
    isProved(headers, { sessionId }) {
      const [until = '', mac = ''] = (cookiesOf({ headers }).get(NAME) ?? '').split('.');
      const signed = vault.isSigned(
        Buffer.from(mac, 'base64url'),
        textOf(sessionId, until),
        CONTEXT,
      );
      return signed && realNow().epochMilliseconds < Number(until);
    },
    remember(reply, { sessionId }) {
      const until = realNow().add(LASTS);
      const moment = String(until.epochMilliseconds);
      const mac = vault.sign(textOf(sessionId, moment), CONTEXT).toString('base64url');
      const line = setCookie({
        name: NAME,
        value: `${moment}.${mac}`,
        path: cookiePath(config),
        seconds: LASTS.total('seconds'),
        sameSite: 'Strict',
        secure: config.baseUrl.startsWith('https:'),
      });
      reply.header('set-cookie', line);
      return until;
    },
  };
}

/** Adds `POST /prove`: password and second factor, after which changes that ask for them are taken for five minutes. */
export function addStepUp(
  scope: FastifyInstance,
  stepUp: StepUp,
  prove: (request: FastifyRequest, reply: FastifyReply, proof: Proof) => Promise<SignedIn>,
): void {
  scope.post(
    '/prove',
    { schema: { hide: true }, exposeHeadRoute: false },
    async (request, reply) => {
      const user = await prove(request, reply, readProof(request.body));
      return { proved_until: formatInstant(stepUp.remember(reply, user)) };
    },
  );
}
