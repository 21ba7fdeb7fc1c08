import type { AccountDetails } from '../../banks/bank.ts';
import type { ConsentPlan } from '../../consents/authorisation.ts';
import type { ConsentRow } from '../../consents/store.ts';
import { openCustomer } from '../../customers/sealed.ts';
import { findCustomer } from '../../customers/store.ts';
import { readMerchant } from '../../merchants/service.ts';
import { readScheme } from '../../merchants/terms/scheme-service.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { Platform, Work } from '../../platform/platform.ts';
import { readTerms } from '../books/store.ts';
import { toStored } from '../limits/limits.ts';
import { firstRefusal } from '../limits/room.ts';
import { statementReference } from '../request/statement-reference.ts';
import { parametersFor, requireSchedule } from './service.ts';

/** The longest account holder's name that the bank standard allows. */
const LONGEST_NAME = 70;

/** Returns the account that a customer pays from, if the merchant identified the customer by it. */
export async function payerOf(
  platform: Platform,
  tx: Tx,
  { merchantId, customerId }: Pick<ConsentRow, 'merchantId' | 'customerId'>,
): Promise<AccountDetails | null> {
  const row = await findCustomer(tx, merchantId, customerId);
  const account = row === null ? null : openCustomer(platform, merchantId, row).bankAccount;
  if (account === null) return null;
  // The standard requires a name; banks match on the number.
  return { sortCode: account.sort_code, accountNumber: account.account_number, name: 'Customer' };
}

/**
 * Returns the consent to create at the bank: limits that allow the schedule's own occurrences after `now` and no more, verified
 * for the twelve months from the first of them. Null if no occurrence is left.
 */
export async function planConsent(work: Work, consent: ConsentRow): Promise<ConsentPlan | null> {
  const merchant = await readMerchant(work.platform, work.tx, consent.merchantId);
  const schedule = await requireSchedule(work.tx, consent.merchantId, consent.scheduleId);
  const terms = await readTerms(
    work.tx,
    consent.merchantId,
    consent.scheduleId,
    consent.termsVersion,
  );
  const params = parametersFor(terms, work.now);
  if (params === null) return null;
  const { categoryCode, paymentContext, purposeCode } = await readScheme(
    work.tx,
    consent.merchantId,
  );
  const refusal = firstRefusal(params, terms, params.validFrom);
  if (refusal !== null)
    throw new Error(`the limits would refuse an occurrence of their own: ${refusal.reason}`);
  return {
    controlParameters: toStored(params),
    merchantName: merchant.name.slice(0, LONGEST_NAME),
    merchant: { categoryCode, paymentContext, purposeCode },
    payer: await payerOf(work.platform, work.tx, consent),
    customerName: `${merchant.name} customer`.slice(0, LONGEST_NAME),
    reference: statementReference(schedule),
  };
}
