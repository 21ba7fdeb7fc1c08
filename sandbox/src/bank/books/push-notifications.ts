import { isoInstant } from '../../clock.ts';
import type { Store } from '../../store.ts';
import type { PaymentStatus } from '../behaviour/behaviours.ts';
import { type Account, accountsOf } from './books.ts';
import { payeeOf } from './consent-request.ts';
import { type Consent, consentsOf } from './consents.ts';
import { type Payment, paymentsFrom } from './payments.ts';

/**
 * What the customer's phone shows when a collection starts, and its outcome: one for each payment order, and one for each funds
 * check that found insufficient funds. See docs/rules/sandbox.md#push-notifications.
 */
export interface PushNotification {
  id: string;
  consentId: string;
  /** When the collection started. */
  at: string;
  payee: string;
  amountPence: number;
  /** The nickname of the paying account. */
  account: string;
  outcome: 'on_its_way' | 'taken' | 'not_taken';
  /** The standard's code for why it was not taken. */
  reason: string | null;
}

interface Shortage {
  consent_id: string;
  at: string;
  amount_pence: number;
}

type Started = Omit<PushNotification, 'payee' | 'account'>;

/** Records that a funds check for this amount found insufficient funds. */
export function noteShortage(
  store: Store,
  consent: Consent,
  account: Account,
  amountPence: number,
  now: Temporal.Instant,
): void {
  store.run(
    `INSERT INTO short_of_funds (consent_id, at, bank, account_number, amount_pence)
     VALUES (:consentId, :at, :bank, :number, :amountPence) ON CONFLICT DO NOTHING`,
    {
      consentId: consent.consent_id,
      at: isoInstant(now),
      bank: account.bank,
      number: account.account_number,
      amountPence,
    },
  );
}

/** Returns the newest notifications of a bank's customer, newest first. */
export function pushNotificationsOf(
  store: Store,
  bank: string,
  login: string,
  limit: number,
): PushNotification[] {
  const payees = new Map(
    consentsOf(store, bank, login).map((one) => [one.consent_id, payeeOf(one.request)]),
  );
  return accountsOf(store, bank, login)
    .flatMap((account) =>
      startedFrom(store, account, limit).map((started) => ({
        ...started,
        payee: payees.get(started.consentId) ?? '',
        account: account.nickname,
      })),
    )
    .sort((a, b) => b.at.localeCompare(a.at))
    .slice(0, limit);
}

function startedFrom(store: Store, account: Account, limit: number): Started[] {
  const shortages = store.all<Shortage>(
    `SELECT consent_id, at, amount_pence FROM short_of_funds
     WHERE bank = :bank AND account_number = :number ORDER BY at DESC LIMIT :limit`,
    { bank: account.bank, number: account.account_number, limit },
  );
  return [
    ...paymentsFrom(store, account, limit).map(ofPayment),
    ...shortages.map((shortage) => ({
      id: `${shortage.consent_id} ${shortage.at}`,
      consentId: shortage.consent_id,
      at: shortage.at,
      amountPence: shortage.amount_pence,
      outcome: 'not_taken' as const,
      reason: 'AM04',
    })),
  ];
}

function ofPayment(payment: Payment): Started {
  return {
    id: payment.payment_id,
    consentId: payment.consent_id,
    at: payment.created_at,
    amountPence: payment.amount_pence,
    outcome: outcomeOf(payment.status),
    reason: payment.reason,
  };
}

/** ACSC counts as taken: the debit of the customer's account is final; the rest is between banks. */
function outcomeOf(status: PaymentStatus): PushNotification['outcome'] {
  if (status === 'RJCT') return 'not_taken';
  return status === 'ACCC' || status === 'ACSC' ? 'taken' : 'on_its_way';
}
