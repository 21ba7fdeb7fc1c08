import { randomUUID } from 'node:crypto';
import { isoInstant } from '../../clock.ts';
import type { Store } from '../../store.ts';
import {
  type Behaviour,
  type BehaviourName,
  behaviourAt,
  type PaymentStatus,
} from '../behaviour/behaviours.ts';
import type { Brand } from '../behaviour/brands.ts';
import { enqueueNotification } from '../doors/notifications.ts';
import { londonDate } from '../wire/periods.ts';
import { type Account, book } from './books.ts';
import { payeeOf } from './consent-request.ts';
import { type Consent, randomDigits } from './consents.ts';
import type { CountedPayment } from './control-parameters.ts';
import { type PaymentRequest, referenceOf } from './payment-request.ts';

/** Payments requested by a third party: accepting one, and changing its status. */

interface PaymentRow {
  payment_id: string;
  bank: string;
  consent_id: string;
  account_number: string;
  behaviour: BehaviourName;
  status: PaymentStatus;
  reason: string | null;
  created_at: string;
  updated_at: string;
  amount_pence: number;
  instruction_id: string;
  debited: 0 | 1;
  credited_at: string | null;
  step: number;
  credit_tries: number;
  due_at: string | null;
  request: string;
}

export interface Payment extends Omit<PaymentRow, 'request'> {
  request: PaymentRequest;
}

/** Why a payment was rejected: the standard's code and its name. */
export const PAYMENT_REASONS: Record<string, string> = {
  AM04: 'InsufficientFunds',
  AC01: 'IncorrectAccountNumber',
  AC04: 'ClosedAccountNumber',
  ED05: 'SettlementFailed',
  FR01: 'Fraud',
};

/** A checked order: its consent, the account that pays, and what is to be paid. */
interface Order {
  consent: Consent;
  account: Account;
  request: PaymentRequest;
  amountPence: number;
}

/**
 * Accepts a payment, or stores it as rejected. The account is debited in the same transaction. The stored payment is what the
 * customer is notified of (push-notifications.ts).
 */
export function acceptPayment(
  store: Store,
  brand: Brand,
  order: Order,
  now: Temporal.Instant,
): Payment {
  const { consent, account, request, amountPence } = order;
  const behaviour = behaviourAt(brand, account.behaviour);
  const isLong = brand.profile.longIds !== null;
  const paymentId = isLong ? `${consent.consent_id}-${randomDigits()}` : `pmt-${randomUUID()}`;
  return store.transaction(() => {
    const reason = refusalOf(store, behaviour, order);
    const debits = !reason && behaviour.debits;
    store.run(INSERT_PAYMENT, {
      payment_id: paymentId,
      bank: brand.bankId,
      consent_id: consent.consent_id,
      account_number: account.account_number,
      behaviour: account.behaviour,
      status: reason ? 'RJCT' : behaviour.opening,
      reason,
      now: isoInstant(now),
      amount_pence: amountPence,
      instruction_id: request.Data.Instruction.InstructionIdentification,
      debited: debits ? 1 : 0,
      due_at: reason ? null : stepTime(behaviour, 0, now),
      request: JSON.stringify(request),
    });
    if (debits) debit(store, order, paymentId, now);
    return loadPayment(store, paymentId);
  });
}

const INSERT_PAYMENT = `
INSERT INTO payments (payment_id, bank, consent_id, account_number, behaviour, status, reason,
  created_at, updated_at, amount_pence, instruction_id, debited, due_at, request)
VALUES (:payment_id, :bank, :consent_id, :account_number, :behaviour, :status, :reason,
  :now, :now, :amount_pence, :instruction_id, :debited, :due_at, :request)`;

function refusalOf(
  store: Store,
  { refusal }: Behaviour,
  { consent, account, amountPence }: Order,
): string | null {
  const isFirst = refusal?.only !== 'first_of_consent' || !hasPayments(store, consent.consent_id);
  if (refusal && isFirst) return refusal.reason;
  return account.balance_pence < amountPence ? 'AM04' : null;
}

