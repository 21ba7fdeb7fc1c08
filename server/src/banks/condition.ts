import { compareInstants, isBefore, later } from '../platform/values/instants.ts';
/** What the calls of a bank are for. */
export const BANK_OPERATIONS = ['consent', 'token', 'funds', 'payment', 'read'] as const;
export type BankOperation = (typeof BANK_OPERATIONS)[number];

/** How a bank answers: docs/rules/payments.md#the-condition-of-a-bank. */
export const BANK_CONDITIONS = ['operational', 'degraded', 'down'] as const;
export type BankCondition = (typeof BANK_CONDITIONS)[number];

/** A call that went to the bank. A refusal is an answer. */
export interface BankCall {
  at: Temporal.Instant;
  answered: boolean;
}

/** What is remembered of the calls of one operation. */
export interface OperationState {
  condition: BankCondition;
  /** Since when it is in that condition. */
  since: Temporal.Instant;
  /** The latest calls, the newest last: `.` was answered, `x` was not. */
  recent: string;
  answeredAt: Temporal.Instant | null;
  failedAt: Temporal.Instant | null;
  /** The first call without an answer since the last answer; null: the last call was answered. */
  failingSince: Temporal.Instant | null;
}

export type OperationStates = ReadonlyMap<BankOperation, OperationState>;

/** The condition of a bank, and of each operation. `since` null: no call was made yet. */
export interface BankConditionNow {
  condition: BankCondition;
  since: Temporal.Instant | null;
  operations: readonly {
    operation: BankOperation;
    condition: BankCondition;
    since: Temporal.Instant | null;
  }[];
}

const REMEMBERED = 10;
/** One lost connection is nothing. */
const DOWN = /x{3}$/;
const RECOVERED = /\.{5}$/;
const FAILURES_OF_DEGRADED = 2;
/** Failures longer ago say nothing of a bank that answers now. */
const FAILURE_MEMORY = Temporal.Duration.from({ minutes: 10 });
/** A collection waits for these: without an answer from the bank for so long, it is down. */
export const COLLECTING: readonly BankOperation[] = ['token', 'funds', 'payment'];
const DOWN_AFTER = Temporal.Duration.from({ minutes: 5 });

/** Returns the state of an operation after one more call; `before` null: the first one. */
export function afterCall(before: OperationState | null, call: BankCall): OperationState {
  const { at, answered } = call;
  const remembered = before === null || isForgotten(before, call) ? '' : before.recent;
  const recent = (remembered + (answered ? '.' : 'x')).slice(-REMEMBERED);
  const failingSince = answered ? null : (before?.failingSince ?? at);
  const condition = conditionOf(recent);
  const began = condition === 'down' && failingSince !== null ? failingSince : at;
  return {
    condition,
    since: before?.condition === condition ? before.since : began,
    recent,
    answeredAt: answered ? at : (before?.answeredAt ?? null),
    failedAt: answered ? (before?.failedAt ?? null) : at,
    failingSince,
  };
}

/** Whether the bank answers, and its last failure is long ago. */
function isForgotten({ failedAt }: OperationState, { at, answered }: BankCall): boolean {
  return answered && failedAt !== null && isBefore(failedAt, at.subtract(FAILURE_MEMORY));
}

function conditionOf(recent: string): BankCondition {
  if (DOWN.test(recent)) return 'down';
  const failures = [...recent].filter((call) => call === 'x').length;
  if (failures < FAILURES_OF_DEGRADED || RECOVERED.test(recent)) return 'operational';
  return 'degraded';
}

/** Returns the condition of a bank at a moment. An operation that was not called lately keeps its last one. */
export function conditionNow(states: OperationStates, now: Temporal.Instant): BankConditionNow {
  const answeredAt = [...states.values()]
    .flatMap((state) => state.answeredAt ?? [])
    .reduce<Temporal.Instant | null>((a, b) => (a === null ? b : later(a, b)), null);
  const isSilent = (since: Temporal.Instant): boolean =>
    answeredAt === null || isBefore(answeredAt, since);
  const operations = BANK_OPERATIONS.map((operation) => {
    const state = states.get(operation);
    if (state === undefined) return { operation, condition: 'operational' as const, since: null };
    const { condition, since, failingSince } = state;
    const hasWaited =
      COLLECTING.includes(operation) &&
      failingSince !== null &&
      !isBefore(now.subtract(DOWN_AFTER), failingSince) &&
      isSilent(now.subtract(DOWN_AFTER));
    return condition !== 'down' && hasWaited
      ? { operation, condition: 'down' as const, since: failingSince }
      : { operation, condition, since };
  });
  const down = operations.filter(
    ({ operation, condition, since }) =>
      condition === 'down' &&
      (COLLECTING.includes(operation) || (since !== null && isSilent(since))),
  );
  const troubled = operations.filter(({ condition }) => condition !== 'operational');
  if (down.length > 0) return { condition: 'down', since: earliestOf(down), operations };
  if (troubled.length > 0)
    return { condition: 'degraded', since: earliestOf(troubled), operations };
  return { condition: 'operational', since: latestOf(operations), operations };
}

/** Returns when a bank was called last; null: never. */
export const lastCallOf = (states: OperationStates): Temporal.Instant | null =>
  latestOf(
    [...states.values()].flatMap(({ answeredAt, failedAt }) => [
      { since: answeredAt },
      { since: failedAt },
    ]),
  );

/** Returns the condition of a bank as of its latest call. */
export function conditionAtLastCall(states: OperationStates): BankConditionNow | null {
  const last = lastCallOf(states);
  return last === null ? null : conditionNow(states, last);
}

type Dated = { since: Temporal.Instant | null };

const inOrder = (dated: readonly Dated[]): Temporal.Instant[] =>
  dated.flatMap(({ since }) => since ?? []).sort(compareInstants);
const earliestOf = (dated: readonly Dated[]): Temporal.Instant | null => inOrder(dated)[0] ?? null;
const latestOf = (dated: readonly Dated[]): Temporal.Instant | null =>
  inOrder(dated).at(-1) ?? null;
