import { ApiError } from '../../platform/values/errors.ts';

/**
 * What is held of a merchant: docs/rules/holds.md. An operator gives the first two; the service gives `account_changed` after a
 * change of the settlement account.
 */
export const HOLD_KINDS = ['suspended', 'pay_outs', 'account_changed'] as const;
export type HoldKind = (typeof HOLD_KINDS)[number];

/** The holds during which no pay-out leaves. */
export const HOLDS_OF_PAY_OUTS: readonly HoldKind[] = ['pay_outs', 'account_changed'];

/** A hold: who gave it, why, and since when. */
export interface Hold {
  since: Temporal.Instant;
  /** The operator's name, or `service`. */
  by: string;
  reason: string;
  /** When it ends on its own; null: somebody has to end it. */
  endsAt: Temporal.Instant | null;
}

/** A merchant's holds that stand; absent: there is none of that kind. */
export type Holds = Partial<Record<HoldKind, Hold>>;

/** What the audit trail calls the beginning and the end of a hold. */
export const HOLD_STATES: Readonly<Record<HoldKind, { begin: string; end: string }>> = {
  suspended: { begin: 'suspended', end: 'resumed' },
  pay_outs: { begin: 'pay_outs_held', end: 'pay_outs_released' },
  account_changed: { begin: 'account_held', end: 'account_released' },
};

/** How long what waits for the end of a hold is left alone: its end makes it due at once. */
export const RECHECK_WHILE_HELD = Temporal.Duration.from({ minutes: 15 });

/** Throws 409 `merchant_suspended`: docs/rules/holds.md#a-suspended-merchant. */
export function refuseSuspended(isSuspended: boolean): void {
  if (isSuspended)
    throw new ApiError(
      'merchant_suspended',
      'The operator has suspended this merchant: no new schedules and no new payments. Contact the operator.',
    );
}
