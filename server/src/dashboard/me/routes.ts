import { permissionsOf } from '../../merchants/role.ts';
import { readMerchant } from '../../merchants/service.ts';
import { findMember, listMembershipsOfMember } from '../../merchants/team/store.ts';
import { VERSION } from '../../platform/config/config.ts';
import { type Route, route } from '../../platform/http/calls/route.ts';
import type { Platform } from '../../platform/platform.ts';
import { archivedBefore } from '../../platform/retention/archived-store.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { orNotFound } from '../../platform/values/errors.ts';
import { showPulse } from '../pulse.ts';
import { MeView } from './view.ts';

/** Returns the route that shows who is signed in, for which merchant, and with which permissions. */
export function meRoutes({ platform }: { platform: Platform }): Route[] {
  const { mode, baseUrl, requestLog } = platform.config;
  return [
    route({
      method: 'GET',
      path: '/api/me',
      summary: 'Get who is signed in',
      tag: 'Me',
      operationId: 'getMe',
      scope: null,
      permission: 'read',
      response: MeView,
      errors: ['not_found'],
      handle: async (call) => {
        const { tx, merchantId, actorId } = call;
        const member = orNotFound(await findMember(tx, merchantId, actorId), 'member');
        const { userId, name, email, role, twoFactor } = member;
        const merchant = await readMerchant(platform, tx, merchantId);
        const memberships = await listMembershipsOfMember(tx, merchantId, userId);
        const usesSso = call.usesSso === true;
        return {
          user: { id: userId, name, email, two_factor: twoFactor },
          merchant: {
            id: merchantId,
            name: merchant.name,
            role,
            permissions: [...permissionsOf(role)],
            time_zone: merchant.timeZone,
          },
          merchants: memberships
            .filter((m) => !usesSso || m.merchantId === merchantId)
            .map((m) => ({ id: m.merchantId, name: m.merchantName, role: m.role })),
          uses_sso: usesSso,
          mode,
          base_url: baseUrl,
          request_log: requestLog,
          version: VERSION,
          archived_before: formatInstant(await archivedBefore(tx)),
          pulse: await showPulse(call),
        };
      },
    }),
  ];
}
