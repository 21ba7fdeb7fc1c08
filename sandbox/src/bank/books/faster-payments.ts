import { request } from 'undici';
import type { BankConfig } from '../config.ts';
import type { Account } from './books.ts';
import { referenceOf } from './payment-request.ts';
import type { Payment } from './payments.ts';

/** The scheme's limits on the data carried with a payment. */
const REFERENCE_CHARACTERS = 18;
const NAME_CHARACTERS = 40;
const TIME_OUT_MS = 10_000;
/** Statuses that say nothing about the account: retried later, like a broken connection. */
const TRY_AGAIN = new Set([401, 403, 408, 425, 429]);

type CreditOutcome =
  | { kind: 'credited' }
  | { kind: 'refused'; reason: 'AC01' | 'AC04' }
  | { kind: 'unknown'; why: string };

/** A connection that was kept open, and that the other side closed just when it was used again. */
const CLOSED_MEANWHILE = new Set(['UND_ERR_SOCKET', 'ECONNRESET']);

/**
 * Sends a payment to the creditor's institution; over another connection at once if the first was closed. Safe to repeat: the
 * same payment_id counts once.
 */
export async function sendFasterPayment(
  config: BankConfig,
  payment: Payment,
  account: Account,
  isRepeat = false,
): Promise<CreditOutcome> {
  const { url, secret } = config.faster_payments;
  try {
    const { statusCode, body } = await request(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify(messageOf(payment, account)),
      headersTimeout: TIME_OUT_MS,
      bodyTimeout: TIME_OUT_MS,
    });
    const answer: unknown = await body.json().catch(() => null);
    if (statusCode === 200 && (answer as { accepted?: unknown } | null)?.accepted === true) {
      return { kind: 'credited' };
    }
    if (statusCode >= 400 && statusCode < 500 && !TRY_AGAIN.has(statusCode)) {
      return { kind: 'refused', reason: reasonOf(answer) };
    }
    return { kind: 'unknown', why: `HTTP ${statusCode}` };
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (!isRepeat && CLOSED_MEANWHILE.has(String(code)))
      return sendFasterPayment(config, payment, account, true);
    return { kind: 'unknown', why: error instanceof Error ? error.message : String(error) };
  }
}

function messageOf(payment: Payment, account: Account): object {
  const instruction = payment.request.Data.Instruction;
  const { Identification, Name } = instruction.CreditorAccount;
  return {
    payment_id: payment.payment_id,
    end_to_end_id: instruction.EndToEndIdentification,
    reference: referenceOf(payment.request)?.slice(0, REFERENCE_CHARACTERS) ?? '',
    amount: { value: payment.amount_pence, currency: 'GBP' },
    creditor: {
      sort_code: Identification.slice(0, 6),
      account_number: Identification.slice(6),
      name: Name.slice(0, NAME_CHARACTERS),
    },
    debtor: {
      sort_code: account.sort_code,
      account_number: account.account_number,
      name: account.holder.slice(0, NAME_CHARACTERS),
    },
  };
}

function reasonOf(answer: unknown): 'AC01' | 'AC04' {
  const code = (answer as { error?: { code?: unknown } } | null)?.error?.code;
  return code === 'AC04' || (typeof code === 'string' && code.includes('closed')) ? 'AC04' : 'AC01';
}
