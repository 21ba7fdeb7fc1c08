import * as oidc from 'openid-client';
import { fetch } from 'undici';
import type { Config } from '../../../platform/config/config.ts';
import { guardedAgents, openAgents } from '../../../platform/network/guarded-agents.ts';
import type { SsoAttempt } from './attempts.ts';
import type { Registration } from './provider-store.ts';

type Client = Pick<Registration, 'issuer' | 'clientId' | 'clientSecret'>;

/** What an identity provider says of the person who comes back from it. */
export interface Arrival {
  subject: string;
  email: string | null;
  isEmailVerified: boolean;
  name: string | null;
}

/** Speaks OpenID Connect with the teams' identity providers: the code flow, with PKCE, state and nonce. */
export interface Providers {
  /** Reads the provider's metadata. Throws ProviderFailed. */
  check(client: Client): Promise<void>;
  /** Returns where the browser goes to sign in. Throws ProviderFailed. */
  signInUrl(client: Client, trip: SsoAttempt): Promise<URL>;
  /** Exchanges what the browser came back with for who it is. Throws ProviderFailed, SignInDeclined. */
  complete(client: Client, trip: SsoAttempt, returned: URL): Promise<Arrival>;
  close(): Promise<void>;
}

/** The provider cannot be reached, refused us, or its answer proves nothing. The message is for an owner of the team. */
export class ProviderFailed extends Error {
  override readonly name = 'ProviderFailed';
}

/** The provider reports that the person did not sign in. */
export class SignInDeclined extends Error {
  override readonly name = 'SignInDeclined';
}

interface ProviderOptions extends Pick<Config, 'mode'> {
  isOurs?: boolean;
}

const TIMEOUT_MS = 10_000;
/** Metadata and keys have a few thousand bytes. */
const LONGEST_RESPONSE = 512 * 1024;
const SCOPE = 'openid email profile';
const DECLINED = new Set(['access_denied', 'login_required', 'interaction_required']);

/**
 * Makes the client of identity providers. It reaches no address of our own network, whatever their metadata names, unless
 * `isOurs`: the operator's own provider may stand there.
 */
export function makeProviders({ mode, isOurs = false }: ProviderOptions): Providers {
  const limits = { timeoutMs: TIMEOUT_MS, longestResponse: LONGEST_RESPONSE };
  const agents = isOurs ? openAgents(mode, limits) : guardedAgents({ mode, ...limits });
  const guardedFetch: oidc.CustomFetch = async (url, { body, headers, method, redirect, signal }) =>
    (await fetch(url, {
      body: body as string | URLSearchParams | null,
      headers,
      method,
      redirect,
      signal: signal ?? null,
      dispatcher: agents.of(new URL(url)),
    })) as unknown as Response;
  const discover = async (client: Client): Promise<oidc.Configuration> =>
    oidc.discovery(new URL(client.issuer), client.clientId, {}, authOf(client), {
      timeout: TIMEOUT_MS / 1000,
      [oidc.customFetch]: guardedFetch,
      // Verify the signature of the ID token; do not rely on the connection alone.
      execute: [
        oidc.enableNonRepudiationChecks,
        // Only to allow plain http on loopback: what is called is checked above.
        ...(mode === 'sandbox' ? [oidc.allowInsecureRequests] : []),
      ],
    });
  return {
    check: (client) => failing(async () => void (await discover(client))),
    signInUrl: (client, trip) =>
      failing(async () =>
        oidc.buildAuthorizationUrl(await discover(client), {
          redirect_uri: trip.redirectUri,
          scope: SCOPE,
          state: trip.state,
          nonce: trip.nonce,
          code_challenge: await oidc.calculatePKCECodeChallenge(trip.verifier),
          code_challenge_method: 'S256',
        }),
      ),
    complete: (client, trip, returned) =>
      failing(async () => {
        const configuration = await discover(client);
        const tokens = await oidc.authorizationCodeGrant(configuration, returned, {
          expectedState: trip.state,
          expectedNonce: trip.nonce,
          pkceCodeVerifier: trip.verifier,
          idTokenExpected: true,
        });
        return readArrival(configuration, tokens);
      }),
    close: () => agents.close(),
  };
}

/** Sends the secret in the header, which is the default of the standard, unless the provider takes it in the body alone. */
function authOf({ clientSecret }: Client): oidc.ClientAuth {
  const basic = oidc.ClientSecretBasic(clientSecret);
  const post = oidc.ClientSecretPost(clientSecret);
  return (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const auth = methods.includes('client_secret_basic') ? basic : post;
    return auth(server, client, body, headers);
  };
}

/** Reads the claims of the ID token; a provider may keep the address for its user info endpoint. */
async function readArrival(
  configuration: oidc.Configuration,
  tokens: Awaited<ReturnType<typeof oidc.authorizationCodeGrant>>,
): Promise<Arrival> {
  const claims = tokens.claims();
  if (claims === undefined) throw new ProviderFailed('it sent no ID token');
  const hasMore = configuration.serverMetadata().userinfo_endpoint !== undefined;
  const more =
    claims.email === undefined && hasMore
      ? await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub)
      : claims;
  const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
  return {
    subject: claims.sub,
    email: text(more.email),
    isEmailVerified: more.email_verified === true,
    name: text(more.name),
  };
}

/** Converts the library's errors. */
async function failing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProviderFailed) throw error;
    if (error instanceof oidc.AuthorizationResponseError && DECLINED.has(error.error))
      throw new SignInDeclined(error.error, { cause: error });
    throw new ProviderFailed(reasonOf(error), { cause: error });
  }
}

/** Returns the innermost reason of an error, such as "connection refused" below "fetch failed". */
function reasonOf(error: unknown): string {
  let reason = error;
  for (let depth = 0; depth < 5; depth += 1) {
    if (!(reason instanceof Error && reason.cause instanceof Error)) break;
    reason = reason.cause;
  }
  if (reason instanceof oidc.ResponseBodyError)
    return [reason.error, reason.error_description].filter(Boolean).join(': ');
  return reason instanceof Error ? reason.message : 'no usable answer';
}
