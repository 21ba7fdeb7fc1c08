import { recordChanges } from '../../platform/audit-trail.ts';
import { ApiError } from '../../platform/errors.ts';
import type { Asked } from '../../platform/platform.ts';
import { emailConsent } from '../../schedules/email-consent.ts';
import { requireSchedule, type ScheduleDeps } from '../../schedules/service.ts';
import type { Reminded } from './view.ts';

/**
 * Emails the customer the link to the consent that waits for them, once a day at most: docs/rules/notices.md#reminders. Throws
 * 404, 409 `consent_decided`, 409 `customer_without_email`, 409 `reminded_already`.
 */
export async function remindCustomer(
  { platform }: ScheduleDeps,
  asked: Asked,
  scheduleId: string,
): Promise<Reminded> {
  const { tx, now, merchantId } = asked;
  const { status } = await requireSchedule(tx, merchantId, scheduleId);
  const emailed = await emailConsent(platform, asked, scheduleId, true);
  if (emailed !== 'emailed') throw refusalOf(emailed);
  const change = { merchantId, objectId: scheduleId, scheduleId, from: status, to: 'reminded' };
  await recordChanges(tx, now, [{ ...change, reason: 'by email' }]);
  return { is_sent: platform.config.smtpUrl !== null };
}

function refusalOf(why: 'already' | 'no_email' | 'nothing_waits'): ApiError {
  switch (why) {
    case 'nothing_waits':
      return new ApiError('consent_decided', 'No consent of this schedule waits for the customer.');
    case 'no_email':
      return new ApiError(
        'customer_without_email',
        'This customer has no email address. Add one, or send them the consent link yourself.',
      );
    case 'already':
      return new ApiError(
        'reminded_already',
        'The customer was emailed this link today. You can remind them again tomorrow.',
      );
  }
}
