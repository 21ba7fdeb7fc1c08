import { readActor } from '../../platform/state/actor.ts';
import { elapsedMs } from '../../platform/values/instants.ts';
import type { SettlementAccount } from '../merchant.ts';
import { isSameAccount } from './settlement-account.ts';

/** What an account's bank says of a holder's name (Confirmation of Payee): docs/rules/access.md#the-name-on-the-account. */
export const PAYEE_RESULTS = ['match', 'close_match', 'no_match', 'unavailable'] as const;

/** What is known besides: of the account, or why there is no verdict. */
export const PAYEE_REASONS = {
  no_such_account: 'the bank has no such account',
  personal_account: 'it is a personal account',
  account_switched: 'the account was switched to another bank',
  roll_number_needed: 'the account is told apart by a roll number',
  bank_takes_no_part: 'the bank does not check names of this account',
  no_answer: 'nobody answered in time',
  not_offered: 'the e-money issuer checks no names',
  no_wallet_yet: 'the merchant’s wallet is not open yet',
  too_many_checks: 'too many names were checked within a day',
} as const;

export type PayeeReason = keyof typeof PAYEE_REASONS;

/** Why no bank was asked at all. */
export const ASKED_NOBODY = [
  'not_offered',
  'no_wallet_yet',
  'too_many_checks',
] as const satisfies readonly PayeeReason[];

/** The reasons that an issuer gives; the others are ours. */
export const ISSUER_PAYEE_REASONS = [
  'no_such_account',
  'personal_account',
  'account_switched',
  'roll_number_needed',
  'bank_takes_no_part',
  'no_answer',
] as const satisfies readonly PayeeReason[];

/** An answer about a name. */
export interface PayeeAnswer {
  result: (typeof PAYEE_RESULTS)[number];
  reason: PayeeReason | null;
  /** The holder's name, of a close match alone: what does not match must not tell whose account it is. */
  bankName: string | null;
  /** The issuer's own id and code of its check; null: it gave none. */
  evidence: string | null;
}

/** One check of a name. Instants are business time. */
export interface PayeeCheck extends PayeeAnswer {
  merchantId: string;
  checkId: string;
  account: SettlementAccount;
  /** In the audit trail's format. */
  askedBy: string;
  askedAt: Temporal.Instant;
}

/** Whether a bank was asked. */
export const hasAsked = ({ reason }: Pick<PayeeCheck, 'reason'>): boolean =>
  !ASKED_NOBODY.some((one) => one === reason);

/** How many names one side, the team or the operators, may have checked for a merchant within `COUNTED_FOR`. */
export const MOST_CHECKS = 10;
export const COUNTED_FOR = Temporal.Duration.from({ hours: 24 });
const ANSWER_HOLDS_MS = 15 * 60_000;

/** Returns an answer that is none. */
export const unavailable = (reason: PayeeReason): PayeeAnswer => ({
  result: 'unavailable',
  reason,
  bankName: null,
  evidence: null,
});

/** Returns the newest verdict among these checks, the newest first, about the same account and name; null: none. */
export const lastVerdict = (
  checks: readonly PayeeCheck[],
  account: SettlementAccount,
): PayeeCheck | null =>
  checks.find(
    ({ result, account: checked }) => result !== 'unavailable' && isSameAccount(checked, account),
  ) ?? null;

/** Whether a verdict is of a moment ago: the bank is not asked again. */
export const isFresh = ({ askedAt }: PayeeCheck, now: Temporal.Instant): boolean =>
  elapsedMs(askedAt, now) < ANSWER_HOLDS_MS;

/** Whether this side has had as many names checked as it may. */
export function hasCheckedEnough(recent: readonly PayeeCheck[], by: string): boolean {
  const { type } = readActor(by);
  return recent.filter(({ askedBy }) => readActor(askedBy).type === type).length >= MOST_CHECKS;
}

/** Formats a check for the audit trail, without the bank's name. */
export function payeeWords({ result, reason }: PayeeAnswer): string {
  const why = reason === null ? '' : ` (${PAYEE_REASONS[reason]})`;
  return `name check: ${result.replace('_', ' ')}${why}`;
}
