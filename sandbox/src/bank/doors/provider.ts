import { createHash } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import {
  type Configuration,
  interactionPolicy,
  type KoaContextWithOIDC,
  Provider,
} from 'oidc-provider';
import { realNow } from '../../clock.ts';
import type { BankDeps } from '../bank.ts';
import type { Brand } from '../behaviour/brands.ts';
import type { Profile } from '../behaviour/profiles.ts';
import { createOidcAdapter } from '../parties/oidc-adapter.ts';
import { isSameSubject } from '../parties/subject.ts';
import { findClient } from '../parties/third-parties.ts';
import { openCookieSecret, type SigningKey } from '../wire/keys.ts';

/** Strong customer authentication, the only kind the sandbox banks know. */
export const ACR_SCA = 'urn:openbanking:psd2:sca';
const ACR_CA = 'urn:openbanking:psd2:ca';
const REFRESH_TOKEN_EXPIRY = 'http://openbanking.org.uk/refresh_token_expires_at';
/** Claims that the customer's approval covers. */
export const GRANTED_CLAIMS = ['openbanking_intent_id', 'acr', REFRESH_TOKEN_EXPIRY];

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const NINETY_DAYS = 90 * 24 * HOUR;
const OPAQUE_BITS = 256;
const BITS_OF_A_CHARACTER = 6;
/** A VRP consent without an end date must remain usable indefinitely. */
const TEN_YEARS = 10 * 365 * 24 * HOUR;

/**
 * Creates the OpenID provider of one bank: FAPI 1.0 Advanced, hybrid flow with signed request objects, private_key_jwt or
 * tls_client_auth over mutual TLS, certificate-bound tokens, long-lived refresh tokens.
 */
export function createProvider(
  deps: Pick<BankDeps, 'store' | 'config' | 'directory'>,
  brand: Brand,
  key: SigningKey,
): Provider {
  const { store, config } = deps;
  const issuer = `${config.back_channel_url}/${brand.bankId}`;
  const pages = `${config.public_pages_url}/${brand.bankId}`;
  const provider = new Provider(issuer, {
    adapter: createOidcAdapter(store, brand.bankId, (id) => {
      const metadata = findClient(deps, brand.bankId, id)?.metadata;
      return metadata && id === config.tpp.client_id
        ? { ...metadata, ...provesBy(brand.profile.tokenAuth) }
        : metadata;
    }),
    jwks: { keys: [key.jwk] },
    cookies: {
      keys: [openCookieSecret(store, brand.bankId)],
      names: {
        session: `${brand.bankId}_session`,
        interaction: `${brand.bankId}_interaction`,
        resume: `${brand.bankId}_resume`,
      },
    },
    interactions: {
      policy: alwaysAsk(),
      url: (_ctx, interaction) => `${pages}/interaction/${interaction.uid}`,
    },
    ...PROFILE,
    ...profileOf(brand),
  });
  // The browser must reach the authorization endpoint without a client certificate.
  provider.use(async (ctx, next) => {
    await next();
    if (ctx.path.endsWith('/.well-known/openid-configuration')) {
      Object.assign(ctx.body as object, {
        authorization_endpoint: `${pages}/auth`,
        registration_endpoint: `${issuer}/register`,
      });
    }
    answerAs(brand.profile, ctx as unknown as KoaContextWithOIDC);
  });
  // Its addresses have the scheme by which it is reached: TLS may end in front of us.
  provider.proxy = true;
  return provider;
}

/** Stands for every certificate of our authority. */
const ANY_SUBJECT = '*';

/** Returns how the configured third party proves who it is, at a bank that takes one way alone. */
function provesBy(tokenAuth: Profile['tokenAuth']): object {
  if (tokenAuth === null) return {};
  const isByKey = tokenAuth === 'private_key_jwt';
  return {
    token_endpoint_auth_method: tokenAuth,
    token_endpoint_auth_signing_alg: isByKey ? 'PS256' : undefined,
    tls_client_auth_subject_dn: isByKey ? undefined : ANY_SUBJECT,
  };
}

/** Returns what a bank's profile changes of the provider's configuration. */
function profileOf({ profile }: Brand): Configuration {
  const { tokenAuth, refreshTokens, accessTokenLength } = profile;
  const bits = (length: number): number => length * BITS_OF_A_CHARACTER;
  return {
    ...(tokenAuth && { clientAuthMethods: [tokenAuth] }),
    // The second use of a rotated token ends its whole grant.
    rotateRefreshToken: refreshTokens === 'single_use',
    issueRefreshToken: async () => refreshTokens !== 'none',
    formats: {
      bitsOfOpaqueRandomness: (_ctx, { kind }) =>
        kind === 'AccessToken' ? bits(accessTokenLength) : OPAQUE_BITS,
    },
    ttl: { ...PROFILE.ttl, ...(refreshTokens === 'none' && { AccessToken: NINETY_DAYS }) },
  };
}

