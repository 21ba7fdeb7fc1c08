import type { CustomerType } from '../../customers/customer.ts';
import { edges, hasEdge, type StateMachine, statuses } from '../../platform/state/state-machine.ts';
import type { ErrorCode } from '../../platform/values/errors.ts';
import { earlier, elapsedMs, plusMs } from '../../platform/values/instants.ts';
import type { Amount } from '../../platform/values/money.ts';
import { firstIndexSince, hasSameDays, type Series, type Since } from './occurrences.ts';

export type ScheduleStatus = 'pending_consent' | 'active' | 'paused' | 'cancelled';

/** See docs/rules/schedules.md#status-changes. */
export const SCHEDULE_STATES: StateMachine<ScheduleStatus> = {
  noun: 'schedules',
  table: 'schedules',
  key: ['merchant_id', 'schedule_id'],
  states: statuses('pending_consent', 'active', 'paused', 'cancelled'),
  begins: ['pending_consent'],
  edges: [
    {
      from: 'pending_consent',
      to: 'active',
      why: 'the customer consented, or an earlier consent covers it',
    },
    ...edges<ScheduleStatus>(
      ['pending_consent', 'active'],
      'paused',
      'the merchant paused it',
      'schedule.paused',
    ),
    {
      from: 'paused',
      to: 'active',
      why: 'the merchant resumed it, or the planned time has come',
      event: 'schedule.resumed',
    },
    ...edges<ScheduleStatus>(
      ['pending_consent', 'active', 'paused'],
      'cancelled',
      'the merchant cancelled it, or the consent was refused or ended',
      'schedule.cancelled',
    ),
  ],
};

/** Whether each occurrence collects the schedule's amount, or what is set for it. */
export const AMOUNT_MODES = ['fixed', 'per_occurrence'] as const;
export type AmountMode = (typeof AMOUNT_MODES)[number];

/** The limits that were asked for, in pence; null: as much as the terms need. */
export interface AskedLimits {
  perPaymentPence: number | null;
  perPeriodPence: number | null;
}

/** What is collected and when: one immutable version. */
export interface Terms {
  version: number;
  /** What each occurrence collects; `per_occurrence`: the most that one does, unless the limits allow more. */
  amountPence: number;
  amountMode: AmountMode;
  currency: string;
  /** As the merchant sent it; null if it sent none. */
  startDate: Temporal.Instant | null;
  series: Series;
  limits: AskedLimits;
  /** The consent to these terms has room for this first payment too; null or absent: for none. */
  firstPence?: number | null;
}

/** What is collected once, as soon as the customer has agreed: docs/rules/payments.md#the-first-payment. */
export interface FirstPayment {
  amountPence: number;
  /** Null: that of the schedule. */
  description: string | null;
}

/** A schedule's row; its terms are separate, by version. */
export interface Schedule {
  merchantId: string;
  scheduleId: string;
  customerId: string;
  customerType: CustomerType;
  status: ScheduleStatus;
  description: string;
  /** What the customer's statement shows, as the merchant asked for it; null: derived (`statementReference`). */
  reference: string | null;
  metadata: Record<string, unknown> | null;
  maxRetries: number;
  firstPayment: FirstPayment | null;
  /** The version that the merchant requested last. */
  termsVersion: number;
  /** The version that collections use; null before the first consent. */
  liveVersion: number | null;
  /** The version that the customer agreed to. */
  consentedVersion: number | null;
  consentId: string | null;
  /** The next occurrence, whether or not it is skipped; null if there is none. */
  dueAt: Temporal.Instant | null;
  /**
   * The first occurrence of the live terms' series that is not accounted for: all before it were opened, were skipped, or fell
   * due while nothing was collected. Kept through a pause; null before the first consent, and after a cancellation.
   */
  nextOccurrence: number | null;
  /** When a paused schedule resumes automatically; null: only by hand. */
  resumeAt: Temporal.Instant | null;
  /** Whether an amount or a skip was ever set for one of its occurrences. */
  hasChanges: boolean;
  createdAt: Temporal.Instant;
}

/** A payment that may still arrive although its schedule is paused or cancelled. */
export interface PaymentUnderWay {
  id: string;
  amount: Amount;
  due_date: string;
}

export type RequestedStatus = 'active' | 'paused' | 'cancelled';

type Change = 'none' | 'pause' | 'resume' | 'cancel' | ErrorCode;

/** Returns what a requested status does, or the error code if it is refused; resuming requires a live consent. */
export function statusChange(
  from: ScheduleStatus,
  to: RequestedStatus,
  consentIsLive: boolean,
): Change {
  if (from === to) return 'none';
  if (!hasEdge(SCHEDULE_STATES, from, to)) return 'schedule_cancelled';
  if (to !== 'active') return to === 'paused' ? 'pause' : 'cancel';
  return from === 'paused' && consentIsLive ? 'resume' : 'consent_required';
}

/** Returns after when the occurrences of a schedule are collected: now, or once its pause has ended automatically. */
export function continuesAfter({ resumeAt }: Schedule, now: Temporal.Instant): Temporal.Instant {
  return resumeAt === null ? now : resumeAt.subtract({ milliseconds: 1 });
}

/** Returns from where on the occurrences of a schedule's live terms are still to come. */
export function comingSince(schedule: Schedule, now: Temporal.Instant): Since {
  return { after: continuesAfter(schedule, now), index: schedule.nextOccurrence ?? 0 };
}

/**
 * Returns the first occurrence of the live terms that is not accounted for. Where nothing is collected for now, what fell due is
 * accounted for: it lay in the pause, on the day that the terms of then gave it. What comes after their end never fell due.
 */
export function firstOpen(schedule: Schedule, live: Terms, now: Temporal.Instant): number {
  const { dueAt, nextOccurrence } = schedule;
  const passed = earlier(earlier(continuesAfter(schedule, now), now), live.series.endAt);
  const after = dueAt === null ? passed : null;
  return firstIndexSince(live.series, { after, index: nextOccurrence ?? 0 });
}

/**
 * Returns from where on `terms` go on if they take the place of the live ones (null: there are none yet) `after` a moment. Where
 * both have the same occurrences, at most on other days, none is repeated and none is dropped: the new terms go on with the very
 * occurrence at which the old ones stood, whenever that falls due now.
 */
export function sinceUnder(
  schedule: Schedule,
  live: Terms | null,
  terms: Terms,
  { now, after }: { now: Temporal.Instant; after: Temporal.Instant },
): Since {
  if (live === null || !hasSameDays(live.series, terms.series)) return { after, index: 0 };
  return { after: schedule.dueAt === null ? after : null, index: firstOpen(schedule, live, now) };
}

/** How long before a collection to check the consent at the bank; the shorter time if the longer has passed (daily schedules). */
const CHECK_AHEAD_MS = [24, 1].map((hours) => hours * 3_600_000);

/** Returns when to check the consent at the bank before a collection; null if it is too late for that. */
export function checkMoment(
  dueAt: Temporal.Instant | null,
  now: Temporal.Instant,
): Temporal.Instant | null {
  if (dueAt === null) return null;
  const aheadMs = CHECK_AHEAD_MS.find((ms) => elapsedMs(now, dueAt) > ms);
  return aheadMs === undefined ? null : plusMs(dueAt, -aheadMs);
}

/** Returns terms as a customer agrees to them now: a first payment is collected once, under the first consent. */
export const termsToAgree = (
  { consentedVersion }: Pick<Schedule, 'consentedVersion'>,
  terms: Terms,
): Terms => (consentedVersion === null ? terms : { ...terms, firstPence: null });
