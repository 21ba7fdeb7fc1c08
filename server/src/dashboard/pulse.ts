import { type Route, route } from '../platform/http/calls/route.ts';
import type { Asked } from '../platform/platform.ts';
import { formatInstant } from '../platform/time/calendar.ts';
import { earlier } from '../platform/values/instants.ts';
import { readPulse } from './pulse-store.ts';
import { PulseView } from './pulse-view.ts';

/** Returns the route that an open page polls every other second: whether to reload, the current time, what is due next. */
export function pulseRoutes(): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/pulse',
      summary: 'Ask whether anything has changed',
      tag: 'Dashboard',
      operationId: 'getPulse',
      scope: null,
      permission: 'read',
      response: PulseView,
      handle: (call) => showPulse(call),
    }),
  ];
}

/** Returns a merchant's pulse. */
export async function showPulse({ tx, now, merchantId }: Asked): Promise<PulseView> {
  const { version, requestsVersion, nextDueAt, nextRetryAt } = await readPulse(tx, merchantId);
  const next = earlier(nextDueAt, nextRetryAt);
  return {
    version,
    requests_version: requestsVersion,
    now: formatInstant(now),
    next_collection_at: formatInstant(next),
  };
}
