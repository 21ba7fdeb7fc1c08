import { channelsOf } from '../../customers/reach.ts';
import type { Asked } from '../../platform/platform.ts';
import { ApiError } from '../../platform/values/errors.ts';
import { type LinkSent, remind } from '../../schedules/change/send-link.ts';
import { requireSchedule, type ScheduleDeps } from '../../schedules/change/service.ts';
import type { Reminded } from './view.ts';

/**
 * Sends the customer the link to the consent that waits for them, once a day at most: docs/rules/notices.md#reminders. Throws
 * 404, 409 `consent_decided`, 409 `customer_without_email`, 409 `reminded_already`.
 */
export async function remindCustomer(
  { platform }: ScheduleDeps,
  asked: Asked,
  scheduleId: string,
): Promise<Reminded> {
  const schedule = await requireSchedule(asked.tx, asked.merchantId, scheduleId);
  const outcome = await remind(platform, asked, schedule);
  const { hasEmail, hasTexts } = channelsOf(platform.config);
  if (outcome !== 'by_email' && outcome !== 'by_text') throw refusalOf(outcome, hasTexts);
  const isByText = outcome === 'by_text';
  return { is_sent: isByText || hasEmail, by: isByText ? 'text' : 'email' };
}

function refusalOf(why: Exclude<LinkSent, 'by_email' | 'by_text'>, hasTexts: boolean): ApiError {
  switch (why) {
    case 'nothing_waits':
      return new ApiError('consent_decided', 'No consent of this schedule waits for the customer.');
    case 'unreachable':
      return new ApiError(
        'customer_without_email',
        `This customer has no email address${hasTexts ? ' and no mobile number' : ''}. Add an email address, or send them the consent link yourself.`,
      );
    case 'already':
      return new ApiError(
        'reminded_already',
        'The customer was sent this link today. You can remind them again tomorrow.',
      );
  }
}
