import { type Route, routeWithOwnTransactions } from '../../platform/http/calls/route.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { resetSandbox } from '../reset.ts';
import { ClockView, NEVER_MOVED } from './clock-routes.ts';
import type { SandboxDeps } from './deps.ts';

/** Returns the route that resets the whole sandbox. */
export function resetRoutes(deps: SandboxDeps): Route[] {
  const { clock, engine, partners, platform } = deps;
  return [
    routeWithOwnTransactions({
      method: 'POST',
      path: '/sandbox/reset',
      summary: 'Reset the sandbox',
      description:
        'Schedules, customers, payments, settlements, wallets, events and logs of every merchant of this sandbox are gone, ' +
        'at the sandbox’s banks and e-money issuer too, and the clock is back at real time. ' +
        'Merchants, teams, API keys and webhook endpoints stay.',
      tag: 'Sandbox',
      operationId: 'resetSandbox',
      scope: null,
      permission: 'use_sandbox',
      proof: 'never',
      response: ClockView,
      errors: ['clock_busy'],
      handle: async () => {
        const now = await resetSandbox({ platform, clock, engine, control: partners.control });
        void deps.look?.();
        return { ...NEVER_MOVED, now: formatInstant(now) };
      },
    }),
  ];
}
