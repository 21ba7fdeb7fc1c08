import { openPayingAccount } from '../consents/grant.ts';
import type { Platform } from '../platform/platform.ts';
import type { AccountDetails, Issuer } from '../wallets/issuer.ts';
import { findPayer, isPaidBy, type RefundRow } from './store.ts';

const context = (row: RefundRow): string => `refund:${row.merchantId}:${row.refundId}`;

/** Seals the account to which a refund is paid. */
export function sealDestination(
  { vault }: Platform,
  row: RefundRow,
  account: AccountDetails,
): string {
  return vault.seal(JSON.stringify(account), context(row));
}

/** Opens the account to which a refund is paid. */
export function openDestination(
  { vault }: Platform,
  row: RefundRow,
  sealed: string,
): AccountDetails {
  return JSON.parse(vault.open(sealed, context(row))) as AccountDetails;
}

/**
 * Returns the account that paid for a refund's payment: the payer of the pay-in or, where the issuer does not report it, the
 * account that pays under the consent; null if neither is known. What was found is compared with the payment before money
 * goes there. Throws IssuerUnavailable.
 */
export async function payerOf(
  platform: Platform,
  issuer: Issuer,
  row: RefundRow,
): Promise<AccountDetails | null> {
  const facts = await platform.db.read((tx) => findPayer(tx, row.merchantId, row.paymentId));
  if (facts === null) return null;
  if (!(await platform.db.read((tx) => isPaidBy(tx, row, facts))))
    throw new Error('the account found is not the one that paid');
  const paidIn = facts.payInId === null ? null : await issuer.readMovement(facts.payInId);
  if (paidIn !== null && paidIn.payer !== null) return paidIn.payer;
  if (facts.payingAccount === null) return null;
  const { merchantId } = row;
  const consent = { merchantId, consentId: facts.consentId };
  return openPayingAccount(platform, consent, facts.payingAccount);
}
