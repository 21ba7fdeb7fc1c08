import type { BetterAuthPlugin } from 'better-auth';
import { createAuthEndpoint, createAuthMiddleware } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';

/** What a change of the second factor answers on; a session that was open before ends with it. */
const CHANGES_FACTORS = new Set(['/two-factor/verify-totp', '/two-factor/disable']);

/** Opens a session for somebody who has shown who they are by other means: a link, a passkey. Not had over HTTP. */
const openSession = createAuthEndpoint.serverOnly(
  { method: 'POST', metadata: { $Infer: { body: {} as { userId: string } } } },
  async (ctx) => {
    const { internalAdapter } = ctx.context;
    const user = await internalAdapter.findUserById(ctx.body.userId);
    if (user === null) throw ctx.error('NOT_FOUND');
    const session = await internalAdapter.createSession(user.id);
    await setSessionCookie(ctx, { session, user });
    return ctx.json({ email: user.email });
  },
);

/** Who turns a second factor on or off stays signed in here and nowhere else. */
const endOtherSessions = createAuthMiddleware(async (ctx) => {
  const { session: before, newSession: now, internalAdapter } = ctx.context;
  if (!before || !now || before.session.token === now.session.token) return;
  const sessions = await internalAdapter.listSessions(now.user.id);
  const others = sessions.map(({ token }) => token).filter((token) => token !== now.session.token);
  if (others.length > 0) await internalAdapter.deleteSessions(others);
});

/** What we add to the library. */
export const recollectPlugin = {
  id: 'recollect',
  endpoints: { openSession },
  hooks: {
    after: [{ matcher: ({ path }) => CHANGES_FACTORS.has(path ?? ''), handler: endOtherSessions }],
  },
} satisfies BetterAuthPlugin;
