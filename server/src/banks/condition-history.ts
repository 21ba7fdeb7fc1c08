import { isBefore, later } from '../platform/values/instants.ts';
import {
  BANK_CONDITIONS,
  type BankCondition,
  type BankConditionNow,
  conditionAtLastCall,
  conditionNow,
  lastCallOf,
  type OperationStates,
} from './condition.ts';

/** From `at` on a bank is in a condition, until its next change. */
export interface ConditionChange {
  at: Temporal.Instant;
  condition: BankCondition;
}

/** A stretch of time in which a bank was in one condition; null: nothing is known of it. */
export interface ConditionPeriod {
  condition: BankCondition | null;
  from: Temporal.Instant;
  to: Temporal.Instant;
}

/** A bank that gets better for less than this is still in trouble. */
const SHORTEST_RECOVERY = Temporal.Duration.from({ minutes: 1 });

/** An outage began with the first call without an answer, and not with the call that proved it. */
const beginOf = ({ condition, since }: BankConditionNow, at: Temporal.Instant): Temporal.Instant =>
  condition === 'down' ? (since ?? at) : at;

/**
 * Returns the changes that calls made to the condition of a bank, in order. A change replaces whatever was recorded from its
 * moment on. A bank that was down by its silence alone, before the first of these calls, was down: nobody had recorded it.
 */
export function changesOf(
  before: OperationStates,
  firstCall: Temporal.Instant,
  after: OperationStates,
): ConditionChange[] {
  const known = conditionAtLastCall(before);
  const now = conditionAtLastCall(after);
  const lastCall = lastCallOf(after);
  if (now === null || lastCall === null) return [];
  const steps: [BankConditionNow, Temporal.Instant][] = [[now, lastCall]];
  if (known !== null) steps.unshift([conditionNow(before, firstCall), firstCall]);
  let condition = known?.condition ?? null;
  return steps.flatMap(([standing, at]) => {
    if (standing.condition === condition) return [];
    condition = standing.condition;
    return [{ at: beginOf(standing, at), condition }];
  });
}

/** Returns the conditions of a bank between two moments, without gaps, the last as the bank stands at the end. */
export function conditionPeriods(
  recorded: readonly ConditionChange[],
  { condition, since }: BankConditionNow,
  { from, to }: { from: Temporal.Instant; to: Temporal.Instant },
): ConditionPeriod[] {
  const differs = since !== null && recorded.at(-1)?.condition !== condition;
  const changes = differs ? [...recorded, { at: since, condition }] : recorded;
  // The clock of another process may be a moment ahead.
  const past = changes.filter(({ at }) => isBefore(at, to));
  const begun = past.reduce<Begun[]>(
    (sofar, { at, condition: is }) => {
      const start = later(at, from);
      return [...sofar.filter((one) => isBefore(one.from, start)), { from: start, condition: is }];
    },
    [{ from, condition: null }],
  );
  return joinEqual(withoutShortRecoveries(begun)).map((one, n, all) => ({
    ...one,
    to: all[n + 1]?.from ?? to,
  }));
}

type Begun = Omit<ConditionPeriod, 'to'>;

/** Lets trouble go on through a lull, so that a bank that comes and goes has one stretch and not hundreds. */
function withoutShortRecoveries(begun: readonly Begun[]): Begun[] {
  let before: BankCondition | null = null;
  return begun.map(({ from, condition }, n) => {
    const end = begun[n + 1]?.from;
    const isLull = end !== undefined && isBefore(end, from.add(SHORTEST_RECOVERY));
    if (!isLull || rankOf(condition) >= rankOf(before)) before = condition;
    return { from, condition: before };
  });
}

const joinEqual = (begun: readonly Begun[]): Begun[] =>
  begun.filter(({ condition }, n) => n === 0 || begun[n - 1]?.condition !== condition);

const rankOf = (condition: BankCondition | null): number =>
  condition === null ? -1 : BANK_CONDITIONS.indexOf(condition);
