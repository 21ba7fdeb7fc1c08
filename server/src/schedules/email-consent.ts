import { openLink } from '../consents/service.ts';
import type { Asked, Platform } from '../platform/platform.ts';
import { consentEmail } from './consent-email.ts';
import { findShown } from './shown-store.ts';

/** What came of a wish to email a consent link. `already`: the customer has had it today. */
export type Emailed = 'emailed' | 'already' | 'no_email' | 'nothing_waits';

/**
 * Emails the customer the link to the consent that waits for them. Without `isAsked` only if the merchant has turned such emails
 * on. A repeat on the same day writes nothing.
 */
export async function emailConsent(
  platform: Platform,
  { tx, now, merchantId }: Asked,
  scheduleId: string,
  isAsked = false,
): Promise<Emailed> {
  const shown = await findShown(tx, merchantId, scheduleId, now);
  if (shown === null || shown.open === null) return 'nothing_waits';
  if (shown.customer.email === null) return 'no_email';
  const { schedule, asked: terms, consented } = shown;
  const { consentId, link: sealed } = shown.open;
  const link = openLink(platform, merchantId, consentId, sealed);
  const email = consentEmail({ schedule, terms, consented, consentId, link }, now, isAsked);
  return (await platform.notify(tx, now, [email])) > 0 ? 'emailed' : 'already';
}
