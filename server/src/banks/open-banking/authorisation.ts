import { randomUUID } from 'node:crypto';
import { decodeJwt, type JWTPayload } from 'jose';
import * as oidc from 'openid-client';
import {
  AuthorisationDenied,
  AuthorisationInvalid,
  type Bank,
  BankRefused,
  BankUnavailable,
  type Grant,
} from '../bank.ts';
import { endsSoon, expiryOf } from '../tokens.ts';
import { failToken, type Now, type OAuthClient, unavailable } from './client.ts';
import { tokenEnded } from './outcomes.ts';
import { signJwt } from './signer.ts';

/** How long the customer's browser may take to deliver the request to the bank; the standard allows an hour. */
const REQUEST_LIFETIME_S = 10 * 60;
/** How long ago a token may have been issued. */
const MAX_AGE_S = 3600;
const INTENT = 'openbanking_intent_id';
const ACR_VALUES = ['urn:openbanking:psd2:sca', 'urn:openbanking:psd2:ca'];

type UrlInput = Parameters<Bank['authorisationUrl']>[0];
type ReturnInput = Parameters<Bank['completeAuthorisation']>[0];

/**
 * Builds the authorisation request: the hybrid flow with a signed request object (FAPI 1.0 Advanced). The nonce, and the hashes
 * of code and state in the signed response, bind the response to this request and this browser, so PKCE is not needed.
 */
export async function authorisationUrl(oauth: OAuthClient, now: Now, i: UrlInput): Promise<string> {
  const configuration = await oauth.configuration();
  const { client_id: clientId } = configuration.clientMetadata();
  const issuedAt = Math.floor(now().epochMilliseconds / 1000);
  const claims = {
    redirect_uri: i.redirectUri,
    scope: 'openid payments',
    state: i.state,
    nonce: i.nonce,
    claims: {
      id_token: {
        [INTENT]: { value: i.bankConsentId, essential: true },
        acr: { essential: true, values: ACR_VALUES },
      },
    },
    response_type: 'code id_token',
    client_id: clientId,
    iss: clientId,
    aud: oauth.requestAudience ?? configuration.serverMetadata().issuer,
    jti: randomUUID(),
    iat: issuedAt,
    nbf: issuedAt,
    exp: issuedAt + REQUEST_LIFETIME_S,
  };
  const request = await signJwt(oauth.signing, { typ: 'oauth-authz-req+jwt' }, claims);
  return oidc.buildAuthorizationUrl(configuration, { request }).href;
}

/**
 * Verifies what the browser brought back, and exchanges the code. The claims of the fragment's token are checked first, so that a
 * mix-up does not use up the code; they are trusted only once the library has verified the signature.
 */
export async function completeAuthorisation(
  oauth: OAuthClient,
  now: Now,
  i: ReturnInput,
): Promise<Grant> {
  const configuration = await oauth.configuration();
  const { client_id: clientId } = configuration.clientMetadata();
  const expected = { clientId, bankConsentId: i.bankConsentId };
  const idToken = new URLSearchParams(i.fragment).get('id_token');
  const front = claimsOf(idToken);
  if (idToken !== null) checkClaims(front, expected, now());
  const url = new URL(i.redirectUri);
  url.hash = i.fragment;
  const tokens = await oidc
    .authorizationCodeGrant(configuration, url, {
      expectedState: i.state,
      expectedNonce: i.nonce,
      idTokenExpected: true,
    })
    .catch(failAuthorisation);
  const back: JWTPayload = tokens.claims() ?? {};
  checkClaims(back, expected, now());
  if (front.sub !== back.sub) throw new AuthorisationInvalid('two different customers');
  return grantOf(oauth, tokens, null, now());
}

/**
 * Checks what the library does not check in both tokens: that they are for us alone, that they are fresh, and which consent they
 * concern. Not `acr`, which some banks do not report as asked: they authenticate the customer by their own duty.
 */
function checkClaims(
  claims: JWTPayload,
  expected: { clientId: string; bankConsentId: string },
  now: Temporal.Instant,
): void {
  // We do not trust a second audience, whoever the authorised party is.
  const audiences = [claims.aud ?? []].flat();
  if (audiences.some((audience) => audience !== expected.clientId)) {
    throw new AuthorisationInvalid('the answer is meant for somebody else');
  }
  if (claims.azp !== undefined && claims.azp !== expected.clientId) {
    throw new AuthorisationInvalid('the answer was issued to somebody else');
  }
  if (Number(claims.iat) < now.epochMilliseconds / 1000 - MAX_AGE_S) {
    throw new AuthorisationInvalid('the answer is too old');
  }
  if (claims[INTENT] !== expected.bankConsentId) {
    throw new AuthorisationInvalid('the answer is about another consent');
  }
}

