import type { Config } from '../platform/config/config.ts';
import type { Platform } from '../platform/platform.ts';
import type { Reader } from '../platform/state/notify.ts';
import { isMobile } from './mobile.ts';
import { openPhone, openProfile } from './sealed.ts';

/** What this service can send. */
export interface Channels {
  hasEmail: boolean;
  hasTexts: boolean;
}

/** Returns what this service can send. */
export const channelsOf = ({ smtpUrl, sms }: Pick<Config, 'smtpUrl' | 'sms'>): Channels => ({
  hasEmail: smtpUrl !== null,
  hasTexts: sms !== null,
});

/** What is known of a customer; `phone` is E.164. */
interface ContactDetails {
  name: string | null;
  email: string | null;
  phone: string | null;
}

/**
 * Chooses how a customer is reached: by email where they have an address and there is a mail server, otherwise as a text
 * message to a mobile number where texts are set up, otherwise at the email address, where the notice is kept. Null: not at all.
 */
export function chooseReader(
  { hasEmail, hasTexts }: Channels,
  known: ContactDetails,
): Reader | null {
  const { email, phone } = known;
  const name = known.name ?? '';
  if (email !== null && hasEmail) return { name, email };
  if (phone !== null && hasTexts && isMobile(phone)) return { name, phone };
  return email === null ? null : { name, email };
}

/** Returns how the customer of a row, whose columns are sealed, is reached now; null: not at all. */
export function readerOf(
  { vault, config }: Pick<Platform, 'vault' | 'config'>,
  merchantId: string,
  row: ContactDetails,
): Reader | null {
  const { name, email } = openProfile({ vault }, merchantId, { ...row, reference: null });
  const channels = channelsOf(config);
  const phone = channels.hasTexts ? openPhone({ vault }, merchantId, row.phone) : null;
  return chooseReader(channels, { name, email, phone });
}
