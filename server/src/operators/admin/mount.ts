import type { FastifyInstance } from 'fastify';
import { callerOf } from '../../platform/http/calls/auth.ts';
import type { Transact } from '../../platform/http/calls/own-transactions.ts';
import { addRateLimits, keyGuards } from '../../platform/http/calls/rate-limit.ts';
import { type Guard, mountRoutes } from '../../platform/http/mount.ts';
import { addOpenApi } from '../../platform/http/openapi/openapi.ts';
import type { Platform } from '../../platform/platform.ts';
import { operatorActor } from '../../platform/state/actor.ts';
import { ApiError } from '../../platform/values/errors.ts';
import { operatorAuthenticator } from '../access/authenticate.ts';
import { lacksRole, mayDo, type OperatorRole } from '../access/books/roles.ts';
import { addActivityFile } from '../activity/routes.ts';
import { addPackFile } from '../safeguarding/pack-file.ts';
import { recording } from './recording.ts';
import { ADMIN, type AdminRoute } from './route.ts';

const ABOUT = `The operators' API of Recollect: merchants, banks, and what needs a person's decision.
Amounts are integers in pence, instants are ISO 8601 in UTC. Every change, and every
read of what names a customer, is recorded under the operator's name.`;

/** Returns the transactions of operators: they see every merchant, and name the operator as the actor. */
const ofOperators =
  ({ db }: Platform): Transact =>
  ({ actorId: name }, work, { onlyReads }) =>
    onlyReads ? db.read(work) : db.transaction(work, { actor: operatorActor(name) });

/** A hook that throws 403 `forbidden`, naming the role that the operator lacks. */
const needRole =
  (role: OperatorRole): Guard =>
  async (request) => {
    const { roles = [] } = callerOf(request);
    if (!mayDo(roles, role)) throw new ApiError('forbidden', lacksRole(roles, role));
  };

/** Adds the operators' API, with its document at `/admin/v1/openapi.json`, in a scope of its own. */
export async function addAdmin(
  app: FastifyInstance,
  platform: Platform,
  defined: readonly AdminRoute[],
  {
    checkResponses = false,
    lendKey = async () => undefined,
  }: {
    checkResponses?: boolean;
    /** Runs first: a browser's session may stand in for a key. */
    lendKey?: Guard;
  } = {},
): Promise<void> {
  await app.register(async (scope) => {
    await addRateLimits(scope, platform);
    await addOpenApi(scope, platform, {
      title: 'Recollect: operators',
      about: ABOUT,
      keys: 'An operator’s key: `ro_test_…` in the sandbox, `ro_live_…` live.',
      baseUrl: null,
      webhooks: {},
      tags: {},
      hasExamples: false,
      prefix: ADMIN,
    });
    const routes = defined.map((route) => recording(platform, route));
    const guards = [lendKey, ...keyGuards(operatorAuthenticator(platform))];
    const roleOf = new Map<unknown, OperatorRole>(routes.map((route) => [route, route.role]));
    await mountRoutes(scope, {
      platform,
      routes,
      guards: (route) => [...guards, needRole(roleOf.get(route) ?? 'security')],
      transact: ofOperators(platform),
      documented: true,
      checkResponses,
    });
    addActivityFile(scope, platform, [...guards, needRole('auditor')]);
    addPackFile(scope, platform, [...guards, needRole('support')]);
  });
}
