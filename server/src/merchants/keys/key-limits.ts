import { ApiError } from '../../platform/values/errors.ts';
import { toDecimal } from '../../platform/values/money.ts';

/** What an API key may do on its own, in pence, and how much of it is used: docs/rules/agents.md#limits-of-a-key. */
export interface KeyLimits {
  /** Shared by a key and those that replace it. */
  limitsId: string;
  perActPence: number;
  perDayPence: number;
  /** When `spentPence` was counted last: it is of that day. */
  spentAt: Temporal.Instant;
  spentPence: number;
}

const LONDON = 'Europe/London';

/** Returns the day that an act counts for: London's, as limits at banks. */
const dayOf = (now: Temporal.Instant): Temporal.PlainDate =>
  now.toZonedDateTimeISO(LONDON).toPlainDate();

/** Returns how much the key has used today, in pence. A request of yesterday that comes late counts for today. */
export const usedToday = (
  { spentAt, spentPence }: Pick<KeyLimits, 'spentAt' | 'spentPence'>,
  now: Temporal.Instant,
): number => (Temporal.PlainDate.compare(dayOf(spentAt), dayOf(now)) < 0 ? 0 : spentPence);

/** Returns what is left of the day, in pence. Limits that were lowered may be used up beyond. */
const leftToday = (limits: KeyLimits, now: Temporal.Instant): number =>
  Math.max(0, limits.perDayPence - usedToday(limits, now));

/** Which limit an act of this amount would pass; null: none. An act that takes nothing passes none. */
export function limitPassed(
  limits: KeyLimits,
  pence: number,
  now: Temporal.Instant,
): 'per_act' | 'per_day' | null {
  if (pence === 0) return null;
  if (pence > limits.perActPence) return 'per_act';
  return pence > leftToday(limits, now) ? 'per_day' : null;
}

/** Returns 403 `key_limit_exceeded`, with the limits and what is left of them. */
export function limitExceeded(limits: KeyLimits, pence: number, now: Temporal.Instant): ApiError {
  const amount = `£${toDecimal(pence)}`;
  const sentence =
    limitPassed(limits, pence, now) === 'per_act'
      ? `${amount} is more than the £${toDecimal(limits.perActPence)} that this API key may take in one act.`
      : `${amount} is more than the £${toDecimal(leftToday(limits, now))} that this API key may still take today.`;
  return new ApiError(
    'key_limit_exceeded',
    `${sentence} Prepare the act and commit it: a member of the team is asked then.`,
    {
      amount: String(pence),
      per_act_pence: String(limits.perActPence),
      per_day_pence: String(limits.perDayPence),
      left_today_pence: String(leftToday(limits, now)),
    },
  );
}
