import { isAfter, isBefore } from '../platform/values/instants.ts';
import { allocatedBy, endOf } from './day.ts';
import {
  agrees,
  externalDifference,
  internalDifference,
  type Mended,
  type Run,
  stillShort,
  stillTooMuch,
} from './figures.ts';

/** What was not done by its time: docs/rules/safeguarding.md#breaches. */
export const BREACH_KINDS = [
  'no_run',
  'not_compared',
  'not_answered',
  'shortfall',
  'excess',
  'difference',
  'receipt',
] as const;
export type BreachKind = (typeof BREACH_KINDS)[number];

export interface Breach {
  kind: BreachKind;
  /** The day, or the item of unallocated money. */
  about: string;
  merchantId: string | null;
  amountPence: number | null;
  deadline: Temporal.Instant;
  /** When it was put right; null: it still stands. */
  endedAt: Temporal.Instant | null;
}

/** Money that arrived and is of no client yet, or was for some time. */
export interface Receipt {
  merchantId: string;
  itemId: string;
  amountPence: number;
  arrivedAt: Temporal.Instant;
  endedAt: Temporal.Instant | null;
}

/** A day whose end has come: its run, if there was one, and what had changed by its end and has by now. */
export interface DayOver {
  day: Temporal.PlainDate;
  run: Run | null;
  byItsEnd: Mended;
  byNow: Mended;
  /** When a later run compared everything again. */
  againAt: Temporal.Instant | null;
}

/** What of the run before still stood open at the end of a day: it is no new breach of that day. */
export interface Standing {
  short: number;
  tooMuch: number;
}

/** Whether somebody answered a run before its day ended. */
export const isAnsweredInTime = ({ answeredAt, date }: Run): boolean =>
  answeredAt !== null && isBefore(answeredAt, endOf(date));

/**
 * Returns what a day did not do by its end. Each cause is one breach: what was short the day before (`before`) and still is, is
 * not short again, and a run that differs is not also one without an answer.
 */
export function breachesOfDay(
  { day, run, byItsEnd, byNow, againAt }: DayOver,
  before: Standing,
  now: Temporal.Instant,
): Breach[] {
  const deadline = endOf(day);
  const about = day.toString();
  const breach = (
    kind: BreachKind,
    amountPence: number | null,
    endedAt: Temporal.Instant | null,
  ): Breach => ({ kind, about, merchantId: null, amountPence, deadline, endedAt });
  if (run === null) return [breach('no_run', null, againAt)];
  const isAnswered = isAnsweredInTime(run);
  const breaches: Breach[] = [];
  if (run.unknown !== null) breaches.push(breach('not_compared', null, againAt));
  const difference = internalDifference(run) || externalDifference(run) || 0;
  if (difference !== 0 && !isAnswered)
    breaches.push(breach('difference', difference, run.answeredAt));
  const standing = { short: stillShort(run, byItsEnd), tooMuch: stillTooMuch(run, byItsEnd) };
  const endedIf = (pence: number): Temporal.Instant | null => (pence > 0 ? null : now);
  if (standing.short > before.short)
    breaches.push(
      breach('shortfall', standing.short - before.short, endedIf(stillShort(run, byNow))),
    );
  if (standing.tooMuch > before.tooMuch)
    breaches.push(
      breach('excess', standing.tooMuch - before.tooMuch, endedIf(stillTooMuch(run, byNow))),
    );
  const isAsked = run.seat === 'institution' || !agrees(run);
  if (breaches.length === 0 && isAsked && !isAnswered)
    breaches.push(breach('not_answered', null, run.answeredAt));
  return breaches;
}

/** Returns the receipts that were not allocated by the end of the business day after they came. */
export function breachesOfReceipts(receipts: readonly Receipt[], now: Temporal.Instant): Breach[] {
  return receipts.flatMap(({ merchantId, itemId, amountPence, arrivedAt, endedAt }) => {
    const deadline = allocatedBy(arrivedAt);
    if (isAfter(deadline, now)) return [];
    if (endedAt !== null && !isAfter(endedAt, deadline)) return [];
    return [
      { kind: 'receipt' as const, about: itemId, merchantId, amountPence, deadline, endedAt },
    ];
  });
}
