import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Type, { type Static } from 'typebox';
import { Fields } from '../../platform/http/schemas/schemas.ts';
import { actorOf } from '../../platform/state/actor.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { realNow } from '../../platform/time/clock.ts';
import { ApiError, invalid, violates } from '../../platform/values/errors.ts';
import { findMerchantName } from '../store.ts';
import type { Invitation } from '../team/invitation-store.ts';
import { acceptInvitation, readInvitation } from '../team/invitations.ts';
import type { SignInDeps } from './deps.ts';
import { reader } from './fields.ts';
import { type Entered, enterWithPassword, isPassword } from './library/bridge.ts';
import { deletePasskeysOf } from './passkeys/passkey-store.ts';
import { wrongPassword } from './settings.ts';
import {
  endSessionsBefore,
  findUserByEmail,
  insertUser,
  setPasswordHash,
  type User,
} from './user-store.ts';

const PLAIN = { schema: { hide: true }, exposeHeadRoute: false } as const;

const Accepted = Fields({
  token: Type.String({ maxLength: 255 }),
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  password: Type.Optional(Type.String({ minLength: 1 })),
});
type Accepted = Static<typeof Accepted>;
const readAccepted = reader(Accepted);

/**
 * Adds the routes of an invitation link: showing the invitation, and accepting it. Whoever holds the link learns nothing of an
 * account with its address: the inviter has it too, and may be a stranger to that account.
 */
export function addInvitationRoutes(scope: FastifyInstance, deps: SignInDeps): void {
  const { platform, limiter } = deps;
  scope.get<{ Querystring: { token?: unknown } }>('/invitation', PLAIN, async (request, reply) => {
    await limiter.address(request, reply);
    const token = String(request.query.token ?? '');
    return platform.db.read(async (tx) => {
      const invitation = await readInvitation(tx, token);
      return {
        email: invitation.email,
        role: invitation.role,
        merchant_name: await findMerchantName(tx, invitation.merchantId),
        expires_at: formatInstant(invitation.expiresAt),
      };
    });
  });
  scope.post('/invitation', PLAIN, async (request, reply) => {
    await limiter.address(request, reply);
    const accepted = readAccepted(request.body);
    const newcomer = readNewcomer(accepted);
    const { invitation, user } = await platform.db.read(async (tx) => {
      const found = await readInvitation(tx, accepted.token);
      return { invitation: found, user: await findUserByEmail(tx, found.email) };
    });
    await limiter.account(request, reply, invitation.email);
    if (user !== null) return joinExistingUser(deps, request, reply, user, accepted);
    if (newcomer === null) return refuseUnknown(deps, accepted);
    return joinWithNewAccount(deps, request, reply, invitation, {
      ...newcomer,
      token: accepted.token,
    });
  });
}

/** Who says that they are new, by giving a name, and what they chose; null: they say that they have an account. */
type Newcomer = { name: string; password: string } | null;

/** Reads what a new user must choose, before it is known whether there is an account: its answer tells nothing of one. */
function readNewcomer({ name = '', password }: Accepted): Newcomer {
  if (name.trim() === '') return null;
  const problem = password === undefined ? 'is required' : wrongPassword(password);
  if (password === undefined || problem !== null) throw invalid({ password: problem ?? '' });
  return { name: name.trim(), password };
}

const notRight = (): ApiError => new ApiError('unauthorized', 'The password is not right.');

/** Refuses somebody who has no account here, after as long as a wrong password takes. */
async function refuseUnknown(deps: SignInDeps, { password = '' }: Accepted): Promise<never> {
  const { password: passwords } = await (await deps.library()).$context;
  await passwords.hash(password);
  throw notRight();
}

/** Creates a new user, who chooses a name and a password. */
async function joinWithNewAccount(
  deps: SignInDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { email }: Invitation,
  { token, name, password }: NonNullable<Newcomer> & { token: string },
): Promise<object> {
  const { platform } = deps;
  const library = await deps.library();
  const hash = await (await library.$context).password.hash(password);
  const now = realNow();
  const user = { userId: platform.ids.next('usr', now), name, email };
  await platform.db
    .transaction(
      async (tx) => {
        await insertUser(tx, user, now);
        await setPasswordHash(tx, user.userId, platform.ids.next('crd', now), hash, now);
        await acceptInvitation(platform, tx, platform.clock.now(), token, user);
      },
      { actor: actorOf(user.userId) },
    )
    .catch((error: unknown) => {
      if (!violates(error, 'users_one_per_email')) throw error;
      throw new ApiError('request_in_progress', 'Somebody is joining with this address just now.');
    });
  await enterWithPassword(library, request, reply, email, password);
  deps.devices.remember(request, reply, email);
  return { email, two_factor: false };
}

/**
 * Accepts an invitation for an existing user, who must enter their password: a session alone may have been handed to them. (An
 * account without a password is opened only by the operator's links; there a session is enough.) Any other access to the account
 * does not extend to the new team: its passkeys are removed, and it is signed out everywhere else.
 */
async function joinExistingUser(
  deps: SignInDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  user: User,
  { token, password }: Accepted,
): Promise<object> {
  const { platform } = deps;
  const startedAt = realNow();
  const session = await deps.who(request.headers);
  const isOwn = session?.userId === user.userId && session.ssoMerchantId === null;
  const own = isOwn ? session : null;
  const entered = await enterAs(deps, request, reply, { user, isSignedIn: own !== null, password });
  if (entered === null) {
    reply.removeHeader('set-cookie');
    throw notRight();
  }
  await platform.db.transaction(
    async (tx) => {
      await acceptInvitation(platform, tx, platform.clock.now(), token, user);
      await deletePasskeysOf(tx, user.userId);
      await endSessionsBefore(tx, user.userId, startedAt, own?.sessionId ?? null);
    },
    { actor: actorOf(user.userId) },
  );
  if (!entered.twoFactor && user.hasPassword) deps.devices.remember(request, reply, user.email);
  return { email: user.email, two_factor: entered.twoFactor };
}

/** Signs the user in with their password. Returns null if they do not prove that the account is theirs. */
async function enterAs(
  deps: SignInDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  who: { user: User; isSignedIn: boolean; password: string | undefined },
): Promise<Entered | null> {
  const { user, isSignedIn, password = '' } = who;
  const isIn = { twoFactor: false };
  if (!user.hasPassword) return isSignedIn ? isIn : null;
  const library = await deps.library();
  if (!isSignedIn) return enterWithPassword(library, request, reply, user.email, password);
  return (await isPassword(library, request, password)) ? isIn : null;
}
