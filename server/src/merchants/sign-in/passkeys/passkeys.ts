import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import type { Config } from '../../../platform/config/config.ts';
import type { Tx } from '../../../platform/db/db.ts';
import { realNow } from '../../../platform/time/clock.ts';
import { ApiError, invalid } from '../../../platform/values/errors.ts';
import { findUser, type User } from '../user-store.ts';
import type { Assertion, Attestation } from './passkey-answers.ts';
import { insertPasskey, lockPasskey, notePasskeyUse, type Passkey } from './passkey-store.ts';

/**
 * Ed25519, ES256 and RS256: what authenticators offer. Without this list the library would try algorithms that are experimental
 * in this Node.
 */
const ALGORITHMS = [-8, -7, -257];

/** Returns the site that passkeys are for: the name that browsers bind them to, and the origin they are used from. */
function siteOf({ baseUrl }: Config): { rpID: string; origin: string } {
  const { hostname, origin } = new URL(baseUrl);
  return { rpID: hostname, origin };
}

/** Returns the options a browser needs to create a passkey for a user, besides those they have. */
export function registrationOptions(
  config: Config,
  user: { userId: string; name: string; email: string },
  known: readonly Passkey[],
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  return generateRegistrationOptions({
    rpName: config.brand.name,
    rpID: siteOf(config).rpID,
    userName: user.email,
    userDisplayName: user.name,
    userID: new Uint8Array(Buffer.from(user.userId)),
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: known.map((p) => ({ id: p.credentialId, transports: p.transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
  });
}

/** Returns the options a browser needs to sign in with any passkey its owner chooses. */
export function authenticationOptions(
  config: Config,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  return generateAuthenticationOptions({
    rpID: siteOf(config).rpID,
    userVerification: 'preferred',
  });
}

/** Adds a passkey. Throws 400 `invalid_request` if the response does not prove one, or the passkey is already known. */
export async function addPasskey(
  config: Config,
  tx: Tx,
  userId: string,
  challenge: string,
  answer: { response: Attestation; name: string },
): Promise<Passkey> {
  const { rpID, origin } = siteOf(config);
  const { registrationInfo } = await verifyRegistrationResponse({
    response: answer.response,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: false,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => ({ registrationInfo: undefined }));
  if (registrationInfo === undefined) throw invalid({ response: 'does not prove a passkey' });
  const { credential, credentialBackedUp } = registrationInfo;
  const passkey: Passkey = {
    credentialId: credential.id,
    userId,
    name: answer.name,
    publicKey: Buffer.from(credential.publicKey),
    counter: credential.counter,
    transports: [...(credential.transports ?? [])],
    backedUp: credentialBackedUp,
    createdAt: realNow(),
    lastUsedAt: null,
  };
  if (!(await insertPasskey(tx, passkey))) throw invalid({ response: 'is a known passkey' });
  return passkey;
}

/** Returns the user handle that is stored in the authenticator and comes back on sign-in. */
const handleOf = (userId: string): string => Buffer.from(userId).toString('base64url');

const refused = (): ApiError => new ApiError('unauthorized', 'This passkey is not known here.');

/**
 * Returns the user whose passkey has answered the challenge. A passkey that its owner had to unlock counts as two factors; one
 * that was only touched does not replace a user's second factor. Throws 401 `unauthorized`.
 */
export async function checkPasskey(
  config: Config,
  tx: Tx,
  challenge: string,
  response: Assertion,
): Promise<User> {
  const passkey = await lockPasskey(tx, response.id);
  const user = passkey === null ? null : await findUser(tx, passkey.userId);
  if (passkey === null || user === null) throw refused();
  const { userHandle } = response.response;
  if (userHandle !== undefined && userHandle !== handleOf(user.userId)) throw refused();
  const { rpID, origin } = siteOf(config);
  // The library refuses a counter that has not increased: the sign of a copied authenticator.
  const { verified, authenticationInfo: info } = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    credential: {
      id: passkey.credentialId,
      publicKey: new Uint8Array(passkey.publicKey),
      counter: passkey.counter,
    },
    requireUserVerification: user.twoFactor,
  }).catch(() => ({ verified: false, authenticationInfo: null }));
  if (!verified || info === null) throw refused();
  await notePasskeyUse(tx, passkey.credentialId, {
    counter: info.newCounter,
    backedUp: info.credentialBackedUp,
    at: realNow(),
  });
  return user;
}
