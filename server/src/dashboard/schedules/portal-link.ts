import type { Asked } from '../../platform/platform.ts';
import { recordChanges } from '../../platform/state/audit-trail.ts';
import { notFound } from '../../platform/values/errors.ts';
import { requireSchedule, type ScheduleDeps } from '../../schedules/change/service.ts';
import { viewSchedule } from '../../schedules/change/view.ts';
import type { PortalLink } from './view.ts';

/**
 * Returns the link to the customer's page, for a member to pass on, and records that they got it: whoever has the link can stop
 * the payments. Throws 404 for an unknown schedule, or one whose consent was never granted.
 */
export async function givePortalLink(
  deps: ScheduleDeps,
  asked: Asked,
  scheduleId: string,
): Promise<PortalLink> {
  const { tx, now, merchantId } = asked;
  await requireSchedule(tx, merchantId, scheduleId);
  const shown = await viewSchedule(deps, asked, scheduleId);
  if (shown?.portal_url === undefined) throw notFound('page of a customer');
  const reason = 'in the dashboard';
  await recordChanges(tx, now, [
    { merchantId, objectId: scheduleId, scheduleId, from: null, to: 'link_copied', reason },
  ]);
  return { url: shown.portal_url };
}
