import type { CustomerType } from '../customers/customer.ts';
import type { ErrorCode } from '../platform/errors.ts';
import type { Amount } from '../platform/money.ts';
import type { Series } from './occurrences.ts';

/** Where a schedule can go from each: docs/rules/schedules.md#status-changes. */
export type ScheduleStatus = 'pending_consent' | 'active' | 'paused' | 'cancelled';

/** What is collected and when: one immutable version. */
export interface Terms {
  version: number;
  amountPence: number;
  currency: string;
  /** As the merchant gave it; null where it gave none. */
  startDate: Temporal.Instant | null;
  series: Series;
}

/** A schedule as its row tells it; terms stand apart, by version. */
export interface Schedule {
  merchantId: string;
  scheduleId: string;
  customerId: string;
  customerType: CustomerType;
  status: ScheduleStatus;
  description: string;
  metadata: Record<string, unknown> | null;
  maxRetries: number;
  /** What the merchant asked for last. */
  termsVersion: number;
  /** What collections follow; null before the first consent. */
  liveVersion: number | null;
  /** What the customer agreed to. */
  consentedVersion: number | null;
  consentId: string | null;
  /** The next collection; null when nothing is to be collected. */
  dueAt: Temporal.Instant | null;
  createdAt: Temporal.Instant;
}

/** A payment that may still arrive though its schedule is paused or over. */
export interface PaymentUnderWay {
  id: string;
  amount: Amount;
  due_date: string;
}

export type RequestedStatus = 'active' | 'paused' | 'cancelled';

type Change = 'none' | 'pause' | 'resume' | 'cancel' | ErrorCode;

/** What a requested status does, or the error code of the refusal: docs/rules/schedules.md#status-changes. */
const STATUS_CHANGES: Readonly<Record<ScheduleStatus, Readonly<Record<RequestedStatus, Change>>>> =
  {
    pending_consent: { active: 'consent_required', paused: 'pause', cancelled: 'cancel' },
    active: { active: 'none', paused: 'pause', cancelled: 'cancel' },
    paused: { active: 'resume', paused: 'none', cancelled: 'cancel' },
    cancelled: { active: 'schedule_cancelled', paused: 'schedule_cancelled', cancelled: 'none' },
  };

/** What a requested status does; resuming needs a live consent. */
export function statusChange(
  from: ScheduleStatus,
  to: RequestedStatus,
  consentIsLive: boolean,
): Change {
  const change = STATUS_CHANGES[from][to];
  return change === 'resume' && !consentIsLive ? 'consent_required' : change;
}

/** How long before a collection the bank is asked; the shorter one where the longer has passed (daily schedules). */
const CHECK_AHEAD = [24, 1].map((hours) => Temporal.Duration.from({ hours }));

/** When to ask the bank before a collection whether the consent still stands; null where it is too late to. */
export function checkMoment(
  dueAt: Temporal.Instant | null,
  now: Temporal.Instant,
): Temporal.Instant | null {
  if (dueAt === null) return null;
  const moments = CHECK_AHEAD.map((ahead) => dueAt.subtract(ahead));
  return moments.find((moment) => Temporal.Instant.compare(moment, now) > 0) ?? null;
}
