import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Type, { type TProperties } from 'typebox';
import { Fields } from '../../../platform/http/schemas/schemas.ts';
import type { SignInDeps } from '../deps.ts';
import { reader } from '../fields.ts';
import { askSecondFactor } from '../second-factor.ts';
import { isPassword, passOn } from './bridge.ts';

/** An endpoint of the library that the dashboard may call. */
interface Passed {
  /** The fields that are passed on, once their types are checked; any other is refused. */
  fields: TProperties;
  /** Fields that the caller cannot choose. */
  fixed?: Readonly<Record<string, unknown>>;
  /** It accepts a secret that might be guessed. */
  guessable?: boolean;
  /** It opens a session with the account's own password or code, so the browser is known from then on. */
  opens?: boolean;
  /** It weakens the second factor, so it requires it (`code`): a password alone must not bypass it. */
  weakens?: boolean;
}

const Name = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' });
/** The library says in its own words which field is missing, or is too short. */
const Text = Type.Optional(Type.String({ maxLength: 1000 }));
const Switch = Type.Optional(Type.Boolean());
/** The code is ours to check, and is not passed on. */
const WEAKENING = { password: Text, code: Text };
const SESSION_ROUTES = ['/get-session', '/list-sessions'] as const;

/** The only endpoints of the library that can be reached: no sign-up, no social sign-in, no deletion of users. */
const ALLOWED_ENDPOINTS: Readonly<Record<string, Passed>> = {
  '/sign-in/email': {
    fields: { email: Text, password: Text, rememberMe: Switch },
    guessable: true,
    opens: true,
  },
  '/sign-out': { fields: {} },
  '/revoke-session': { fields: { token: Text } },
  '/revoke-sessions': { fields: {} },
  '/revoke-other-sessions': { fields: {} },
  '/update-user': { fields: { name: Name } },
  '/change-password': {
    fields: { currentPassword: Text, newPassword: Text, revokeOtherSessions: Switch },
    fixed: { revokeOtherSessions: true },
    guessable: true,
  },
  '/two-factor/enable': { fields: { password: Text }, guessable: true },
  '/two-factor/disable': { fields: WEAKENING, guessable: true, weakens: true },
  '/two-factor/generate-backup-codes': {
    fields: WEAKENING,
    guessable: true,
    weakens: true,
  },
  '/two-factor/verify-totp': { fields: { code: Text }, guessable: true, opens: true },
  '/two-factor/verify-backup-code': { fields: { code: Text }, guessable: true, opens: true },
};

/** Adds the library's endpoints, with its own responses. */
export function addLibraryRoutes(scope: FastifyInstance, deps: SignInDeps): void {
  const { devices } = deps;
  for (const path of SESSION_ROUTES)
    scope.get(path, { schema: { hide: true } }, async (request, reply) =>
      passOn(deps, request, reply, null),
    );
  for (const [path, passed] of Object.entries(ALLOWED_ENDPOINTS)) {
    const read = reader(Fields(passed.fields));
    scope.post(path, { schema: { hide: true } }, async (request, reply) => {
      const { code, ...given } = read(request.body) as Record<string, unknown>;
      if (passed.guessable === true) await countTry(deps, given, request, reply);
      if (passed.weakens === true) await askForFactor(deps, request, given.password, code);
      const passedOn = passed.weakens === true || code === undefined ? given : { ...given, code };
      const body = { ...passedOn, ...passed.fixed };
      const entered = (email: string): void => {
        if (passed.opens === true) devices.remember(request, reply, email);
      };
      return passOn(deps, request, reply, body, entered);
    });
  }
}

/**
 * Checks the second factor only if the password is right, so that a wrong password never uses up a code. The library checks the
 * password.
 */
async function askForFactor(
  deps: SignInDeps,
  request: FastifyRequest,
  password: unknown,
  code: unknown,
): Promise<void> {
  const user = await deps.who(request.headers);
  if (user === null) return; // the library refuses
  if (!(await isPassword(await deps.library(), request, String(password ?? '')))) return;
  await askSecondFactor(deps, request, user, typeof code === 'string' ? code : undefined);
}

/** Counts a try against the account it signs in to, else against the session, else against the address. */
async function countTry(
  { limiter, who }: SignInDeps,
  { email }: Record<string, unknown>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (typeof email === 'string') return limiter.signIn(request, reply, email);
  const user = await who(request.headers);
  if (user !== null) return limiter.session(request, reply, user.sessionId);
  // A pending second factor: the library counts its tries itself, in the database.
  return limiter.address(request, reply);
}
