import { instructionId } from '../../payments/payment/payment.ts';
import type { Tx } from '../../platform/db/db.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { orNotFound } from '../../platform/values/errors.ts';
import { findRefundsOf } from '../../refunds/store.ts';
import { ledgerEntries } from '../ledger-store.ts';
import { changeTitle, changeWhy } from '../schedules/timeline-words.ts';
import { findChanges, findProved, findProvedAttempts } from './evidence-store.ts';
import type { PaymentEvidence } from './view.ts';

/** Returns the evidence of a payment at the bank, at the issuer and in our books. Throws 404 `not_found`. */
export async function showEvidence(
  tx: Tx,
  merchantId: string,
  paymentId: string,
  bankName: (bankId: string) => string,
): Promise<PaymentEvidence> {
  const payment = orNotFound(await findProved(tx, merchantId, paymentId), 'payment');
  const attempts = await findProvedAttempts(tx, merchantId, paymentId);
  const payIns = attempts.flatMap(({ payInId: id }) => (id === null ? [] : [id]));
  const refunds = (await findRefundsOf(tx, merchantId, [paymentId])).flatMap(
    ({ refundId: id, returnMovementId: back }) => (back === null ? [id] : [id, back]),
  );
  const sources = [paymentId, ...payIns, ...refunds];
  const ledger = await ledgerEntries(tx, merchantId, sources, payment.currency);
  const changes = await findChanges(tx, merchantId, payment);
  return {
    bank: { id: payment.bankId, name: bankName(payment.bankId) },
    consent: { id: payment.consentId, bank_consent_id: payment.bankConsentId },
    wallet: { id: payment.walletId, issuer_wallet_id: payment.issuerWalletId },
    attempts: attempts.map((attempt) => ({
      number: attempt.number,
      instruction_id: instructionId(paymentId, attempt.number),
      bank_payment_id: attempt.bankPaymentId,
      bank_status: attempt.bankStatus,
      bank_consent_id: attempt.bankConsentId,
      sent_at: formatInstant(attempt.sentAt),
      pay_in_id: attempt.payInId,
    })),
    ledger,
    changes: changes.map((change) => ({
      at: formatInstant(change.at),
      title: changeTitle('payment', change.fromState, change.toState, change.reason),
      why: changeWhy('payment', change.reason),
    })),
  };
}
