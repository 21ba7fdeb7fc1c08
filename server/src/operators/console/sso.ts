import type { FastifyInstance, FastifyReply } from 'fastify';
import {
  makeSsoAttempts,
  returnPathOf,
  type SignInEntry,
} from '../../merchants/sign-in/sso/attempts.ts';
import type { Providers } from '../../merchants/sign-in/sso/providers.ts';
import type { ConsoleSignIn } from '../../platform/config/operators.ts';
import type { Platform } from '../../platform/platform.ts';
import { type OperatorRefusal, recogniseOperator } from '../access/recognise.ts';
import type { ConsoleSession } from './session.ts';

type Sso = NonNullable<ConsoleSignIn['sso']>;

/** What the sign-in page is told. */
type Problem = OperatorRefusal | 'failed' | 'declined' | 'late';

const RETURN = '/sso/return';

/** Loads the library that speaks to the identity provider. */
const loadLibrary = async () => await import('../../merchants/sign-in/sso/providers.ts');

/**
 * Adds single sign-on to the console: `GET /console/sso` leads to the operators' identity provider, `GET /console/sso/return`
 * back from it, with a session.
 */
export function addConsoleSso(
  app: FastifyInstance,
  platform: Platform,
  session: ConsoleSession,
  sso: Sso,
): void {
  const { consoleUrl, issuer } = sso;
  const door: SignInEntry = {
    redirectUri: consoleUrl + RETURN,
    path: new URL(consoleUrl + RETURN).pathname,
  };
  const trips = makeSsoAttempts(platform, consoleUrl.startsWith('https:'));
  const providers = speaker(app, platform);
  const sendTo = (reply: FastifyReply, path: string) => reply.redirect(consoleUrl + path, 303);
  const sendBack = (reply: FastifyReply, problem: Problem) =>
    sendTo(reply, `/sign-in?problem=${problem}`);
  app.get<{ Querystring: { next?: unknown } }>('/console/sso', async (request, reply) => {
    // Another site cannot sign anybody in as somebody else: there the person has to press a button first.
    if ((request.headers['sec-fetch-site'] ?? 'same-origin') !== 'same-origin')
      return sendTo(reply, '/sign-in');
    try {
      const trip = trips.begin(reply, door, returnPathOf(request.query.next));
      const { href } = await (await providers()).signInUrl(sso, trip);
      return reply.redirect(href, 303);
    } catch (error) {
      return sendBack(reply, await problemOf(platform, error));
    }
  });
  app.get(`/console${RETURN}`, async (request, reply) => {
    const trip = trips.end(request, reply, door);
    if (trip === null) return sendBack(reply, 'late');
    try {
      const returned = new URL(door.redirectUri);
      returned.search = new URL(request.url, consoleUrl).search;
      const arrival = await (await providers()).complete(sso, trip, returned);
      const operator = await recogniseOperator(platform, issuer, arrival);
      if (typeof operator === 'string') return sendBack(reply, operator);
      await session.begin(request, reply, operator.operatorId, { linkedAt: operator.linkedAt });
      return sendTo(reply, trip.next);
    } catch (error) {
      return sendBack(reply, await problemOf(platform, error));
    }
  });
}

/** Returns what makes the client of the identity provider, on first use; it is closed with the server. */
function speaker(app: FastifyInstance, { config }: Platform): () => Promise<Providers> {
  let speaking: Promise<Providers> | undefined;
  app.addHook('onClose', async () => (await speaking)?.close());
  return () => {
    speaking ??= loadLibrary().then(({ makeProviders }) =>
      makeProviders({ mode: config.mode, isOurs: true }),
    );
    return speaking;
  };
}

/** Returns what to tell the person; logs what somebody can do something about. Throws other errors. */
async function problemOf({ log }: Platform, error: unknown): Promise<Problem> {
  const { ProviderFailed, SignInDeclined } = await loadLibrary();
  if (error instanceof SignInDeclined) return 'declined';
  if (!(error instanceof ProviderFailed)) throw error;
  log.report('operators.provider_failed', { err: error });
  return 'failed';
}
