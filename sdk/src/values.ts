import type {
  ApiKey,
  Bank,
  Frequency,
  ImportedLine,
  KeyLimits,
  Limits,
  Payment,
  PreparedAct,
  Refund,
  SandboxMoved,
  Schedule,
  Settlement,
  UnexpectedMoney,
  Wallet,
} from './types.ts';

// Names for what one field may be.

/** What an API key may do. A scope covers every call on that resource; for settlements, reading only. */
export type Scope = ApiKey['scopes'][number];
export type BankCondition = Bank['condition'];
export type FrequencyType = Frequency['type'];
export type ScheduleStatus = Schedule['status'];
export type NonWorkingDay = Schedule['non_working_day'];
export type AmountMode = Schedule['amount_mode'];
export type LimitPeriod = Limits['period'];
export type PaymentKind = Payment['kind'];
export type PaymentStatus = Payment['status'];
/** Why no retry follows a failed payment. */
export type NoRetryReason = NonNullable<Payment['no_retry_reason']>;
export type NotSentReason = NonNullable<Payment['not_sent']>['reason'];
export type UnexpectedMoneyStatus = UnexpectedMoney['status'];
/** Why received money did not match an expected payment. */
export type UnexpectedMoneyReason = UnexpectedMoney['reason'];
export type RefundStatus = Refund['status'];
export type SettlementStatus = Settlement['status'];
export type WalletStatus = Wallet['status'];
export type ImportStatus = ImportedLine['status'];
/** What an API key may do on its own. */
export type KeyLimitsInput = Pick<KeyLimits, 'per_act_pence' | 'per_day_pence'>;
export type PreparedActStatus = PreparedAct['status'];
/** Something that happened to the merchant while the sandbox's clock was moved. `at` is sandbox time. */
export type SandboxHappening = SandboxMoved['happened'][number];
