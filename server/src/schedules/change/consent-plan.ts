import { isDeepStrictEqual } from 'node:util';
import type { AccountDetails, CustomerContact, LimitPeriod } from '../../banks/bank.ts';
import type { ConsentPlan } from '../../consents/authorisation.ts';
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
import { termsToAgree } from '../terms/schedule.ts';
import { parametersFor, requireSchedule } from './service.ts';

type Whose = Pick<ConsentRow, 'merchantId' | 'customerId' | 'anotherAccount'>;

/** Returns the account that a customer pays from, if the merchant identified the customer by it and asks for no other. */
export async function payerOf(
  platform: Platform,
  tx: Tx,
  { merchantId, customerId, anotherAccount }: Whose,
): Promise<AccountDetails | null> {
  if (anotherAccount) return null;
  const row = await findCustomer(tx, merchantId, customerId);
  return row === null ? null : payerIn(platform, merchantId, row);
}

function payerIn(platform: Platform, merchantId: string, row: CustomerRow): AccountDetails | null {
  const account = openCustomer(platform, merchantId, row).bankAccount;
  if (account === null) return null;
  // The standard requires a name; banks match on the number.
  return { sortCode: account.sort_code, accountNumber: account.account_number, name: 'Customer' };
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
    payer: consent.anotherAccount ? null : payerIn(work.platform, consent.merchantId, customer),
    contact: contactIn(work.platform, consent.merchantId, customer),
    customerName: holderIn(work.platform, merchant, customer),
    reference: statementReference(schedule),
  };
}
