import type { NewNotice } from '../../platform/state/notify.ts';
import { mostOfOne } from '../limits/limits.ts';
import { describeAmount, describeSeries } from '../terms/describe.ts';
import { type Schedule, type Terms, termsToAgree } from '../terms/schedule.ts';

/** A consent that waits for its customer. */
interface Waiting {
  schedule: Pick<Schedule, 'merchantId' | 'scheduleId' | 'consentedVersion'>;
  terms: Terms;
  /** What the customer agreed to before; null: nothing yet. */
  consented: Terms | null;
  consentId: string;
  link: string;
  /** They are to choose the account to pay from. */
  anotherAccount?: boolean;
}

/** Describes what terms collect: "£49.99 every month on the 1st". */
export function describePrice(terms: Terms): string {
  const often = describeSeries(terms.series);
  if (terms.amountMode === 'fixed') return `${describeAmount(terms.amountPence)} ${often}`;
  return `up to ${describeAmount(mostOfOne(terms))} ${often}`;
}

/**
 * Returns the notice that brings a waiting consent's link to the customer. Its cause is the consent, its terms and the day, so
 * the customer gets it once a day at most: docs/rules/notices.md#reminders.
 */
export function linkNotice(
  { schedule, terms, consented, consentId, link, anotherAccount = false }: Waiting,
  now: Temporal.Instant,
  isAsked = false,
): NewNotice {
  const { merchantId, scheduleId } = schedule;
  const today = now.toZonedDateTimeISO(terms.series.timeZone).toPlainDate();
  const { firstPence } = termsToAgree(schedule, terms);
  const once = firstPence ? `${describeAmount(firstPence)} as soon as you agree, then ` : '';
  const price = once + describePrice(terms);
  return {
    merchantId,
    kind: consented === null ? 'consent_link' : 'approve_terms',
    causeId: `${consentId} ${terms.version} ${today}`,
    customer: { scheduleId, isAsked },
    facts: {
      url: link,
      price,
      ...(consented === null ? {} : { old_price: describePrice(consented) }),
      ...(anotherAccount && consented !== null ? { another_account: 'yes' } : {}),
    },
  };
}
