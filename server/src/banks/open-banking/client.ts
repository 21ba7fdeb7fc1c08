import { randomUUID, X509Certificate } from 'node:crypto';
import * as oidc from 'openid-client';
import { BankDefect, BankUnavailable, TokenRefused } from '../bank.ts';
import { isAllowedPage } from '../redirect.ts';
import { cached, endsSoon, expiryOf } from '../tokens.ts';
import type { BackChannel } from './back-channel.ts';
import { DEFAULT_TIMEOUT_MS, type OpenBankingConfig } from './config.ts';
import { type SigningKey, signJwt } from './signer.ts';
import { signingKeyOf } from './signing-key.ts';

const ASSERTION_LIFETIME_S = 60;

/** Our access to the bank's authorisation server. */
export interface OAuthClient {
  /** The bank's metadata with our registration: read on first use, then cached. */
  configuration(): Promise<oidc.Configuration>;
  /** Returns the token for calls in our own name; cached until shortly before it expires. */
  ownToken(): Promise<string>;
  /** Drops the token after a 401: the next `ownToken` is a new one, unless another call renewed it already. */
  forgetOwnToken(token: string): void;
  /** Our signing key: for request objects, client assertions and messages. */
  readonly signing: SigningKey;
  /** Whom a request of ours is for, where that is not the issuer. */
  readonly requestAudience: string | null;
  /** The thumbprint of our transport certificate, to which the bank binds its tokens. */
  readonly certificate: string;
}

export type Now = () => Temporal.Instant;

/** Does not call the bank yet. */
export async function oauthClient(
  config: OpenBankingConfig,
  channel: BackChannel,
  now: Now,
): Promise<OAuthClient> {
  const signing = signingKeyOf(config);
  const configuration = cached(
    () => discover(config, channel, signing, now),
    () => true,
  );
  const token = cached(
    async () => {
      const answer = await oidc
        .clientCredentialsGrant(await configuration.get(), { scope: 'payments' })
        .catch(failToken);
      return { value: answer.access_token, expiresAt: expiryOf(answer, now()) };
    },
    ({ expiresAt }) => !endsSoon(expiresAt, now()),
  );
  return {
    configuration: configuration.get,
    ownToken: async () => (await token.get()).value,
    forgetOwnToken: (value) => token.forget((held) => held.value === value),
    signing,
    requestAudience: config.requestAudience ?? null,
    certificate: thumbprintOf(config),
  };
}

/** Returns the thumbprint of a certificate in PEM. Throws `BankDefect` if it is none. */
function thumbprintOf({ bankId, tls }: OpenBankingConfig): string {
  try {
    return new X509Certificate(tls.cert).fingerprint256;
  } catch (cause) {
    throw new BankDefect(`${bankId}: tls.cert is no certificate`, 'config', cause);
  }
}

/**
 * Converts an error of the OAuth library into one of the port. A 4xx that names an OAuth error other than those of a grant means
 * that our registration is wrong; anything else proves nothing.
 */
export function failToken(error: unknown): never {
  if (error instanceof oidc.ResponseBodyError && error.status < 500 && error.status !== 429) {
    throw new TokenRefused('the bank refused us a token', error.error, error);
  }
  throw unavailable(error);
}

/** Returns the `BankUnavailable` that caused a library's error, or wraps the error in a new one. */
export function unavailable(error: unknown): BankUnavailable {
  let cause = error;
  for (let depth = 0; depth < 5 && cause instanceof Error; depth += 1) {
    if (cause instanceof BankUnavailable) return cause;
    cause = cause.cause;
  }
  return new BankUnavailable('no usable answer from the authorisation server', { cause: error });
}

async function discover(
  config: OpenBankingConfig,
  channel: BackChannel,
  signing: SigningKey,
  now: Now,
): Promise<oidc.Configuration> {
  const sandbox = config.sandbox === true;
  const found = await oidc
    .discovery(
      new URL(config.issuer),
      config.clientId,
      { id_token_signed_response_alg: 'PS256', use_mtls_endpoint_aliases: true },
      config.tokenAuth === 'tls_client_auth' ? oidc.TlsClientAuth() : signedAssertion(signing, now),
      {
        timeout: (config.timeoutMs ?? DEFAULT_TIMEOUT_MS) / 1000,
        [oidc.customFetch]: (url, init) => channel.fetch(url, init),
        execute: [
          oidc.useCodeIdTokenResponseType,
          oidc.enableDetachedSignatureResponseChecks,
          // Verify the signature of the token endpoint's ID token too; do not rely on the connection alone.
          oidc.enableNonRepudiationChecks,
          // Only to allow plain http on loopback for the customer's pages: the back channel itself requires https.
          ...(sandbox ? [oidc.allowInsecureRequests] : []),
        ],
      },
    )
    .catch((error: unknown) => {
      throw unavailable(error);
    });
  checkTokenAuth(config, found.serverMetadata());
  const page = URL.parse(found.serverMetadata().authorization_endpoint ?? '');
  if (!page || !isAllowedPage(page, sandbox)) {
    throw new BankDefect(`${config.bankId}: the customer's pages are not https`, 'config');
  }
  return found;
}

/** Proves who we are at the token endpoint by a JWT that our signer has signed (private_key_jwt). */
function signedAssertion(signing: SigningKey, now: Now): oidc.ClientAuth {
  return async (server, client, body) => {
    const iat = Math.floor(now().epochMilliseconds / 1000);
    const assertion = await signJwt(
      signing,
      {},
      {
        jti: randomUUID(),
        aud: server.issuer,
        iss: client.client_id,
        sub: client.client_id,
        iat,
        nbf: iat,
        exp: iat + ASSERTION_LIFETIME_S,
      },
    );
    body.set('client_id', client.client_id);
    body.set('client_assertion_type', 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer');
    body.set('client_assertion', assertion);
  };
}

/** Throws `BankDefect` if the bank says that it does not take the way in which we are registered with it. */
function checkTokenAuth(config: OpenBankingConfig, metadata: oidc.ServerMetadata): void {
  const { token_endpoint_auth_methods_supported: offered } = metadata;
  const { tokenAuth = 'private_key_jwt' } = config;
  if (offered === undefined || offered.includes(tokenAuth)) return;
  const says = `its token endpoint takes ${offered.join(', ')}, not ${tokenAuth}`;
  throw new BankDefect(`${config.bankId}: ${says}`, 'config');
}
