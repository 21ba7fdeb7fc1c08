import type { FastifyInstance, FastifyRequest } from 'fastify';
import { formatInstant } from '../../../platform/time/calendar.ts';
import { ApiError, notFound } from '../../../platform/values/errors.ts';
import type { SignedIn, SignInDeps } from '../deps.ts';
import { reader } from '../fields.ts';
import { openSession } from '../library/bridge.ts';
import { askPassword } from '../password-question.ts';
import { askSecondFactor } from '../second-factor.ts';
import { type Challenges, makeChallenges } from './challenges.ts';
import {
  DeletedPasskey,
  NewPasskey,
  PasskeyOptions,
  RenamedPasskey,
  UsedPasskey,
} from './passkey-answers.ts';
import { deletePasskey, listPasskeys, type Passkey, renamePasskey } from './passkey-store.ts';

const PLAIN = { schema: { hide: true }, exposeHeadRoute: false } as const;
const DEFAULT_NAME = 'Passkey';

const readAsked = reader(PasskeyOptions);
const readNew = reader(NewPasskey);
const readUsed = reader(UsedPasskey);
const readDeleted = reader(DeletedPasskey);
const readRenamed = reader(RenamedPasskey);

/** Adds the routes of passkeys: creating and removing them, for signed-in users who prove their identity, and signing in. */
export function addPasskeyRoutes(scope: FastifyInstance, deps: SignInDeps): void {
  const challenges = makeChallenges(deps.platform);
  addRegistration(scope, deps, challenges);
  addSigningIn(scope, deps, challenges);
  addManagement(scope, deps);
}

/** Loads the library of the ceremonies when the first passkey is used. */
async function ceremonies() {
  return await import('./passkeys.ts');
}

async function signedIn(deps: SignInDeps, request: FastifyRequest): Promise<SignedIn> {
  const user = await deps.who(request.headers);
  if (user === null) throw new ApiError('unauthorized', 'Sign in to the dashboard.');
  return user;
}

function addRegistration(scope: FastifyInstance, deps: SignInDeps, challenges: Challenges): void {
  const { db, config } = deps.platform;
  // The challenge is given only after the proof of identity: without a challenge, no passkey can be added.
  scope.post('/passkey/generate-register-options', PLAIN, async (request, reply) => {
    const user = await signedIn(deps, request);
    const { password, code } = readAsked(request.body);
    await askPassword(deps, request, reply, user, password);
    await askSecondFactor(deps, request, user, code); // it signs in without one from then on
    const known = await db.read((tx) => listPasskeys(tx, user.userId));
    const options = await (await ceremonies()).registrationOptions(config, user, known);
    await challenges.keep(reply, user, options.challenge);
    return options;
  });
  scope.post('/passkey/verify-registration', PLAIN, async (request, reply) => {
    await deps.limiter.address(request, reply);
    const { userId } = await signedIn(deps, request);
    const { response, name = DEFAULT_NAME } = readNew(request.body);
    const challenge = await challenges.take(request, { userId });
    const { addPasskey } = await ceremonies();
    const answer = { response, name };
    return viewPasskey(
      await db.transaction((tx) => addPasskey(config, tx, userId, challenge, answer)),
    );
  });
}

function addSigningIn(scope: FastifyInstance, deps: SignInDeps, challenges: Challenges): void {
  const { db, config } = deps.platform;
  scope.get('/passkey/generate-authenticate-options', PLAIN, async (request, reply) => {
    await deps.limiter.address(request, reply);
    const options = await (await ceremonies()).authenticationOptions(config);
    await challenges.keep(reply, 'sign_in', options.challenge);
    return options;
  });
  scope.post('/passkey/verify-authentication', PLAIN, async (request, reply) => {
    await deps.limiter.address(request, reply);
    const { response } = readUsed(request.body);
    const challenge = await challenges.take(request, 'sign_in');
    const { checkPasskey } = await ceremonies();
    const user = await db.transaction((tx) => checkPasskey(config, tx, challenge, response));
    await openSession(await deps.library(), request, reply, user.userId);
    deps.devices.remember(request, reply, user.email);
    return { email: user.email };
  });
}

function addManagement(scope: FastifyInstance, deps: SignInDeps): void {
  const { db } = deps.platform;
  scope.get('/passkey/list-user-passkeys', PLAIN, async (request) => {
    const { userId } = await signedIn(deps, request);
    const passkeys = await db.read((tx) => listPasskeys(tx, userId));
    return { data: passkeys.map(viewPasskey) };
  });
  scope.post('/passkey/update-passkey', PLAIN, async (request) => {
    const { userId } = await signedIn(deps, request);
    const { id, name } = readRenamed(request.body);
    if (!(await db.transaction((tx) => renamePasskey(tx, userId, id, name))))
      throw notFound('passkey');
    return { id, name };
  });
  scope.post('/passkey/delete-passkey', PLAIN, async (request, reply) => {
    const user = await signedIn(deps, request);
    const { id, password } = readDeleted(request.body);
    await askPassword(deps, request, reply, user, password);
    if (!(await db.transaction((tx) => deletePasskey(tx, user.userId, id))))
      throw notFound('passkey');
    return { id, deleted: true };
  });
}

function viewPasskey(p: Passkey): object {
  return {
    id: p.credentialId,
    name: p.name,
    backed_up: p.backedUp,
    created_at: formatInstant(p.createdAt),
    last_used_at: formatInstant(p.lastUsedAt),
  };
}
