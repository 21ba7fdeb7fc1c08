import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Platform } from '../../../platform/platform.ts';
import type { SignInDeps } from '../deps.ts';
import { openSession } from '../library/bridge.ts';
import { makeSsoAttempts, returnPathOf } from './attempts.ts';
import { findRegistration, type Registration } from './provider-store.ts';
import { ProviderFailed, SignInDeclined } from './providers.ts';
import { type Refusal, recognise } from './recognise.ts';
import { teamSignInEntry } from './team-entry.ts';

const PLAIN = { schema: { hide: true }, exposeHeadRoute: false } as const;
const TEAM = /^mer_[0-9a-zA-Z]{22}$/;

interface Team {
  Params: { merchant: string };
  Querystring: { next?: unknown };
}

/** What the sign-in page is told. */
type Problem = Refusal | 'off' | 'failed' | 'declined' | 'late';

/** Adds single sign-on: `GET /sso/:merchant` leads to the team's identity provider, `GET /sso/:merchant/return` back from it. */
export function addSsoRoutes(scope: FastifyInstance, deps: SignInDeps): void {
  const { platform } = deps;
  const trips = makeSsoAttempts(platform, platform.config.baseUrl.startsWith('https:'));
  scope.get<Team>('/sso/:merchant', PLAIN, async (request, reply) => {
    const { merchant } = request.params;
    const next = returnPathOf(request.query.next);
    // Another site cannot sign anybody in as somebody else: there the person has to press a button first.
    if ((request.headers['sec-fetch-site'] ?? 'same-origin') !== 'same-origin')
      return reply.redirect(buttonPage(platform, merchant, next), 303);
    await deps.limiter.address(request, reply);
    const client = await registrationOf(platform, merchant);
    if (client === null) return sendBack(platform, reply, 'off');
    try {
      const trip = trips.begin(reply, teamSignInEntry(platform.config, merchant), next);
      return reply.redirect((await (await deps.providers()).signInUrl(client, trip)).href, 303);
    } catch (error) {
      return sendBack(platform, reply, problemOf(platform, merchant, error));
    }
  });
  scope.get<Team>('/sso/:merchant/return', PLAIN, async (request, reply) => {
    const { merchant } = request.params;
    const door = teamSignInEntry(platform.config, merchant);
    const trip = trips.end(request, reply, door);
    if (trip === null) return sendBack(platform, reply, 'late');
    const client = await registrationOf(platform, merchant);
    if (client === null) return sendBack(platform, reply, 'off');
    try {
      const returned = new URL(door.redirectUri);
      returned.search = new URL(request.url, platform.config.baseUrl).search;
      const arrival = await (await deps.providers()).complete(client, trip, returned);
      const team = { merchantId: merchant, issuer: client.issuer };
      const user = await recognise(platform, team, arrival);
      if (typeof user === 'string') return sendBack(platform, reply, user);
      await openSession(await deps.library(), request, reply, user.userId, merchant);
      return reply.redirect(`${platform.config.baseUrl}/dashboard${trip.next}`, 303);
    } catch (error) {
      return sendBack(platform, reply, problemOf(platform, merchant, error));
    }
  });
}

/** Returns the address of the page that leads to a team's provider. */
export function buttonPage({ config }: Platform, merchantId: string, next = '/'): string {
  const query = new URLSearchParams({ team: merchantId, ...(next === '/' ? {} : { next }) });
  return `${config.baseUrl}/dashboard/single-sign-on?${query}`;
}

async function registrationOf(
  { db, vault }: Platform,
  merchantId: string,
): Promise<Registration | null> {
  return TEAM.test(merchantId) ? db.read((tx) => findRegistration(vault, tx, merchantId)) : null;
}

/** Returns what to tell the person; logs what the operator or an owner can do something about. Throws other errors. */
function problemOf({ log }: Platform, merchantId: string, error: unknown): Problem {
  if (error instanceof SignInDeclined) return 'declined';
  if (!(error instanceof ProviderFailed)) throw error;
  log.report('sign_in.provider_failed', { merchant_id: merchantId, err: error });
  return 'failed';
}

function sendBack({ config }: Platform, reply: FastifyReply, problem: Problem): FastifyReply {
  return reply.redirect(`${config.baseUrl}/dashboard/sign-in?problem=sso_${problem}`, 303);
}
