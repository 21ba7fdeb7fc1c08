import type { BetterAuthPlugin } from 'better-auth';
import { APIError, createAuthEndpoint, createAuthMiddleware } from 'better-auth/api';
import { deleteSessionCookie, setSessionCookie } from 'better-auth/cookies';
import type { Platform } from '../../../platform/platform.ts';
import { useCode } from './used-code-store.ts';

const VERIFY_CODE_PATH = '/two-factor/verify-totp';
/** The endpoints that change the second factor; sessions that were open before end with the change. */
const CHANGES_FACTORS = new Set([VERIFY_CODE_PATH, '/two-factor/disable']);

/**
 * Opens a session for a user who has proved their identity by other means: a link, a passkey, the identity provider of a team
 * (`ssoMerchantId`). Not reachable over HTTP.
 */
const openSession = createAuthEndpoint.serverOnly(
  {
    method: 'POST',
    metadata: { $Infer: { body: {} as { userId: string; ssoMerchantId: string | null } } },
  },
  async (ctx) => {
    const { internalAdapter } = ctx.context;
    const { userId, ssoMerchantId } = ctx.body;
    const user = await internalAdapter.findUserById(userId);
    if (user === null) throw ctx.error('NOT_FOUND');
    const session = await internalAdapter.createSession(userId, false, { ssoMerchantId });
    await setSessionCookie(ctx, { session, user });
    return ctx.json({ email: user.email });
  },
);

/** Ends a user's other sessions when they turn a second factor on or off. */
const endOtherSessions = createAuthMiddleware(async (ctx) => {
  const { session: before, newSession: now, internalAdapter } = ctx.context;
  if (!before || !now || before.session.token === now.session.token) return;
  const sessions = await internalAdapter.listSessions(now.user.id);
  const others = sessions.map(({ token }) => token).filter((token) => token !== now.session.token);
  if (others.length > 0) await internalAdapter.deleteSessions(others);
});

/** Ends a sign-in whose code was used before: the library itself accepts a code repeatedly while it is shown. */
const endReusedCode = (platform: Platform) =>
  createAuthMiddleware(async (ctx) => {
    const { newSession, internalAdapter } = ctx.context;
    if (!newSession || (await useCode(platform, newSession.user.id, String(ctx.body.code)))) return;
    await internalAdapter.deleteSession(newSession.session.token);
    deleteSessionCookie(ctx);
    throw APIError.from('UNAUTHORIZED', {
      code: 'CODE_USED',
      message: 'This code has been used. Wait for the next one.',
    });
  });

/** Our additions to the library. */
export const recollectPlugin = (platform: Platform) =>
  ({
    id: 'recollect',
    endpoints: { openSession },
    hooks: {
      after: [
        { matcher: ({ path }) => path === VERIFY_CODE_PATH, handler: endReusedCode(platform) },
        { matcher: ({ path }) => CHANGES_FACTORS.has(path ?? ''), handler: endOtherSessions },
      ],
    },
  }) satisfies BetterAuthPlugin;
