import type { ErrorCode } from '../../platform/values/errors.ts';
import type { LinkSent } from '../change/send-link.ts';
import type { UpdateEffect } from '../change/update.ts';
import type { UpdateBody } from '../request/request.ts';
import type { Schedule } from '../terms/schedule.ts';
import type { ManyChange } from './body.ts';

/** What a change means for one schedule: docs/rules/schedules.md#many-schedules-at-once. */
export const EFFECTS = [
  'within_consent',
  'needs_consent',
  'awaiting_consent',
  'unchanged',
  'refused',
] as const;
export type Effect = (typeof EFFECTS)[number];

export const LINE_STATES = ['planned', 'done', 'failed'] as const;
export type LineState = (typeof LINE_STATES)[number];

/** Why a line is refused or failed. */
export type LineErrorCode = ErrorCode | 'schedule_changed' | 'effect_changed';

/** A schedule of a change of many, as it was when the change was asked for, and what becomes of it. */
export interface Line {
  scheduleId: string;
  termsVersion: number;
  scheduleStatus: Schedule['status'];
  amountPence: number;
  /** Null: the amount stays. */
  newAmountPence: number | null;
  effect: Effect;
  state: LineState;
  errorCode: LineErrorCode | null;
  /** Why it is refused or failed, or why the customer has to agree. */
  reason: string | null;
  /** What came of sending the customer the consent link; null: nothing was to be sent. */
  link: LinkSent | null;
}

/** Returns what a planned line asks of its schedule, as an update of it alone. */
export function updateOf(
  { limits, status }: ManyChange,
  newAmountPence: number | null,
  currency = 'GBP',
): UpdateBody {
  return {
    ...(newAmountPence === null ? {} : { amount: { value: newAmountPence, currency } }),
    ...(limits === undefined ? {} : { limits }),
    ...(status === undefined ? {} : { status }),
  };
}

/** Returns what an update means for its schedule. `isWaiting`: the customer is sent a link to a consent that waits for them. */
export function effectOf({ terms, status }: UpdateEffect, isWaiting: boolean): Effect {
  switch (terms?.verdict) {
    case 'beyond':
      return 'needs_consent';
    case 'unconsented':
      return 'awaiting_consent';
    case 'covered':
      return 'within_consent';
    default:
      if (status !== 'none') return 'within_consent';
      return isWaiting ? 'awaiting_consent' : 'unchanged';
  }
}
