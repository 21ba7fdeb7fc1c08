import type { FastifyInstance } from 'fastify';
import { reader } from '../../merchants/sign-in/fields.ts';
import { sessionsInWords } from '../../merchants/team/access.ts';
import { changeAccess } from '../../merchants/team/access-service.ts';
import { findAccessRules } from '../../merchants/team/access-store.ts';
import { refuseNewcomer } from '../../merchants/team/person.ts';
import { listMembers } from '../../merchants/team/store.ts';
import { type Route, route } from '../../platform/http/calls/route.ts';
import type { AskedBy } from '../../platform/platform.ts';
import type { Guards } from '../gate.ts';
import { addProved, type ProvedDeps } from '../proved.ts';
import { AccessView, NewAccess } from './view.ts';

const PATH = '/api/team/access';
const readNew = reader(NewAccess);

async function show({ tx, merchantId, actorId }: AskedBy): Promise<AccessView> {
  const rules = await findAccessRules(tx, merchantId);
  const members = await listMembers(tx, merchantId);
  return {
    requires_second_factor: rules.requiresSecondFactor,
    session_idle_minutes: rules.sessionIdleMinutes,
    session_longest_minutes: rules.sessionLongestMinutes,
    sessions_in_words: sessionsInWords(rules),
    has_second_factor: members.some((one) => one.userId === actorId && one.twoFactor),
    members_without_second_factor: members.filter((one) => !one.twoFactor).length,
  };
}

/** Returns the route that shows how the members of a team sign in. */
export function accessRoutes(): Route[] {
  return [
    route({
      method: 'GET',
      path: PATH,
      summary: 'Get how the members of the team sign in',
      tag: 'Team',
      operationId: 'getAccess',
      scope: null,
      permission: 'manage_team',
      response: AccessView,
      handle: show,
    }),
  ];
}

/** Adds the route that changes it: a session, which may be stolen, is not enough. */
export function addAccessChange(app: FastifyInstance, deps: ProvedDeps, guards: Guards): void {
  addProved(app, deps, guards, {
    method: 'PUT',
    path: PATH,
    operationId: 'changeAccess',
    permission: 'manage_team',
    read: readNew,
    change: async (asked, body) => {
      await refuseNewcomer(asked);
      await changeAccess(asked, {
        requiresSecondFactor: body.requires_second_factor,
        sessionIdleMinutes: body.session_idle_minutes,
        sessionLongestMinutes: body.session_longest_minutes,
      });
      return show(asked);
    },
  });
}
