import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { acceptOnlyJson } from '../../platform/http/calls/bodies.ts';
import { isFromOurPages } from '../../platform/http/calls/origin.ts';
import type { PlainRoutes } from '../../platform/http/calls/route.ts';
import { forbidCaching } from '../../platform/http/mount.ts';
import type { Platform } from '../../platform/platform.ts';
import { ApiError } from '../../platform/values/errors.ts';
import type { SignedIn, SignInDeps } from './deps.ts';
import { makeDevices } from './devices.ts';
import { makeForgotten } from './forgotten.ts';
import { addInvitationRoutes } from './invitation-routes.ts';
import { headersFor } from './library/bridge.ts';
import type { Library } from './library/library.ts';
import { addLibraryRoutes } from './library/library-routes.ts';
import { makeLimiter } from './limits.ts';
import { addLinkRoutes } from './links/link-routes.ts';
import { createSignInLink, type Link } from './links/links.ts';
import { addPasskeyRoutes } from './passkeys/passkey-routes.ts';
import { askPassword } from './password-question.ts';
import { askSecondFactor } from './second-factor.ts';
import { makeSessionGuard } from './session-limits.ts';
import { SIGN_IN_LIMITS, SIGN_IN_PATH, type SignInLimits } from './settings.ts';
import type { Providers } from './sso/providers.ts';
import { addSsoRoutes } from './sso/routes.ts';
import { refuseSsoSession } from './sso/sso-session.ts';
import { addStepUp, makeStepUp, type Proof, type StepUp } from './step-up.ts';
import { makeVisits } from './visits.ts';

/** Who may enter the dashboard, and how. */
export interface SignIn {
  /** Returns the signed-in user who sent a request with these headers, or null. Add their `cookies` to the response. */
  who(headers: IncomingHttpHeaders): Promise<SignedIn | null>;
  /** All routes below `/dashboard/auth`. Ours respond with the API's error envelope, the library's with its own. */
  routes: PlainRoutes;
  /**
   * Requires a signed-in user to prove their identity again: with their password, and with their second factor if they have one.
   * Returns them. Throws 400 `invalid_request`, 401 `unauthorized`, 429 `rate_limit_exceeded`.
   */
  prove(request: FastifyRequest, reply: FastifyReply, proof: Proof): Promise<SignedIn>;
  /** Whether a signed-in user's browser has proved their identity within the last five minutes. */
  isProved: StepUp['isProved'];
  /** Makes the client of the teams' identity providers, on first use. */
  providers(): Promise<Providers>;
  /** Creates a link that signs in, once, within 24 hours. Throws 404 `not_found` if no user has this address. */
  createSignInLink(email: string): Promise<Link>;
  /** Loads the library, which takes half a second; it happens automatically a while after the service listens. */
  warmUp(): Promise<void>;
  /** Resolves when every noted visit, and every link asked for by email, is written. */
  idle(): Promise<void>;
}

const SESSION_COOKIE = 'recollect.session_token=';
const WARM_UP_AFTER_MS = 2000;

/** Makes sign-in over a platform. One per process. `limits` is for tests. */
export function makeSignIn(platform: Platform, limits: SignInLimits = SIGN_IN_LIMITS): SignIn {
  let loading: Promise<Library> | undefined;
  const library = (): Promise<Library> => {
    loading ??= loadLibrary(platform);
    return loading;
  };
  const visits = makeVisits(platform);
  const sessions = makeSessionGuard(platform);
  const forgotten = makeForgotten(platform);
  let speaking: Promise<Providers> | undefined;
  const providers = (): Promise<Providers> => {
    speaking ??= loadProviders(platform);
    return speaking;
  };
  const who = async (headers: IncomingHttpHeaders): Promise<SignedIn | null> => {
    if (headers.cookie?.includes(SESSION_COOKIE) !== true) return null;
    await sessions.check(headers);
    const found = await findSession(await library(), headers);
    if (found !== null) visits.note(found.userId);
    return found;
  };
  let openDesk: SignInDeps | undefined;
  const prove: SignIn['prove'] = async (request, reply, { password, code }) => {
    const user = await who(request.headers);
    if (user === null || openDesk === undefined)
      throw new ApiError('unauthorized', 'Sign in to the dashboard.');
    await askPassword(openDesk, request, reply, user, password);
    await askSecondFactor(openDesk, request, user, code);
    return user;
  };
  const stepUp = makeStepUp(platform);
  const warmUp = async (): Promise<void> => void (await (await library()).$context);
  return {
    who,
    prove,
    isProved: stepUp.isProved,
    providers,
    createSignInLink: (email) =>
      platform.db.transaction((tx) => createSignInLink(platform, tx, email)),
    warmUp,
    idle: async () => void (await Promise.all([visits.idle(), forgotten.idle()])),
    routes: async (app) => {
      const devices = makeDevices(platform);
      const limiter = makeLimiter(app, platform, devices, limits);
      const deps: SignInDeps = { platform, library, limiter, devices, forgotten, providers, who };
      openDesk = deps;
      warmUpOnceListening(app, warmUp);
      app.addHook('onClose', async () => (await speaking)?.close());
      await app.register(
        async (scope) => {
          acceptOnlyJson(scope);
          forbidCaching(scope);
          scope.addHook('onRequest', async (request) => {
            if (request.method !== 'GET' && !isFromOurPages(request))
              throw new ApiError('forbidden', 'Sent from another website.');
            // The library does not know the teams' limits.
            refuseSsoSession(request, await sessions.check(request.headers));
          });
          addLibraryRoutes(scope, deps);
          addLinkRoutes(scope, deps);
          addInvitationRoutes(scope, deps);
          addPasskeyRoutes(scope, deps);
          addSsoRoutes(scope, deps);
          addStepUp(scope, stepUp, prove);
        },
        { prefix: SIGN_IN_PATH },
      );
    },
  };
}

/**
 * Loads the library shortly after the service starts listening, so that other start-up work goes first. An earlier request loads
 * it on demand, and gets the error if it cannot be loaded.
 */
function warmUpOnceListening(app: FastifyInstance, warmUp: () => Promise<void>): void {
  let timer: NodeJS.Timeout | undefined;
  app.addHook('onListen', async () => {
    timer = setTimeout(() => void warmUp().catch(() => undefined), WARM_UP_AFTER_MS);
    timer.unref();
  });
  app.addHook('onClose', async () => clearTimeout(timer));
}

async function loadLibrary(platform: Platform): Promise<Library> {
  const { makeLibrary } = await import('./library/library.ts');
  return makeLibrary(platform);
}

async function loadProviders({ config }: Platform): Promise<Providers> {
  const { makeProviders } = await import('./sso/providers.ts');
  return makeProviders(config);
}

async function findSession(
  library: Library,
  headers: IncomingHttpHeaders,
): Promise<SignedIn | null> {
  const { response, headers: answered } = await library.api.getSession({
    headers: headersFor(library, headers),
    returnHeaders: true,
  });
  if (response === null) return null;
  const { user, session } = response;
  return {
    userId: user.id,
    name: user.name,
    email: user.email,
    sessionId: session.id,
    ssoMerchantId: session.ssoMerchantId ?? null,
    cookies: answered.getSetCookie(),
  };
}
