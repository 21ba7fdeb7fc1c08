import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { addWebApp } from '../../dashboard/pages.ts';
import { reader } from '../../merchants/sign-in/fields.ts';
import { refuseElsewhere } from '../../platform/http/calls/auth.ts';
import { acceptOnlyJson } from '../../platform/http/calls/bodies.ts';
import { isFromOurPages } from '../../platform/http/calls/origin.ts';
import { addRateLimits } from '../../platform/http/calls/rate-limit.ts';
import { forbidCaching } from '../../platform/http/mount.ts';
import { Fields } from '../../platform/http/schemas/schemas.ts';
import type { Platform } from '../../platform/platform.ts';
import { ApiError } from '../../platform/values/errors.ts';
import { findKey, operatorAuthenticator } from '../access/authenticate.ts';
import { modeOfOperatorKey } from '../access/books/operator-key.ts';
import type { ConsoleSession } from './session.ts';
import { addConsoleSso } from './sso.ts';

const PATH = '/console';
const readKey = reader(Fields({ key: Type.String({ minLength: 1, maxLength: 255 }) }));
const readNothing = reader(Fields({}));

/**
 * Adds the operators' console: the web app, and the session in which it calls the operators' API. `GET /console/session` says how
 * one signs in.
 */
export async function addConsole(
  app: FastifyInstance,
  platform: Platform,
  session: ConsoleSession,
): Promise<void> {
  const authenticate = operatorAuthenticator(platform);
  app.get('/', async (_request, reply) => reply.redirect(PATH, 302));
  const { sso, byKey } = platform.config.consoleSignIn;
  await app.register(async (scope) => {
    await addRateLimits(scope, platform);
    forbidCaching(scope);
    scope.get(`${PATH}/session`, async () => ({ sso: sso !== null, key: byKey }));
    if (sso !== null) addConsoleSso(scope, platform, session, sso);
  });
  await app.register(async (scope) => {
    await addRateLimits(scope, platform);
    acceptOnlyJson(scope);
    forbidCaching(scope);
    scope.addHook('onRequest', async (request) => {
      if (!isFromOurPages(request)) throw new ApiError('forbidden', 'Sent from another website.');
    });
    scope.post(`${PATH}/session`, async (request, reply) => {
      if (!byKey) throw new ApiError('forbidden', 'Sign in with your company’s account.');
      const key = readKey(request.body).key.trim();
      const lookUp = scope.rateLimits.lookUp(request, reply);
      const isKey = modeOfOperatorKey(key) !== null;
      const caller = isKey ? await authenticate(key, lookUp, request.ip) : null;
      const found = caller === null ? null : await findKey(platform, key);
      if (caller === null || found === null)
        throw new ApiError('unauthorized', 'This key is not valid.');
      refuseElsewhere(caller);
      await session.begin(request, reply, found.operator.operatorId, { keyId: found.keyId });
      return { name: caller.actorId };
    });
    scope.delete(`${PATH}/session`, async (request, reply) => {
      readNothing(request.body);
      await session.end(request, reply);
      return { ended: true };
    });
  });
  await addWebApp(app, {
    page: 'console.html',
    path: PATH,
    base: '',
    brand: platform.config.brand,
    notPages: /^\/console\/(session|sso|assets)\b/,
  });
}