function hasPayments(store: Store, consentId: string): boolean {
  const sql = 'SELECT 1 FROM payments WHERE consent_id = :consentId LIMIT 1';
  return store.get(sql, { consentId }) !== undefined;
}

function debit(
  store: Store,
  { consent, account, request, amountPence }: Order,
  paymentId: string,
  now: Temporal.Instant,
): void {
  const movement = {
    amountPence: -amountPence,
    description: payeeOf(consent.request),
    reference: referenceOf(request),
    paymentId,
  };
  book(store, account.bank, account.account_number, movement, now);
}

/** Returns when the n-th step of a payment is due, as text; null if there is none. */
export function stepTime(
  behaviour: Behaviour,
  index: number,
  createdAt: Temporal.Instant,
): string | null {
  const step = behaviour.steps[index];
  return step ? isoInstant(createdAt.add({ minutes: step.afterMinutes })) : null;
}

/** Finds a payment of a bank. */
export function findPayment(store: Store, bank: string, paymentId: string): Payment | undefined {
  const row = store.get<PaymentRow>(
    'SELECT * FROM payments WHERE payment_id = :paymentId AND bank = :bank',
    { paymentId, bank },
  );
  return row && paymentOf(row);
}

/** Loads a payment that must exist. */
export function loadPayment(store: Store, paymentId: string): Payment {
  const row = store.get<PaymentRow>('SELECT * FROM payments WHERE payment_id = :paymentId', {
    paymentId,
  });
  if (!row) throw new Error(`No payment ${paymentId}`);
  return paymentOf(row);
}

/** Returns the payments due at `at`, oldest first. */
export function duePayments(store: Store, at: Temporal.Instant, limit: number): Payment[] {
  return store
    .all<PaymentRow>('SELECT * FROM payments WHERE due_at <= :at ORDER BY due_at LIMIT :limit', {
      at: isoInstant(at),
      limit,
    })
    .map(paymentOf);
}

/** Returns the newest payments from an account. */
export function paymentsFrom(store: Store, account: Account, limit: number): Payment[] {
  return store
    .all<PaymentRow>(
      `SELECT * FROM payments WHERE bank = :bank AND account_number = :account_number
       ORDER BY created_at DESC, rowid DESC LIMIT :limit`,
      { bank: account.bank, account_number: account.account_number, limit },
    )
    .map(paymentOf);
}

/** Returns the newest payments of a consent. */
export function paymentsOf(store: Store, consentId: string, limit: number): Payment[] {
  return store
    .all<PaymentRow>(
      `SELECT * FROM payments WHERE consent_id = :consentId
       ORDER BY created_at DESC, rowid DESC LIMIT :limit`,
      { consentId, limit },
    )
    .map(paymentOf);
}

/** Returns a consent's payments since a day in London that count towards its limits. */
export function countedPayments(
  store: Store,
  consentId: string,
  since: Temporal.PlainDate,
): CountedPayment[] {
  return store
    .all<{ created_at: string; amount_pence: number }>(
      `SELECT created_at, amount_pence FROM payments
       WHERE consent_id = :consentId AND created_at >= :since AND status <> 'RJCT'`,
      { consentId, since: isoInstant(since.toZonedDateTime('Europe/London').toInstant()) },
    )
    .map((row) => ({
      day: londonDate(Temporal.Instant.from(row.created_at)),
      amountPence: row.amount_pence,
    }));
}

/** Changes a payment's status and notifies the third party. */
export function changePayment(
  store: Store,
  payment: Payment,
  status: PaymentStatus,
  reason: string | null,
  at: Temporal.Instant,
): void {
  store.transaction(() => {
    store.run(
      `UPDATE payments SET status = :status, reason = :reason, updated_at = :at
       WHERE payment_id = :paymentId`,
      { status, reason, at: isoInstant(at), paymentId: payment.payment_id },
    );
    const subject = { type: 'domestic-vrp', id: payment.payment_id } as const;
    enqueueNotification(store, payment.bank, 'resource-update', subject, at);
  });
}

function paymentOf(row: PaymentRow): Payment {
  return { ...row, request: JSON.parse(row.request) };
}
