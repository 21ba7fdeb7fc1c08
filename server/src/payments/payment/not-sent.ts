import type { BankCondition } from '../../banks/condition.ts';
import { isAfter } from '../../platform/values/instants.ts';

/** Why the order of an attempt has not been sent. */
export const NOT_SENT_REASONS = [
  'merchant_suspended',
  'bank_stopped',
  'consent_in_doubt',
  'reauthentication_needed',
  'bank_down',
  'bank_degraded',
  'retrying',
  'being_sent',
] as const;
export type NotSentReason = (typeof NOT_SENT_REASONS)[number];

/** Why an attempt that has begun has not been sent, and when it is tried again; `until` null: now, or no time is set. */
export interface NotSent {
  reason: NotSentReason;
  bankId: string;
  until: Temporal.Instant | null;
}

/** What decides it, of an attempt under way whose order has not been sent. */
export interface UnsentFacts {
  bankId: string;
  isMerchantSuspended: boolean;
  isBankStopped: boolean;
  isDoubted: boolean;
  isSuspended: boolean;
  condition: BankCondition;
  dueAt: Temporal.Instant;
  /** A process has it now, until `dueAt`. */
  isLeased: boolean;
}

/** These end when somebody acts, and not at a time. */
const UNTIL_SOMEBODY_ACTS: readonly NotSentReason[] = [
  'merchant_suspended',
  'bank_stopped',
  'reauthentication_needed',
];

/** Says why an attempt is not sent yet. What holds it back comes before how its bank answers. */
export function whyNotSent(facts: UnsentFacts, now: Temporal.Instant): NotSent {
  const { bankId, dueAt, isLeased } = facts;
  const isNow = isLeased || !isAfter(dueAt, now);
  const reason = reasonOf(facts, isNow);
  const until = isNow || UNTIL_SOMEBODY_ACTS.includes(reason) ? null : dueAt;
  return { reason, bankId, until };
}

function reasonOf(facts: UnsentFacts, isNow: boolean): NotSentReason {
  if (facts.isMerchantSuspended) return 'merchant_suspended';
  if (facts.isBankStopped) return 'bank_stopped';
  if (facts.isDoubted) return 'consent_in_doubt';
  if (facts.isSuspended) return 'reauthentication_needed';
  if (facts.condition !== 'operational') return `bank_${facts.condition}`;
  return isNow ? 'being_sent' : 'retrying';
}
