/** What an operator holds of a merchant: docs/rules/holds.md. */
export const HOLD_KINDS = ['suspended', 'pay_outs'] as const;
export type HoldKind = (typeof HOLD_KINDS)[number];

/** A hold: who gave it, why, and since when. */
export interface Hold {
  since: Temporal.Instant;
  /** The operator's name. */
  by: string;
  reason: string;
  /** Only two operators end it: docs/rules/holds.md#pay-outs-that-two-people-release. */
  needsTwo?: boolean;
}

/** A merchant's holds that stand; absent: there is none of that kind. */
export type Holds = Partial<Record<HoldKind, Hold>>;

/** What the audit trail calls the beginning and the end of a hold. */
export const HOLD_STATES: Readonly<Record<HoldKind, { begin: string; end: string }>> = {
  suspended: { begin: 'suspended', end: 'resumed' },
  pay_outs: { begin: 'pay_outs_held', end: 'pay_outs_released' },
};

/** How long what waits for the end of a hold is left alone: its end makes it due at once. */
export const LOOK_AGAIN_WHILE_HELD = Temporal.Duration.from({ minutes: 15 });