/**
 * See `Bank.refresh`. Tokens that are bound to another certificate than ours of today are renewed too. Some banks give no refresh
 * token: their access token is used to its end, and then only the customer helps.
 */
export async function refreshGrant(
  oauth: OAuthClient,
  now: Now,
  grant: Grant,
  mayRenew: () => Promise<boolean> = async () => true,
): Promise<Grant> {
  const { refreshToken, boundTo } = grant;
  if (boundTo === oauth.certificate && !endsSoon(grant.expiresAt, now())) return grant;
  if (refreshToken === null) throw new BankRefused(tokenEnded('no_refresh_token'));
  const configuration = await oauth.configuration();
  if (!(await mayRenew())) return grant;
  const tokens = await oidc.refreshTokenGrant(configuration, refreshToken).catch(failRefresh);
  return grantOf(oauth, tokens, refreshToken, now());
}

/** The errors of banks that do not use OAuth's own for a refresh token that is used, revoked or evicted. */
const TOKEN_GONE = /refresh_token\.(invalid|evicted)$/;

async function failRefresh(error: unknown): Promise<never> {
  const code = error instanceof oidc.ResponseBodyError ? error.error : await ownCodeOf(error);
  if (code === 'invalid_grant' || TOKEN_GONE.test(code)) throw new BankRefused(tokenEnded(code));
  return failToken(error);
}

/** Returns the code of an error in a body of the bank's own form; empty if there is none. */
async function ownCodeOf(error: unknown): Promise<string> {
  const { cause } = error instanceof oidc.ClientError ? error : {};
  const response = cause instanceof Response && cause.status === 400 ? cause : null;
  const body: unknown = await response?.json().catch(() => null);
  const { code, Code } = (body ?? {}) as { code?: unknown; Code?: unknown };
  return String(Code ?? code ?? '');
}

/** A refresh token that the bank does not replace stays valid. */
function grantOf(
  oauth: OAuthClient,
  tokens: oidc.TokenEndpointResponse,
  refreshToken: string | null,
  now: Temporal.Instant,
): Grant {
  return {
    accessToken: tokens.access_token,
    refreshToken: tokens.refresh_token ?? refreshToken,
    expiresAt: expiryOf(tokens, now),
    boundTo: oauth.certificate,
  };
}

const TRY_AGAIN = ['server_error', 'temporarily_unavailable'];

/**
 * The library checks `state` before it trusts an error in the fragment, so nobody can decline in the customer's name by sending a
 * link.
 */
function failAuthorisation(error: unknown): never {
  if (error instanceof oidc.AuthorizationResponseError) {
    if (error.error === 'access_denied') {
      throw new AuthorisationDenied('the customer refused', { cause: error });
    }
    if (TRY_AGAIN.includes(error.error)) {
      throw new BankUnavailable(`the bank answered ${error.error}`, { cause: error });
    }
    throw new AuthorisationInvalid(`the bank answered ${error.error}`, { cause: error });
  }
  if (isError(error, 'invalid_grant')) {
    throw new AuthorisationInvalid('the code is used, too old or not ours', { cause: error });
  }
  if (error instanceof oidc.ResponseBodyError) return failToken(error);
  const outage = unavailable(error);
  // Not caused by the connection: then a check of the response failed.
  if (outage.cause === error && !isBadAnswer(error)) {
    throw new AuthorisationInvalid('the answer does not hold', { cause: error });
  }
  throw outage;
}

/** Whether the token endpoint returned something other than tokens or an OAuth error: a gateway's page, or a 5xx. */
function isBadAnswer(error: unknown): boolean {
  const code = error instanceof oidc.ClientError ? error.code : undefined;
  return [
    'OAUTH_RESPONSE_IS_NOT_CONFORM',
    'OAUTH_RESPONSE_IS_NOT_JSON',
    'OAUTH_TIMEOUT',
    'OAUTH_ABORT',
  ].includes(code ?? '');
}

function isError(error: unknown, name: string): boolean {
  return error instanceof oidc.ResponseBodyError && error.error === name;
}

function claimsOf(jwt: string | null): JWTPayload {
  try {
    return decodeJwt(jwt ?? '');
  } catch {
    return {};
  }
}
