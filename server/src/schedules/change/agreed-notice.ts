import { type ConsentRow, findPayingAccount } from '../../consents/store.ts';
import type { Work } from '../../platform/platform.ts';
import type { NewNotice } from '../../platform/state/notify.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { findChangesOf } from '../books/changes-store.ts';
import { nextOccurrence } from '../books/next-payment.ts';
import { describeLimits } from '../limits/describe-limits.ts';
import { statementReference } from '../request/statement-reference.ts';
import { describeAmount } from '../terms/describe.ts';
import type { Schedule, Terms } from '../terms/schedule.ts';
import { describePrice } from './link-notice.ts';

/** What a customer has agreed to: the schedule before and after, and its terms now. */
interface Agreed {
  before: Schedule;
  after: Schedule;
  terms: Terms;
  bankName: string;
}

/**
 * Returns the notice that confirms to a customer what they have agreed to. Its cause is the consent, which is granted once, or
 * a schedule that an earlier consent covers, which joins it once.
 */
export async function agreedNotice(
  { tx, now }: Work,
  consent: ConsentRow,
  { before, after, terms, bankName }: Agreed,
): Promise<NewNotice> {
  const { merchantId, consentId, controlParameters: limits } = consent;
  const isFirst = before.consentedVersion === null;
  const isCovered = consent.scheduleId !== after.scheduleId;
  const account = await findPayingAccount(tx, merchantId, consentId);
  const next = nextOccurrence(after, terms, await findChangesOf(tx, after, now), now);
  const once = isFirst && after.status === 'active' ? after.firstPayment : null;
  const { endAt } = terms.series;
  return {
    merchantId,
    kind: 'consent_given',
    causeId: isCovered ? after.scheduleId : consentId,
    customer: { scheduleId: after.scheduleId },
    facts: {
      about: isCovered ? 'covered' : isFirst ? 'new' : consent.anotherAccount ? 'account' : 'terms',
      price: describePrice(terms),
      reference: statementReference(after),
      bank: bankName,
      ...(account === null ? {} : { account_ending: account }),
      ...(limits === null ? {} : { limits: describeLimits(limits).join(' ') }),
      ...(once === null ? {} : { once: describeAmount(once.amountPence) }),
      ...(next === null ? {} : { next_at: formatInstant(next) }),
      ...(endAt === null ? {} : { ends_at: formatInstant(endAt) }),
    },
  };
}
