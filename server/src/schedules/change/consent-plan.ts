import { isDeepStrictEqual } from 'node:util';
import type { AccountDetails, CustomerContact, LimitPeriod } from '../../banks/bank.ts';
import type { ConsentPlan } from '../../consents/authorisation.ts';
import { openPayingAccount } from '../../consents/grant.ts';
import { findSealedAccount } from '../../consents/payer-store.ts';
import type { ConsentRow } from '../../consents/store.ts';
import { openCustomer, openProfile } from '../../customers/sealed.ts';
import { type CustomerRow, findCustomer } from '../../customers/store.ts';
import type { Merchant } from '../../merchants/merchant.ts';
import { readMerchant } from '../../merchants/service.ts';
import { readScheme } from '../../merchants/terms/scheme-service.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { Platform, Work } from '../../platform/platform.ts';
import { orNotFound } from '../../platform/values/errors.ts';
import { hasWireText } from '../../platform/values/wire-text.ts';
import { readTerms } from '../books/store.ts';
import { toStored } from '../limits/limits.ts';
import { firstCollection, firstRefusal } from '../limits/room.ts';
import { statementReference } from '../request/statement-reference.ts';
import { type Schedule, termsToAgree } from '../terms/schedule.ts';
import { parametersFor, requireSchedule } from './service.ts';

type Whose = Pick<ConsentRow, 'merchantId' | 'scheduleId' | 'customerId' | 'anotherAccount'>;

/**
 * Returns the account that a customer has to pay from; null if they choose it. See
 * docs/rules/consents.md#the-account-that-pays.
 */
export async function payerOf(
  platform: Platform,
  tx: Tx,
  consent: Whose,
): Promise<AccountDetails | null> {
  const { merchantId, scheduleId, customerId } = consent;
  const row = await findCustomer(tx, merchantId, customerId);
  if (row === null || row.bankAccount === null) return null;
  return payerIn({ platform, tx }, consent, row, await requireSchedule(tx, merchantId, scheduleId));
}

/**
 * Returns the account that a customer named by one has to pay from. Once they have agreed it is the account under the consent in
 * force: they may have left the named one, at the merchant's request, and money must not come from there again.
 */
async function payerIn(
  { platform, tx }: Pick<Work, 'platform' | 'tx'>,
  { merchantId, anotherAccount }: Whose,
  customer: CustomerRow,
  { consentId }: Pick<Schedule, 'consentId'>,
): Promise<AccountDetails | null> {
  const named = openCustomer(platform, merchantId, customer).bankAccount;
  if (anotherAccount || named === null) return null;
  // The standard requires a name; banks match on the number.
  const name = 'Customer';
  if (consentId === null)
    return { sortCode: named.sort_code, accountNumber: named.account_number, name };
  const sealed = await findSealedAccount(tx, { merchantId, consentId });
  if (sealed === null) return null;
  const account = openPayingAccount(platform, { merchantId, consentId }, sealed);
  return hasWireText(account.name) ? account : { ...account, name };
}

/** Returns who a customer is, to somebody who must be told; null: too little is known of them. */
function contactIn(
  platform: Platform,
  merchantId: string,
  row: CustomerRow,
): CustomerContact | null {
  const { name, email } = openProfile(platform, merchantId, row);
  const { phone } = openCustomer(platform, merchantId, row);
  if (name === null || !hasWireText(name)) return null;
  return email === null && phone === null ? null : { name, email, phone };
}

/** Returns who holds a new wallet: the customer by name, where it is known and can be written at an issuer. */
function holderIn(platform: Platform, { merchantId, name }: Merchant, row: CustomerRow): string {
  const known = openProfile(platform, merchantId, row).name;
  return known !== null && hasWireText(known) ? known : `${name} customer`;
}

/**
 * Returns the consent to create at the bank: limits that allow the schedule's own occurrences after `now` and no more, verified
 * for the twelve months from the first of them. `taken`: the periods that the bank takes. Null if no occurrence is left.
 */
export async function planConsent(
  work: Work,
  consent: ConsentRow,
  taken?: readonly LimitPeriod[],
): Promise<ConsentPlan | null> {
  const merchant = await readMerchant(work.platform, work.tx, consent.merchantId);
  const customer = orNotFound(
    await findCustomer(work.tx, consent.merchantId, consent.customerId),
    'customer',
  );
  const schedule = await requireSchedule(work.tx, consent.merchantId, consent.scheduleId);
  const { termsVersion: version } = consent;
  const seen = await readTerms(work.tx, consent.merchantId, consent.scheduleId, version);
  const terms = termsToAgree(schedule, seen);
  const { maxRetries } = schedule;
  const asking = { now: work.now, until: consent.linkExpiresAt, maxRetries };
  const params = parametersFor(terms, asking, taken);
  if (params === null) return null;
  const { categoryCode, paymentContext, purposeCode } = await readScheme(
    work.tx,
    consent.merchantId,
  );
  const once = firstCollection(terms, params.validFrom);
  const refusal = firstRefusal(params, terms, params.validFrom, once);
  if (refusal !== null)
    throw new Error(`the limits would refuse an occurrence of their own: ${refusal.reason}`);
  return {
    controlParameters: toStored(params),
    hasWiderPeriod: !isDeepStrictEqual(
      params.periodicLimits,
      parametersFor(terms, asking)?.periodicLimits,
    ),
    merchantName: hasWireText(merchant.name) ? merchant.name : merchant.legalName,
    merchant: { categoryCode, paymentContext, purposeCode },
    payer: await payerIn(work, consent, customer, schedule),
    contact: contactIn(work.platform, consent.merchantId, customer),
    customerName: holderIn(work.platform, merchant, customer),
    reference: statementReference(schedule),
  };
}
