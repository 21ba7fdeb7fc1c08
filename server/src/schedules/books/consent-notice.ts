import type { StoredControlParameters } from '../../consents/consent.ts';
import { firstRefusal } from '../terms/headroom.ts';
import type { Schedule, Terms } from '../terms/schedule.ts';
import { toControlParameters } from '../terms/stored-parameters.ts';

/** What is unusual about the consent under which a schedule collects. */
export type ConsentNoticeKind = 'in_doubt' | 'reauthentication_needed' | 'limits_changed';

export interface ConsentNotice {
  kind: ConsentNoticeKind;
  since: Temporal.Instant;
}

/** What is known about a granted consent, apart from its limits. */
export interface ConsentTrouble {
  doubtedAt: Temporal.Instant | null;
  suspendedAt: Temporal.Instant | null;
  limitsChangedAt: Temporal.Instant | null;
  /** The limits at the bank. */
  limits: StoredControlParameters | null;
}

/**
 * Returns what prevents, or may prevent, collections under the schedule's consent, the most serious first and only that one;
 * null: nothing. Limits that the customer changed at the bank count if a coming occurrence exceeds them.
 */
export function consentNotice(
  trouble: ConsentTrouble,
  { status, dueAt }: Pick<Schedule, 'status' | 'dueAt'>,
  live: Terms,
  now: Temporal.Instant,
): ConsentNotice | null {
  if (status === 'cancelled') return null;
  const { doubtedAt, suspendedAt, limitsChangedAt } = trouble;
  if (doubtedAt !== null) return { kind: 'in_doubt', since: doubtedAt };
  if (suspendedAt !== null) return { kind: 'reauthentication_needed', since: suspendedAt };
  const limits = toControlParameters(trouble.limits);
  if (limitsChangedAt === null || limits === null) return null;
  return firstRefusal(limits, live, dueAt ?? now) === null
    ? null
    : { kind: 'limits_changed', since: limitsChangedAt };
}
