import type { PaymentRow } from '../payments/books/read-store.ts';
import { compareInstants, isAfter, later } from '../platform/values/instants.ts';
import { mostOfOne } from '../schedules/limits/limits.ts';
import { type Changes, plannedOccurrences } from '../schedules/terms/amounts.ts';
import type { Since, Upcoming } from '../schedules/terms/occurrences.ts';
import { comingSince, type Schedule, type Terms } from '../schedules/terms/schedule.ts';
import { describeDate } from './words.ts';

/** A schedule that collects under a consent, and its current terms. */
export interface Collecting {
  schedule: Schedule;
  terms: Terms;
  /** What the merchant set for its coming occurrences. */
  changes: Changes;
}

/** A coming occurrence and what it collects. */
export interface ComingOccurrence extends Upcoming {
  amountPence: number;
  /** The amount is not set yet: this is the most that it may be. */
  isMost: boolean;
}

/** A coming payment, and what it is for. */
export interface ComingPayment extends ComingOccurrence {
  description: string;
}

/**
 * Returns what will be collected next under a consent, earliest first: the coming occurrences of its active schedules, and the
 * payments that wait to be sent, each at its next attempt.
 */
export function comingPayments(
  collecting: readonly Collecting[],
  waiting: readonly PaymentRow[],
  now: Temporal.Instant,
  limit: number,
): ComingPayment[] {
  const occurrences = collecting
    .filter(({ schedule: { status, resumeAt } }) => status === 'active' || resumeAt !== null)
    .flatMap(({ schedule, terms, changes }) =>
      comingOccurrences(terms, changes, comingSince(schedule, now), limit).map((next) => ({
        ...next,
        description: schedule.description,
      })),
    );
  const attempts = waiting.flatMap((payment) => attemptOf(collecting, payment, now));
  return [...occurrences, ...attempts]
    .sort((a, b) => compareInstants(a.dueDate, b.dueDate))
    .slice(0, limit);
}

/** Returns the coming occurrences that collect something; one without an amount yet with the most that it may collect. */
export function comingOccurrences(
  terms: Terms,
  changes: Changes,
  since: Since,
  limit: number,
): ComingOccurrence[] {
  return plannedOccurrences(terms, changes, since, limit + changes.size)
    .filter((next) => !next.isSkipped)
    .slice(0, limit)
    .map(({ dueDate, reason, amountPence }) => ({
      dueDate,
      reason,
      amountPence: amountPence ?? mostOfOne(terms),
      isMost: amountPence === null,
    }));
}

function attemptOf(
  collecting: readonly Collecting[],
  payment: PaymentRow,
  now: Temporal.Instant,
): ComingPayment[] {
  const of = collecting.find(({ schedule }) => schedule.scheduleId === payment.scheduleId);
  if (of === undefined || payment.status !== 'pending') return [];
  const planned = payment.nextRetryAt ?? payment.dueDate;
  return [
    {
      dueDate: later(planned, now),
      amountPence: payment.amountPence,
      isMost: false,
      description: of.schedule.description,
      reason: reasonOf(payment, of.terms.series.timeZone),
    },
  ];
}

/** Says what a payment is that is no coming occurrence: another attempt, or an ad-hoc payment. */
function reasonOf(payment: PaymentRow, timeZone: string): string | null {
  if (payment.nextRetryAt !== null)
    return `Another attempt at the payment of ${describeDate(payment.dueDate, timeZone)}`;
  return onceOf(payment);
}

/** Says what a payment is that is no occurrence's, in the merchant's words if it gave any; null for an occurrence's. */
export function onceOf({ adHoc, isFirst, description }: PaymentRow): string | null {
  if (adHoc === null) return null;
  return description ?? (isFirst ? 'The first payment' : 'A single payment');
}

/** Whether a payment belongs to the past payments: it is not an ad-hoc payment planned for later. */
export function isPast(payment: PaymentRow, now: Temporal.Instant): boolean {
  return payment.status !== 'pending' || !isAfter(payment.dueDate, now);
}