/** Changes an answer to what a bank of this profile gives. */
function answerAs(profile: Profile, ctx: KoaContextWithOIDC): void {
  const location = String(ctx.response.get('location'));
  if (profile.returnsIn === 'query' && /#.*state=/.test(location))
    ctx.set('location', location.replace('#', location.includes('?') ? '&' : '?'));
  const body = ctx.body as Record<string, unknown> | null;
  if (!ctx.path.endsWith('/token') || ctx.oidc?.params?.grant_type !== 'refresh_token') return;
  if (!profile.idTokenAtRefresh) delete body?.id_token;
  if (profile.refreshTokens === 'single_use' && body?.error === 'invalid_grant')
    ctx.body = { code: 'bad_request.refresh_token.invalid', message: 'Used, revoked or evicted' };
}

/** Cached per connection: its certificate never changes, and reading it costs more than a database read. */
const certificates = new WeakMap<TLSSocket, Buffer>();

/** Returns the client certificate in DER; null if there is none. */
function certificateOf(socket: TLSSocket): Buffer | null {
  const known = certificates.get(socket);
  if (known !== undefined) return known;
  const raw = socket.getPeerCertificate?.()?.raw;
  if (!raw) return null;
  certificates.set(socket, raw);
  return raw;
}

/** Returns the client certificate's thumbprint that tokens are bound to (`x5t#S256`); null if there is no certificate. */
export function certificateThumbprint(socket: TLSSocket): string | null {
  const certificate = certificateOf(socket);
  return certificate && createHash('sha256').update(certificate).digest('base64url');
}

const PROFILE: Configuration = {
  scopes: ['openid', 'payments'],
  acrValues: [ACR_SCA, ACR_CA],
  claims: { openid: ['sub', ...GRANTED_CLAIMS] },
  responseTypes: ['code id_token'],
  clientAuthMethods: ['private_key_jwt', 'tls_client_auth'],
  enabledJWA: {
    requestObjectSigningAlgValues: ['PS256'],
    idTokenSigningAlgValues: ['PS256'],
    clientAuthSigningAlgValues: ['PS256'],
  },
  features: {
    fapi: { enabled: true, profile: '1.0 Final' },
    claimsParameter: { enabled: true },
    clientCredentials: { enabled: true },
    revocation: { enabled: true },
    requestObjects: { enabled: true, requireSignedRequestObject: true },
    devInteractions: { enabled: false },
    userinfo: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    resourceIndicators: { enabled: false },
    mTLS: {
      enabled: true,
      tlsClientAuth: true,
      certificateBoundAccessTokens: true,
      getCertificate: peerCertificate,
      certificateAuthorized: (ctx) => (ctx.socket as TLSSocket).authorized === true,
      certificateSubjectMatches: (ctx, property, expected) =>
        property === 'tls_client_auth_subject_dn' &&
        (expected === ANY_SUBJECT ||
          isSameSubject(subjectOf(ctx.socket as TLSSocket) ?? '', String(expected))),
    },
  },
  // Signed requests and the nonce protect the hybrid flow; FAPI 1.0 requires PKCE only with PAR.
  pkce: { required: () => false },
  rotateRefreshToken: false,
  issueRefreshToken: async () => true,
  // Collections continue for years after the customer's browser session.
  expiresWithSession: async () => false,
  findAccount: (_ctx, sub) => ({
    accountId: sub,
    claims: (_use, _scope, claims) => claimsOf(sub, claims),
  }),
  // A grant belongs to one consent: it is never looked up through the browser's session.
  loadExistingGrant: async (ctx) => {
    const grantId = ctx.oidc.result?.consent?.grantId;
    return grantId ? ctx.oidc.provider.Grant.find(grantId) : undefined;
  },
  ttl: {
    AccessToken: 10 * MINUTE,
    ClientCredentials: 10 * MINUTE,
    AuthorizationCode: MINUTE,
    IdToken: 5 * MINUTE,
    Interaction: HOUR,
    Session: HOUR,
    Grant: TEN_YEARS,
    RefreshToken: TEN_YEARS,
  },
};

/** Requires a fresh sign-in and a decision for every consent, regardless of the browser's session. */
function alwaysAsk() {
  const policy = interactionPolicy.base();
  policy
    .get('login')
    ?.checks.add(
      new interactionPolicy.Check('sca', 'The customer authenticates for every consent', (ctx) =>
        ctx.oidc.result?.login
          ? interactionPolicy.Check.NO_NEED_TO_PROMPT
          : interactionPolicy.Check.REQUEST_PROMPT,
      ),
    );
  return policy;
}

function claimsOf(sub: string, claims: Record<string, { value?: unknown } | null>) {
  return {
    sub,
    openbanking_intent_id: claims?.openbanking_intent_id?.value,
    [REFRESH_TOKEN_EXPIRY]: Math.floor(realNow().epochMilliseconds / 1000) + TEN_YEARS,
  };
}

/** Returns the subject of the client certificate, such as `CN=a,O=b`. */
export function subjectOf(socket: TLSSocket): string | undefined {
  return socket.getPeerX509Certificate?.()?.subject.replaceAll('\n', ',');
}

function peerCertificate(ctx: KoaContextWithOIDC): string | undefined {
  const certificate = certificateOf(ctx.socket as TLSSocket);
  if (certificate === null) return undefined;
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----`;
}
