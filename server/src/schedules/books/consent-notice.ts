import type { StoredControlParameters } from '../../consents/consent.ts';
import { firstRefusal, roomUnder } from '../limits/room.ts';
import type { Schedule, Terms } from '../terms/schedule.ts';

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
  const room = roomUnder(trouble.limits);
  if (limitsChangedAt === null || room === null) return null;
  return firstRefusal(room.params, live, dueAt ?? now) === null
    ? null
    : { kind: 'limits_changed', since: limitsChangedAt };
}
