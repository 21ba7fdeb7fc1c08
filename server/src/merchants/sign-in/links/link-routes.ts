import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import type { Tx } from '../../../platform/db/db.ts';
import { acceptOnlyForms } from '../../../platform/http/calls/bodies.ts';
import { Fields } from '../../../platform/http/schemas/schemas.ts';
import { realNow } from '../../../platform/time/clock.ts';
import { lastResetBy, recordLetIn } from '../../../platform/two-people/let-in-store.ts';
import { notFound } from '../../../platform/values/errors.ts';
import { cancelOwnerActions } from '../../team/service.ts';
import { listMemberships } from '../../team/store.ts';
import type { SignInDeps } from '../deps.ts';
import { reader, refuseWeakPassword } from '../fields.ts';
import { enterWithPassword, openSession } from '../library/bridge.ts';
import { deletePasskeysOf } from '../passkeys/passkey-store.ts';
import { SIGN_IN_PATH } from '../settings.ts';
import { endSessions, findUser, setPasswordHash, type User } from '../user-store.ts';
import { sendLinkPage } from './link-page.ts';
import { type ConsumedLink, deletePasswordLinks } from './link-store.ts';
import { redeemLink } from './links.ts';

const PLAIN = { schema: { hide: true }, exposeHeadRoute: false } as const;

const readPassword = reader(
  Fields({ token: Type.String({ maxLength: 255 }), password: Type.String() }),
);

const readForgotten = reader(Fields({ email: Type.String({ maxLength: 254 }) }));

const SIGN_IN_LINK = '/sign-in-link';

/** Adds the routes of links handed to users: `GET` and `POST /sign-in-link`, `POST /password`, `POST /forgotten-password`. */
export function addLinkRoutes(scope: FastifyInstance, deps: SignInDeps): void {
  const { library, limiter, devices } = deps;
  addSignInLink(scope, deps);
  scope.post('/password', PLAIN, async (request, reply) => {
    await limiter.address(request, reply);
    const { token, password } = readPassword(request.body);
    refuseWeakPassword(password);
    const { email } = await setPassword(deps, token, password);
    const entered = await enterWithPassword(await library(), request, reply, email, password);
    if (entered?.twoFactor === false) devices.remember(request, reply, email);
    return { email, two_factor: entered?.twoFactor ?? false };
  });
  scope.post('/forgotten-password', PLAIN, async (request, reply) => {
    await limiter.address(request, reply);
    const { email } = readForgotten(request.body);
    await limiter.account(request, reply, email);
    return { by_email: deps.forgotten.ask(email) };
  });
}

/** Adds the sign-in link. Opening it shows a button, and only the button uses the link up. */
function addSignInLink(scope: FastifyInstance, deps: SignInDeps): void {
  const { platform, library, limiter } = deps;
  const { baseUrl, brand } = platform.config;
  scope.get<{ Querystring: { token?: unknown } }>(SIGN_IN_LINK, PLAIN, (request, reply) =>
    sendLinkPage(reply, {
      action: `${new URL(baseUrl).pathname.replace(/\/+$/, '')}${SIGN_IN_PATH}${SIGN_IN_LINK}`,
      token: String(request.query.token ?? ''),
      brand,
    }),
  );
  void scope.register(async (forms) => {
    await acceptOnlyForms(forms);
    forms.post(SIGN_IN_LINK, PLAIN, async (request, reply) => {
      await limiter.address(request, reply);
      const { token } = Object(request.body) as { token?: unknown };
      const user = await platform.db.transaction(async (tx) => {
        const taken = typeof token === 'string' ? await redeemLink(tx, token, 'sign_in') : null;
        return taken === null ? null : findUser(tx, taken.userId);
      });
      if (user === null) return reply.redirect(`${baseUrl}/dashboard/sign-in?problem=link`, 303);
      await openSession(await library(), request, reply, user.userId);
      return reply.redirect(`${baseUrl}/dashboard`, 303);
    });
  });
}

/**
 * Uses up a link to set a new password. Ends every session of the user and removes their passkeys, so that earlier access ends. A
 * second factor stays, and is required: an owner who hands out a link must not bypass it. Throws 404 `not_found`.
 */
async function setPassword(deps: SignInDeps, token: string, password: string): Promise<User> {
  const { platform } = deps;
  const { password: passwords } = await (await deps.library()).$context;
  const hash = await passwords.hash(password);
  return platform.db.transaction(async (tx) => {
    const now = realNow();
    const taken = await redeemLink(tx, token, 'set_password');
    const user = taken === null ? null : await findUser(tx, taken.userId);
    if (taken === null || user === null) throw notFound('link, or it does not work any more');
    await setPasswordHash(tx, user.userId, platform.ids.next('crd', now), hash, now);
    await deletePasswordLinks(tx, user.userId);
    await endSessions(tx, user.userId);
    await deletePasskeysOf(tx, user.userId);
    await becomeNewcomer(platform, tx, taken);
    return user;
  });
}

const BY_EMAIL = 'email';

/**
 * Records who let a user in with a link that sets a password: the owner who made it, whoever reads their mail, or the operator
 * who reset the account. They are a newcomer from now on, and what they asked for before ends: somebody else may be them. The
 * first link of a new account counts for nothing, because it came with the account.
 */
async function becomeNewcomer(
  platform: SignInDeps['platform'],
  tx: Tx,
  { userId, madeBy, byEmail }: ConsumedLink,
): Promise<void> {
  const byId = madeBy ?? (byEmail ? BY_EMAIL : await lastResetBy(tx, userId));
  if (byId === null) return;
  const now = platform.clock.now();
  await recordLetIn(tx, { personId: userId, byId, how: 'password', merchantId: null, at: now });
  for (const { merchantId } of await listMemberships(tx, userId))
    await cancelOwnerActions(platform, { tx, now, merchantId, actorId: byId }, userId);
}
