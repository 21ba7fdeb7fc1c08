import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { invalid } from '../../platform/errors.ts';
import { unstorable } from '../../platform/http/fields.ts';
import { Fields } from '../../platform/http/schemas.ts';
import { isPassword, passOn } from './bridge.ts';
import type { SignInDeps } from './deps.ts';
import { reader } from './fields.ts';
import { askSecondFactor } from './second-factor.ts';

/** An endpoint of the library that the dashboard may call. */
interface Passed {
  /** The fields that are passed on; all others are dropped. */
  fields: readonly string[];
  /** Fields that the caller cannot choose. */
  fixed?: Readonly<Record<string, unknown>>;
  /** Throws 400 for fields that the library would store unchecked. */
  check?: (fields: object) => unknown;
  /** It accepts a secret that might be guessed. */
  guessable?: boolean;
  /** It opens a session with the account's own password or code, so the browser is known from then on. */
  opens?: boolean;
  /** It weakens the second factor, so it requires it (`code`): a password alone must not bypass it. */
  weakens?: boolean;
}

const Name = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' });
const ASKED = ['/get-session', '/list-sessions'] as const;

/** The only endpoints of the library that can be reached: no sign-up, no social sign-in, no deletion of users. */
const DONE: Readonly<Record<string, Passed>> = {
  '/sign-in/email': { fields: ['email', 'password', 'rememberMe'], guessable: true, opens: true },
  '/sign-out': { fields: [] },
  '/revoke-session': { fields: ['token'] },
  '/revoke-sessions': { fields: [] },
  '/revoke-other-sessions': { fields: [] },
  '/update-user': { fields: ['name'], check: reader(Fields({ name: Name })) },
  '/change-password': {
    fields: ['currentPassword', 'newPassword'],
    fixed: { revokeOtherSessions: true },
    guessable: true,
  },
  '/two-factor/enable': { fields: ['password'], guessable: true },
  '/two-factor/disable': { fields: ['password'], guessable: true, weakens: true },
  '/two-factor/generate-backup-codes': {
    fields: ['password'],
    guessable: true,
    weakens: true,
  },
  '/two-factor/verify-totp': { fields: ['code'], guessable: true, opens: true },
  '/two-factor/verify-backup-code': { fields: ['code'], guessable: true, opens: true },
};

/** Adds the library's endpoints, with its own responses. */
export function addLibraryRoutes(scope: FastifyInstance, deps: SignInDeps): void {
  const { devices } = deps;
  for (const path of ASKED)
    scope.get(path, { schema: { hide: true } }, async (request, reply) =>
      passOn(deps, request, reply, null),
    );
  for (const [path, passed] of Object.entries(DONE))
    scope.post(path, { schema: { hide: true } }, async (request, reply) => {
      if (passed.guessable === true) await countTry(deps, passed, request, reply);
      const given = chosen(request.body, passed.fields);
      const unfit = unstorable(given);
      if (Object.keys(unfit).length > 0) throw invalid(unfit);
      passed.check?.(given);
      if (passed.weakens === true) await askForFactor(deps, request);
      const body = { ...given, ...passed.fixed };
      const entered = (email: string): void => {
        if (passed.opens === true) devices.remember(request, reply, email);
      };
      return passOn(deps, request, reply, body, entered);
    });
}

/**
 * Checks the second factor only if the password is right, so that a wrong password never uses up a code. The library checks the
 * password.
 */
async function askForFactor(deps: SignInDeps, request: FastifyRequest): Promise<void> {
  const user = await deps.who(request.headers);
  if (user === null) return; // the library refuses
  const { password, code } = chosen(request.body, ['password', 'code']);
  if (!(await isPassword(await deps.library(), request, String(password ?? '')))) return;
  await askSecondFactor(deps, request, user, typeof code === 'string' ? code : undefined);
}

/** Counts a try against the account it signs in to, else against the session, else against the address. */
async function countTry(
  deps: SignInDeps,
  { fields }: Passed,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { limiter, who } = deps;
  const { email } = chosen(request.body, fields);
  if (typeof email === 'string') return limiter.signIn(request, reply, email);
  const user = await who(request.headers);
  if (user !== null) return limiter.session(request, reply, user.sessionId);
  // A pending second factor: the library counts its tries itself, in the database.
  return limiter.address(request, reply);
}

function chosen(body: unknown, fields: readonly string[]): Record<string, unknown> {
  const given = Object.entries(Object(body) as object);
  return Object.fromEntries(given.filter(([name]) => fields.includes(name)));
}
