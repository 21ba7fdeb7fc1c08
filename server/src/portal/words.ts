import type { NotSentReason } from '../payments/payment/not-sent.ts';
import type { PaymentStatus } from '../payments/payment/payment.ts';
import type { PromisedRetries } from '../payments/payment/promised-retries.ts';
import { whyNotPaid } from '../payments/payment/why-not-paid.ts';
import type { ConsentNoticeKind } from '../schedules/books/consent-notice.ts';
import { limitsOf } from '../schedules/limits/limits.ts';
import type { LimitHeadroom } from '../schedules/limits/room.ts';
import { describeAmount } from '../schedules/terms/describe.ts';
import type { Terms } from '../schedules/terms/schedule.ts';

const DAY: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'long', year: 'numeric' };

/** Formats "Thursday 5 March 2026", in the merchant's time zone. */
export function describeDay(at: Temporal.Instant, timeZone: string): string {
  const local = at.toZonedDateTimeISO(timeZone);
  return local.toLocaleString('en-GB', { weekday: 'long', ...DAY }).replace(',', '');
}

/** Formats "5 March 2026". */
export function describeDate(at: Temporal.Instant, timeZone: string): string {
  return describePlainDate(at.toZonedDateTimeISO(timeZone).toPlainDate());
}

/** Formats a calendar day: "5 March 2026". */
export function describePlainDate(date: Temporal.PlainDate): string {
  return date.toLocaleString('en-GB', DAY);
}

/** Describes what each payment takes: "£30.00", or "set for each payment". */
export function describeTermsAmount({ amountMode, amountPence }: Terms): string {
  return amountMode === 'fixed' ? describeAmount(amountPence) : 'Set for each payment';
}

/** Describes the limits of terms in a line: "£90.00 per payment, £120.00 per month". */
export function describeMost(terms: Terms): string {
  const { perPaymentPence, perPeriodPence, periodType } = limitsOf(terms);
  const [each, all] = [perPaymentPence, perPeriodPence].map((pence) => describeAmount(pence));
  return `${each} per payment, ${all} per ${periodType.toLowerCase()}`;
}

/** Formats the period of a limit: "1 March to 31 March 2026". */
export function describePeriod({ periodStart, periodEnd }: LimitHeadroom): string {
  const isOneDay = periodStart.equals(periodEnd);
  const end = describePlainDate(periodEnd);
  return isOneDay ? end : `${describePlainDate(periodStart)} to ${end}`;
}

/** Describes until when payments continue, for the customer. */
export function describeEnd(endAt: Temporal.Instant | null, timeZone: string): string {
  return endAt === null ? 'No end date' : `Last payment by ${describeDate(endAt, timeZone)}`;
}

/** Describes what happens after a payment that did not go through. */
export function describeRetries({ each, last }: PromisedRetries): string {
  const sentence = `If a payment does not go through, ${timesMore(each)}`;
  if (last === null || last === each) return `${sentence}.`;
  return `${sentence}. If the last payment does not go through, ${timesMore(last)}.`;
}

function timesMore(retries: number): string {
  if (retries === 0) return 'we will not try again';
  const times = retries === 1 ? 'once more' : `up to ${retries} more times`;
  return `we may try ${times} over the following days, always within your limits`;
}

/** A payment in the customer's words: a word for its state, and a further note. */
export interface PaymentWords {
  tone: 'good' | 'quiet' | 'bad';
  label: string;
  note: string | null;
}

/** Describes a payment's state in the customer's words. `retryOn` is the day of the next try, or null. */
export function describePayment(
  status: PaymentStatus,
  errorCode: string | null,
  retryOn: string | null,
): PaymentWords {
  const why = errorCode === null ? null : whyNotPaid(errorCode);
  switch (status) {
    case 'success':
      return { tone: 'good', label: 'Paid', note: null };
    case 'failed':
      return { tone: 'bad', label: 'Not paid', note: why };
    case 'pending':
      return retryOn === null
        ? { tone: 'quiet', label: 'Due', note: null }
        : {
            tone: 'quiet',
            label: 'Will be retried',
            note: `${why ?? ''} Next attempt: ${retryOn}.`.trim(),
          };
    case 'processing':
      return { tone: 'quiet', label: 'On its way', note: null };
  }
}

const WHY_NOT_SENT: Readonly<Record<NotSentReason, (bank: string) => string | null>> = {
  bank_down: (bank) => `${bank} is not responding.`,
  bank_degraded: (bank) => `${bank} is having problems.`,
  bank_stopped: (bank) => `Payments from ${bank} are paused for now.`,
  merchant_suspended: () => 'Payments to this business are paused for now.',
  consent_in_doubt: (bank) => `We are checking your permission with ${bank}.`,
  reauthentication_needed: (bank) => `You need to confirm your permission at ${bank} first.`,
  retrying: () => null,
  being_sent: () => null,
};

/** Describes a payment under way whose order has not left, in the customer's words. */
export function describeNotSent(
  {
    reason,
    until,
    bankName,
  }: { reason: NotSentReason; until: Temporal.Instant | null; bankName: string },
  timeZone: string,
): PaymentWords {
  if (reason === 'being_sent') return { tone: 'quiet', label: 'Being sent', note: null };
  const again = until === null ? null : `We will try again at ${describeTime(until, timeZone)}.`;
  const note = [WHY_NOT_SENT[reason](bankName), again].filter((text) => text !== null).join(' ');
  return { tone: 'quiet', label: 'Not sent yet', note };
}

/** Formats "10:40". */
function describeTime(at: Temporal.Instant, timeZone: string): string {
  const local = at.toZonedDateTimeISO(timeZone);
  return local.toLocaleString('en-GB', { hour: '2-digit', minute: '2-digit' });
}

/** Describes a payment that waits for a person, and money that arrived beside it, in the customer's words; null: neither. */
export function describeUncertainty(payment: {
  waitsForPerson: boolean;
  unexpectedPence: number;
}): string | null {
  const { waitsForPerson, unexpectedPence } = payment;
  const money =
    unexpectedPence === 0
      ? null
      : `We received ${describeAmount(unexpectedPence)} that we did not expect. ` +
        'We are looking into it, and will either use it for this payment or return it to you.';
  if (waitsForPerson)
    return (
      money ??
      'We are checking the outcome of this payment with your bank. You do not need to do anything.'
    );
  return money;
}

/** Describes what prevents, or may prevent, the use of a permission, in the customer's words. */
export function describeNotice(
  kind: ConsentNoticeKind,
  bankName: string,
  merchantName: string,
): { about: string; says: string } {
  switch (kind) {
    case 'in_doubt':
      return {
        about: `${bankName} has told us that this permission has ended.`,
        says:
          'We will check with your bank again in about an hour, and collect nothing until then. If you ended it yourself, ' +
          'you do not need to do anything.',
      };
    case 'reauthentication_needed':
      return {
        about: `${bankName} needs you to confirm this permission again.`,
        says: `Nothing is collected until you do. What you agreed to with ${merchantName} stays the same.`,
      };
    case 'limits_changed':
      return {
        about: `The limits at ${bankName} have changed.`,
        says:
          'At least one of the payments below is above them and will not be collected. Raise the limits at your bank, ' +
          `or ask ${merchantName} what to do.`,
      };
  }
}
