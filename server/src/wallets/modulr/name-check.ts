import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { PayeeAnswer } from '../../merchants/settlement-account/payee-check.ts';
import { wireName } from '../../platform/values/wire-text.ts';
import type { AccountDetails } from '../issuer.ts';

type Verdict = Pick<PayeeAnswer, 'result' | 'reason'>;

const NOT_CHECKED: Verdict = { result: 'unavailable', reason: 'bank_takes_no_part' };
const NO_ANSWER: Verdict = { result: 'unavailable', reason: 'no_answer' };

/** What each result of Modulr's Confirmation of Payee means. We always ask for a business account. */
const CODES = {
  MATCHED: { result: 'match', reason: null },
  BUSINESS_ACCOUNT_NAME_MATCHED: { result: 'match', reason: null },
  PERSONAL_ACCOUNT_NAME_MATCHED: { result: 'match', reason: 'personal_account' },
  CLOSE_MATCH: { result: 'close_match', reason: null },
  BUSINESS_ACCOUNT_CLOSE_MATCH: { result: 'close_match', reason: null },
  PERSONAL_ACCOUNT_CLOSE_MATCH: { result: 'close_match', reason: 'personal_account' },
  NOT_MATCHED: { result: 'no_match', reason: null },
  ACCOUNT_DOES_NOT_EXIST: { result: 'no_match', reason: 'no_such_account' },
  ACCOUNT_SWITCHED: { result: 'unavailable', reason: 'account_switched' },
  SECONDARY_ACCOUNT_ID_NOT_FOUND: { result: 'unavailable', reason: 'roll_number_needed' },
  ACCOUNT_NOT_SUPPORTED: NOT_CHECKED,
  WRONG_PARTICIPANT: NOT_CHECKED,
  NOT_ENROLLED: NOT_CHECKED,
  NO_RESPONSE: NO_ANSWER,
} as const satisfies Record<string, Verdict>;

/** The results of Modulr's document. */
export const NAME_CHECK_CODES = Object.keys(CODES);

/** Returns what a result means; one that the document does not name is no verdict. */
function verdictOf(code: string): Verdict {
  return Object.hasOwn(CODES, code) ? CODES[code as keyof typeof CODES] : NO_ANSWER;
}

/** Returns the body of `POST /account-name-check`. */
export function toNameCheckJson(account: AccountDetails, paymentAccountId: string) {
  const { sortCode, accountNumber, name } = account;
  return {
    paymentAccountId,
    sortCode,
    accountNumber,
    accountType: 'BUSINESS',
    name: wireName(name),
  };
}

const NameCheck = Compile(
  Type.Object({
    id: Type.String(),
    result: Type.Object({ code: Type.String(), name: Type.Optional(Type.String()) }),
  }),
);

/** Reads the answer to a name check. Throws if it cannot be read. */
export function readNameCheck(json: unknown): PayeeAnswer {
  const { id, result } = NameCheck.Parse(json);
  const verdict = verdictOf(result.code);
  const bankName = verdict.result === 'close_match' ? (result.name ?? null) : null;
  return { ...verdict, bankName, evidence: `${id} ${result.code}` };
}
