import type { Bank } from '../../banks/bank.ts';
import type { SignedAnswer } from '../../banks/signed-answer.ts';
import { instructionId } from '../../payments/payment/payment.ts';
import { endsWithin } from '../../platform/network/ends-within.ts';
import type { OrderedAttempt, ProvedConsent } from './evidence-store.ts';

/** How long a case file waits for all banks together. */
const WAIT_MS = 8_000;
/** The most answers that a case file has: those about the newest orders and consents. */
const MOST_ANSWERS = 20;

/** What a bank is asked for: a consent or a payment. */
export interface Question {
  kind: 'consent' | 'payment';
  /** Our id of it; of a payment that of its order. */
  about: string;
  bankId: string;
  /** The bank's id of it. */
  id: string;
}

/** A bank's answer as it signed it; `message` is null where there is none, and `problem` says why. */
export interface Answered extends Question {
  message: SignedAnswer | null;
  problem: 'no_answer' | 'not_signed' | null;
}

/** Returns what banks can be asked for: each payment that they took an order for, and each consent that was granted. */
export function questionsOf(
  paymentId: string,
  attempts: readonly OrderedAttempt[],
  consents: readonly ProvedConsent[],
): Question[] {
  const bankOf = new Map(consents.map(({ consentId, bankId }) => [consentId, bankId]));
  const orders = attempts.map(({ number, consentId, bankPaymentId }) => ({
    kind: 'payment' as const,
    about: instructionId(paymentId, number),
    bankId: bankOf.get(consentId) ?? null,
    id: bankPaymentId,
  }));
  const granted = consents
    .filter(({ grantedAt }) => grantedAt !== null)
    .map(({ consentId, bankId, bankConsentId }) => ({
      kind: 'consent' as const,
      about: consentId,
      bankId,
      id: bankConsentId,
    }));
  return [...granted, ...orders].filter(isAskable).slice(-MOST_ANSWERS);
}

const isAskable = <T extends { bankId: string | null; id: string | null }>(
  one: T,
): one is T & { bankId: string; id: string } => one.bankId !== null && one.id !== null;

/** Reads what the banks say, all at once, as far as it comes in time. Nothing that a bank does fails it. */
export const readBankAnswers = (
  banks: ReadonlyMap<string, Bank>,
  questions: readonly Question[],
): Promise<Answered[]> =>
  Promise.all(questions.map((question) => answerInTime(banks.get(question.bankId), question)));

async function answerInTime(bank: Bank | undefined, question: Question): Promise<Answered> {
  if (bank !== undefined && bank.readSigned === undefined)
    return { ...question, message: null, problem: 'not_signed' };
  let message: SignedAnswer | null = null;
  const reading = bank?.readSigned?.(question.kind, question.id).then((said) => {
    message = said;
  });
  await endsWithin(reading ?? Promise.resolve(), WAIT_MS).catch(() => false);
  return { ...question, message, problem: message === null ? 'no_answer' : null };
}
