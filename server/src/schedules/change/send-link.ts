import { openLink } from '../../consents/service.ts';
import { readerOf } from '../../customers/reach.ts';
import type { Asked, Platform } from '../../platform/platform.ts';
import { recordChanges } from '../../platform/state/audit-trail.ts';
import { isByText } from '../../platform/state/notify.ts';
import { findDetails } from '../books/details-store.ts';
import type { Schedule } from '../terms/schedule.ts';
import { linkNotice } from './link-notice.ts';

/** What came of a wish to send a consent link. `already`: the customer has had it today. */
export type LinkSent = 'by_email' | 'by_text' | 'already' | 'unreachable' | 'nothing_waits';

/**
 * Sends the customer the link to the consent that waits for them, by email or text message. Without `isAsked` only if the
 * merchant has turned such notices on. A repeat on the same day writes nothing.
 */
export async function sendConsentLink(
  platform: Platform,
  { tx, now, merchantId }: Asked,
  scheduleId: string,
  isAsked = false,
): Promise<LinkSent> {
  const shown = await findDetails(tx, merchantId, scheduleId, now);
  if (shown === null || shown.open === null) return 'nothing_waits';
  const reader = readerOf(platform, merchantId, shown.customer);
  if (reader === null) return 'unreachable';
  const { schedule, asked: terms, consented } = shown;
  const { consentId, link: sealed, anotherAccount } = shown.open;
  const link = openLink(platform, merchantId, consentId, sealed);
  const notice = linkNotice(
    { schedule, terms, consented, consentId, link, anotherAccount },
    now,
    isAsked,
  );
  if ((await platform.notify(tx, now, [notice])) === 0) return 'already';
  return isByText(reader) ? 'by_text' : 'by_email';
}

/** Sends the customer the link because a person wants it, and records that in the audit trail if it was sent. */
export async function remind(
  platform: Platform,
  asked: Asked,
  { scheduleId, status }: Pick<Schedule, 'scheduleId' | 'status'>,
): Promise<LinkSent> {
  const { tx, now, merchantId } = asked;
  const outcome = await sendConsentLink(platform, asked, scheduleId, true);
  if (outcome !== 'by_email' && outcome !== 'by_text') return outcome;
  const reason = outcome === 'by_text' ? 'by text message' : 'by email';
  const change = { merchantId, objectId: scheduleId, scheduleId, from: status, to: 'reminded' };
  await recordChanges(tx, now, [{ ...change, reason }]);
  return outcome;
}
