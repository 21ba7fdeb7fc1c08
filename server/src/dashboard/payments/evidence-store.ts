import { ATTEMPT_CONSENT, PAYING_CONSENT } from '../../payments/books/evidence-store.ts';
import type { Tx } from '../../platform/db/db.ts';

export interface ProvedPayment {
  paymentId: string;
  scheduleId: string;
  currency: string;
  bankId: string;
  consentId: string;
  bankConsentId: string | null;
  walletId: string;
  issuerWalletId: string | null;
}

/** Returns a payment with the consent and the wallet that it was collected through, or null. */
export function findProved(
  tx: Tx,
  merchantId: string,
  paymentId: string,
): Promise<ProvedPayment | null> {
  return tx.row<ProvedPayment>(
    `SELECT p.payment_id, p.schedule_id, p.currency, coalesce(c.bank_id, p.bank_id) AS bank_id, c.consent_id,
       c.bank_consent_id, p.wallet_id, w.issuer_wallet_id
     FROM payments p
     JOIN consents c ON c.merchant_id = p.merchant_id AND c.consent_id = ${PAYING_CONSENT}
     LEFT JOIN wallets w ON w.merchant_id = p.merchant_id AND w.wallet_id = p.wallet_id
     WHERE p.merchant_id = $1 AND p.payment_id = $2`,
    [merchantId, paymentId],
  );
}

export interface ProvedAttempt {
  number: number;
  bankPaymentId: string | null;
  bankStatus: string | null;
  sentAt: Temporal.Instant | null;
  payInId: string | null;
  bankConsentId: string | null;
}

/** Returns what is known of each attempt at the bank and at the issuer, in order. */
export function findProvedAttempts(
  tx: Tx,
  merchantId: string,
  paymentId: string,
): Promise<ProvedAttempt[]> {
  return tx.rows<ProvedAttempt>(
    `SELECT a.number, a.bank_payment_id, a.bank_status, a.sent_at, a.pay_in_id, c.bank_consent_id
     FROM payments p
     JOIN attempts a ON a.merchant_id = p.merchant_id AND a.payment_id = p.payment_id
     JOIN consents c ON c.merchant_id = p.merchant_id AND c.consent_id = ${ATTEMPT_CONSENT}
     WHERE p.merchant_id = $1 AND p.payment_id = $2 ORDER BY a.number`,
    [merchantId, paymentId],
  );
}

export interface ProvedChange {
  at: Temporal.Instant;
  fromState: string | null;
  toState: string;
  reason: string;
}

/** Returns every change of a payment's state, oldest first. */
export function findChanges(
  tx: Tx,
  merchantId: string,
  { scheduleId, paymentId }: Pick<ProvedPayment, 'scheduleId' | 'paymentId'>,
): Promise<ProvedChange[]> {
  return tx.rows<ProvedChange>(
    `SELECT at, from_state, to_state, reason FROM state_changes
     WHERE merchant_id = $1 AND schedule_id = $2 AND object_id = $3 ORDER BY change_id`,
    [merchantId, scheduleId, paymentId],
  );
}
