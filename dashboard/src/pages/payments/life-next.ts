import type { Attempt, Payment, Refund, Settlement } from '@recollect/sdk';
import type { LedgerEntry } from '../../../../server/src/dashboard/payments/view.ts';
import { noRetryWords } from './outcome-words.ts';

/** What is known of a payment besides itself. */
export interface Around {
  bankName: string;
  ledger: readonly LedgerEntry[];
  /** Its settlement, once it is read. */
  settlement: Settlement | undefined;
  /** Newest first. */
  refunds: readonly Refund[];
}

/** A sentence; where `at` is a moment, it ends the sentence. */
export interface Next {
  text: string;
  at: string | null;
}

const say = (text: string, at: string | null = null): Next => ({ text, at });

/** Whether the money of a refund has yet to reach the customer. */
export const isUnderWay = ({ status }: Refund): boolean =>
  status === 'pending' || status === 'processing';

/** Says what comes next for a payment; null: nothing does, or somebody must act first. `live`: the attempt that may still pay. */
export function nextOf(payment: Payment, live: Attempt | undefined, around: Around): Next | null {
  const { status, no_retry_reason: noRetry, not_sent: notSent } = payment;
  const { bankName } = around;
  if (payment.waits_for_operator !== null)
    return say(
      `We are looking into this payment with ${bankName}. You do not need to do anything.`,
    );
  if (status === 'failed') return noRetry === null ? null : say(noRetryWords(noRetry));
  if (status === 'success') return collectedNext(payment, around);
  if (live === undefined) return attemptNext(payment, bankName);
  if (live.status === 'success') return say('The money is transferred to your wallet next.');
  if (notSent === null) return say(`We check with ${bankName} until it tells us the outcome.`);
  return notSent.next_try_at === null ? null : say('We try again', notSent.next_try_at);
}

function attemptNext(payment: Payment, bankName: string): Next {
  const { attempts, due_date: due, next_retry_at: retry } = payment;
  if (attempts.length === 0) return say(`We ask ${bankName} for the money`, due);
  return retry === null ? say('We try again shortly.') : say('We try again', retry);
}

function collectedNext({ settlement_id: id, returned }: Payment, around: Around): Next | null {
  const { refunds, settlement } = around;
  if (refunds.some(isUnderWay)) return say('The refund is on its way to the customer.');
  if (returned !== null) return say('The amount is deducted from your next settlements.');
  if (id === null) return say('It is paid out with your next settlement.');
  if (settlement?.status === 'failed')
    return say('The money is in your wallet, and goes out with the next settlement or a retry.');
  if (settlement?.status === 'success') return null;
  return say('The settlement is on its way to your bank account.');
}
